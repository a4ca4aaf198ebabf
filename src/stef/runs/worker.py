"""A worker process: reads tables from its standard input, runs a half of the kernel over them, writes tables back.

It ends as soon as its parent is gone, in the middle of a turn too: its standard input then ends.
"""

import os
import pickle
import queue
import signal
import struct
import sys
import threading
from typing import TYPE_CHECKING, BinaryIO, Final

from stef.runs.collecting import collect_seldom

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

    from stef.runs.kernel import Kernel, KernelSpec

LENGTH: Final = struct.Struct("<Q")
SCORE, PREPARE, FINISH = "score", "prepare", "finish"


def main() -> None:
    """Serve until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # The parent says when to end.
    # What a rule prints must not get between the tables.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    frames: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, frames), daemon=True).start()
    try:
        _serve(frames, out)
    except BrokenPipeError:
        os._exit(0)


def _serve(frames: "queue.SimpleQueue[bytes]", out: BinaryIO) -> None:
    spec: KernelSpec = pickle.loads(frames.get())  # noqa: S301  from the parent
    kernel = spec.open()
    collect_seldom()
    while True:
        operation, *tables = pickle.loads(frames.get())  # noqa: S301
        try:
            answer = to_ipc(_done(kernel, operation, [from_ipc(table) for table in tables]))
            write(out, b"\0" + answer)
        except BrokenPipeError:
            raise
        except Exception as error:  # it is raised in the parent
            write(out, b"\1" + pickle.dumps(_sendable(error)))


def _done(kernel: "Kernel", operation: str, tables: "list[pa.Table]") -> "pa.Table":
    match operation:
        case "score":
            return kernel.score(*tables)
        case "prepare":
            return kernel.prepare(*tables)
        case _:
            return kernel.finish(*tables)


def _read(source: BinaryIO, frames: "queue.SimpleQueue[bytes]") -> None:
    while True:
        head = source.read(LENGTH.size)
        if len(head) < LENGTH.size:
            break
        frames.put(source.read(LENGTH.unpack(head)[0]))
    os._exit(0)  # The parent has gone, or has no more to do.


def write(out: BinaryIO, frame: bytes) -> None:
    """Write one frame: its length, then itself."""
    out.write(LENGTH.pack(len(frame)))
    out.write(frame)
    out.flush()


def to_ipc(table: "pa.Table") -> bytes:
    """A table as bytes."""
    import pyarrow as pa  # noqa: PLC0415  heavy

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def from_ipc(content: bytes) -> "pa.Table":
    """The table that `to_ipc` wrote."""
    import pyarrow as pa  # noqa: PLC0415  heavy

    with pa.ipc.open_stream(content) as reader:
        return reader.read_all()


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301
    except Exception:  # whatever its class makes of it
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
