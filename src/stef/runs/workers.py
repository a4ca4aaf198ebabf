"""Worker processes for the halves of the kernel. They are spawned, never forked, and end with their parent."""

import asyncio
import json
import os
import pickle
import sys
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Self

from stef.errors import StefError
from stef.runs.kernel import KernelSpec
from stef.runs.worker import LENGTH, from_ipc, to_ipc

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

WORTH_A_POOL: Final = 20_000
"""Turns from which on several processes take less time than they need to start."""

_AHEAD: Final = 2
"""Tables that a worker has: the one it works on, and the next."""

_MOST_DEATHS: Final = 3
_START: Final = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from stef.runs.worker import main; main()"


class WorkerLost(Exception):  # noqa: N818  # it is never seen outside of runs/
    """A worker that ended in the middle of its work."""


def cpus() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class Workers:
    """`count` processes that run the kernel of `spec`."""

    def __init__(self, spec: KernelSpec, count: int) -> None:
        self._spec = pickle.dumps(spec, pickle.HIGHEST_PROTOCOL)
        self._workers = [_Worker(self._spec) for _ in range(count)]
        self._room = asyncio.Semaphore(count * _AHEAD)
        self._deaths = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        for worker in self._workers:
            worker.end()
        await asyncio.gather(*(worker.gone() for worker in self._workers))

    async def run(self, operation: str, *tables: "pa.Table") -> "pa.Table":
        """What the half makes of the tables.

        Raises WorkerLost where the process that worked on them ended, and StefError where processes do nothing else.
        """
        frame = pickle.dumps((operation, *map(to_ipc, tables)), pickle.HIGHEST_PROTOCOL)
        async with self._room:
            worker = min(self._workers, key=lambda one: one.waiting)
            try:
                answer = await worker.ask(frame)
            except WorkerLost as lost:
                await self._replaced(worker, lost)
                raise
        self._deaths = 0
        return answer

    async def _replaced(self, worker: "_Worker", lost: WorkerLost) -> None:
        if worker in self._workers:
            self._deaths += 1
            self._workers[self._workers.index(worker)] = _Worker(self._spec)
        if self._deaths > _MOST_DEATHS:
            raise StefError(f"worker processes end without answering ({lost}); try --workers 1") from lost


class _Worker:
    """One process, started with the first thing that it is asked."""

    def __init__(self, spec: bytes) -> None:
        self._spec = spec
        self._process: asyncio.subprocess.Process | None = None
        self._starting = asyncio.Lock()
        self._asked: deque[asyncio.Future[pa.Table]] = deque()
        self._reading: asyncio.Task[None] | None = None
        self.waiting = 0

    async def ask(self, frame: bytes) -> "pa.Table":
        """The answer to one frame. Raises what the worker raised, and WorkerLost where it ended."""
        self.waiting += 1
        try:
            process = await self._started()
            answer: asyncio.Future[pa.Table] = asyncio.get_running_loop().create_future()
            self._asked.append(answer)
            try:
                _send(process, frame)
                await _pipe(process).drain()
            except ConnectionError as error:
                raise WorkerLost(f"exit code {await process.wait()}") from error
            return await answer
        finally:
            self.waiting -= 1

    def end(self) -> None:
        """Let it end; what it works on is of no interest any more."""
        if self._process is not None and self._process.returncode is None:
            _pipe(self._process).close()

    async def gone(self) -> None:
        """Wait until it has ended."""
        if self._process is not None:
            await self._process.wait()
        if self._reading is not None:
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _started(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-c",
                    _START,
                    json.dumps(sys.path),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                )
                _send(self._process, self._spec)
                self._reading = asyncio.create_task(self._read(self._process))
            return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        out = process.stdout
        try:
            while out is not None:
                (length,) = LENGTH.unpack(await out.readexactly(LENGTH.size))
                _settle(self._asked.popleft(), await out.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            code = await process.wait()
            for waiting in self._asked:
                if not waiting.done():
                    waiting.set_exception(WorkerLost(f"exit code {code}"))
            self._asked.clear()


def _settle(waiting: "asyncio.Future[pa.Table]", frame: bytes) -> None:
    if waiting.done():
        return
    if frame[:1] == b"\0":
        waiting.set_result(from_ipc(frame[1:]))
        return
    error: Any = pickle.loads(frame[1:])  # noqa: S301  from stef's own process
    waiting.set_exception(error)


def _pipe(process: asyncio.subprocess.Process) -> asyncio.StreamWriter:
    if process.stdin is None:
        raise RuntimeError("a worker without standard input")
    return process.stdin


def _send(process: asyncio.subprocess.Process, frame: bytes) -> None:
    _pipe(process).write(LENGTH.pack(len(frame)) + frame)
