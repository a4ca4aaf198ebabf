"""A command as an agent: one process a question, the request as JSON on its input, JSON or SQL on its output."""

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from json import dumps
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import IO, Any, Final

from stef.agents.description import AgentFile, CommandDescription
from stef.agents.fields import NotReadableError
from stef.agents.json_reply import decoded, markup, parse_json
from stef.agents.replies import AskFailedError
from stef.agents.template import PLACES, Secrets, TemplateError, fill, with_variables
from stef.errors import AgentSetupError
from stef.records.asking import AgentFault, AgentRequest

MAX_OUTPUT: Final = 64 << 20
_LOOK_EVERY: Final = 0.05
_STDERR_SHOWN: Final = 600
_WHOLE_REQUEST: Final = {name: f"{{{name}}}" for name in PLACES}


@dataclass(frozen=True, slots=True)
class CommandLine:
    """What is run: its words, the folder it runs in, its environment (None: as stef's own)."""

    words: tuple[str, ...]
    folder: Path
    environment: Mapping[str, str] | None = None
    secrets: Secrets = field(default_factory=lambda: Secrets({}))


class CommandCaller:
    """Runs a command. Output goes to files, so that no pipe that a child keeps open can hold up the answer."""

    def __init__(self, line: CommandLine, request: Any = None, *, takes_hide: bool = False) -> None:
        self._line = line
        self._request = _WHOLE_REQUEST if request is None else request
        self._takes_hide = takes_hide
        self._lock = Lock()
        self._running: set[subprocess.Popen[bytes]] = set()

    @property
    def takes_hide(self) -> bool:
        """Whether the description's request has a place for the ids to hide."""
        return self._takes_hide

    def call(self, request: AgentRequest) -> bytes:
        """What the command printed. Raises AskFailedError."""
        sent = dumps(fill(self._request, request), ensure_ascii=False).encode()
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            stdin.write(sent)
            stdin.seek(0)
            process = self._start(stdin, out, err)
            try:
                code = _wait(process, out, err, request.timeout)
            except TimeoutError:
                detail = f"no answer within {request.timeout:g} s, ended with all that it had started"
                raise AskFailedError(AgentFault.TIMEOUT, detail + self._last_words(err)) from None
            finally:
                _end(process)
                with self._lock:
                    self._running.discard(process)
            if code != 0:
                ended = f"exit code {code}" if code > 0 else f"signal {_signal_name(-code)}"
                raise AskFailedError(AgentFault.CRASH, f"{self._line.words[0]}: {ended}{self._last_words(err)}")
            out.seek(0)
            printed = out.read()
            if not printed.strip():
                raise NotReadableError(f"the command printed nothing{self._last_words(err)}")
            return printed

    def close(self) -> None:
        """End the commands that still run."""
        with self._lock:
            running = list(self._running)
        for process in running:
            _end(process)

    def _start(self, stdin: IO[bytes], out: IO[bytes], err: IO[bytes]) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(  # noqa: S603  # running it is what was asked for; no shell reads the question
                self._line.words,
                cwd=self._line.folder,
                env=self._line.environment,
                stdin=stdin,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            raise AgentSetupError(f"command:{self._line.words[0]}: cannot be run: {error.strerror or error}") from error
        with self._lock:
            self._running.add(process)
        return process

    def _last_words(self, err: IO[bytes]) -> str:
        size = err.seek(0, os.SEEK_END)
        err.seek(max(0, size - 4 * _STDERR_SHOWN))
        text = self._line.secrets.hidden(err.read().decode("utf-8", "replace").strip())
        return f"; its last words: {text[-_STDERR_SHOWN:]}" if text else ""


def printed_reply(printed: bytes) -> Any:
    """What a command without a description printed: an object in stef's own names, else SQL text.

    Raises NotReadableError.
    """
    text = decoded(printed, "output").strip()
    if text[:1] in ("{", "[", '"'):
        return parse_json(printed, "output")
    if page := markup(text):
        raise NotReadableError(f"the output is {page}")
    return text


def printed_json(printed: bytes) -> Any:
    """What a command printed whose description says where the fields stand. Raises NotReadableError."""
    return parse_json(printed, "output")


def inline_line(spec: str) -> CommandLine:
    """`./ask.sh --fast` as a command in the current folder. Raises AgentSetupError where there is no such command."""
    return CommandLine(_found(_words(spec, f"command:{spec}"), Path.cwd(), f"command:{spec}"), Path.cwd())


def described_line(file: AgentFile, environment: Mapping[str, str]) -> tuple[CommandLine, Any]:
    """The command of a description, and its request. Raises AgentSetupError."""
    said = file.said
    if not isinstance(said, CommandDescription):
        raise TypeError(said)
    folder = (file.path.resolve().parent / (said.folder or ".")).resolve()
    if not folder.is_dir():
        raise AgentSetupError(f"{file.path}: folder: there is no folder {folder}")
    try:
        env, secrets = with_variables(said.env, environment, "env")
        request, more = with_variables(said.request, environment, "request", has_places=True)
    except TemplateError as error:
        raise AgentSetupError(f"{file.path}: {error}") from None
    where = f"{file.path}: command"
    words = _words(said.command, where) if isinstance(said.command, str) else said.command
    own = {**environment, **env} if said.env else None
    hidden = Secrets({**secrets.by_value, **more.by_value})
    return CommandLine(_found(words, folder, where), folder, own, hidden), request


def _words(command: str, where: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise AgentSetupError(f"{where}: not a command line: {error}") from None
    if not words:
        raise AgentSetupError(f"{where}: names no command")
    return words


def _found(words: tuple[str, ...], folder: Path, where: str) -> tuple[str, ...]:
    first = words[0]
    if os.sep not in first:
        if shutil.which(first) is None:
            beside = f"; did you mean ./{first}?" if (folder / first).is_file() else ""
            raise AgentSetupError(f"{where}: there is no command {first!r}{beside}")
        return words
    path = folder / first
    if not path.is_file():
        raise AgentSetupError(f"{where}: there is no file {path}")
    if not os.access(path, os.X_OK):
        raise AgentSetupError(f"{where}: {first} may not be run; chmod +x {path}")
    return (str(path), *words[1:])


def _wait(process: "subprocess.Popen[bytes]", out: IO[bytes], err: IO[bytes], seconds: float) -> int:
    """The exit code; TimeoutError after `seconds`, AskFailedError once the output grows beyond all measure."""
    deadline = monotonic() + seconds
    while (left := deadline - monotonic()) > 0:
        try:
            return process.wait(min(left, _LOOK_EVERY))
        except subprocess.TimeoutExpired:
            if any(os.fstat(file.fileno()).st_size > MAX_OUTPUT for file in (out, err)):
                raise NotReadableError(f"the command printed more than {MAX_OUTPUT >> 20} MiB") from None
    raise TimeoutError


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process that still runs, with its whole group."""
    if process.poll() is not None:
        return
    # It may end on its own in this very moment.
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
