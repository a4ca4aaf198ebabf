"""A model file on this machine, served on loopback for as long as it is asked."""

import asyncio
import hashlib
import importlib.util
import json
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

from stef.errors import JudgeSetupError
from stef.llm.chat import ChatClient, ChatSettings
from stef.llm.faults import ServerFault
from stef.llm.openai_client import OpenAITransport

ENGINE: Final = "xllamacpp"
CONTEXT: Final = 16_384
"""Tokens of prompt and reply together."""

_MAGIC: Final = b"GGUF"
_HEAD: Final = 1 << 20
_END_WAIT: Final = 5.0
_SHOWN_LINES: Final = 3


def local_client(path: Path | str, settings: ChatSettings | None = None) -> ChatClient:
    """A client of the model in the GGUF file `path`. Its server starts with the first question, and ends with `close`.

    Raises JudgeSetupError where the file is none, or where the extra `stef[local]` is not installed.
    """
    file = Path(path)
    check_model_file(file)
    if importlib.util.find_spec(ENGINE) is None:
        raise JudgeSetupError(f"local:{path} needs {ENGINE}: pip install 'stef[local]'")
    return ChatClient(LocalTransport(file), f"local:{file.name}", None, settings)


def check_model_file(file: Path) -> None:
    """Raise JudgeSetupError where `file` is no GGUF file."""
    try:
        with file.open("rb") as opened:
            magic = opened.read(len(_MAGIC))
    except OSError as error:
        raise JudgeSetupError(f"local:{file}: cannot be read: {error.strerror or error}") from error
    if magic != _MAGIC:
        raise JudgeSetupError(f"local:{file}: this is no GGUF model file")


def model_fingerprint(file: Path) -> dict[str, str | int]:
    """Size in bytes, and SHA-256 of the first MiB: what tells one model file from another."""
    with file.open("rb") as opened:
        return {"size": file.stat().st_size, "sha256_of_first_mib": hashlib.sha256(opened.read(_HEAD)).hexdigest()}


class LocalTransport:
    """Chat completions of a model file. One question is answered after the other."""

    def __init__(self, file: Path) -> None:
        self._server = LocalServer(file)
        self._asked: OpenAITransport | None = None
        self._starting: asyncio.Lock | None = None
        self._name = file.name

    async def send(self, asked: Mapping[str, Any]) -> object:
        """See `Transport.send`. Raises JudgeSetupError where the server does not start, or has ended."""
        if self._starting is None:
            self._starting = asyncio.Lock()
        async with self._starting:
            if self._asked is None:
                # A thread: loading takes seconds, and a Ctrl-C must get its turn.
                url = await asyncio.to_thread(self._server.start)
                self._asked = OpenAITransport(self._name, self._server.key, url)
        try:
            return await self._asked.send(asked)
        except ServerFault:
            self._server.check_alive()
            raise

    async def close(self) -> None:
        """End the server."""
        if self._asked is not None:
            await self._asked.close()
            self._asked = None
        await asyncio.to_thread(self._server.end)


class LocalServer:
    """The process that serves a model file; it ends with this one, however that ends."""

    def __init__(self, file: Path, context: int = CONTEXT) -> None:
        self.key = secrets.token_hex(16)
        self._file = file
        self._context = context
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def start(self) -> str:
        """Start it, wait until it is ready, and return its base URL. Raises JudgeSetupError where it does not start."""
        self._said = tempfile.TemporaryFile()  # noqa: SIM115  # it lives as long as the server
        command = [sys.executable, "-m", "stef.llm.local_server", str(self._file), str(self._context)]
        self._process = subprocess.Popen(  # noqa: S603  # our own module
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, start_new_session=True
        )
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise JudgeSetupError(f"local:{self._file.name}: the server cannot be spoken to")
        with suppress(BrokenPipeError):
            stdin.write(f"{self.key}\n".encode())
            stdin.flush()
        try:
            address: str = json.loads(stdout.readline())["address"]
        except ValueError as error:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_WAIT)
            self.check_alive()
            raise JudgeSetupError(f"local:{self._file.name}: the server did not start") from error
        return f"{address}/v1"

    def check_alive(self) -> None:
        """Raise JudgeSetupError, with its last words, where the server has ended."""
        if self._process is None or self._process.poll() is None:
            return
        raise JudgeSetupError(
            f"local:{self._file.name}: the server ended (exit code {self._process.returncode}): {self._last_words()}"
        )

    def end(self) -> None:
        """End it; it is not there afterwards."""
        process, self._process = self._process, None
        if process is None:
            return
        # It holds nothing that could be lost, and may be loading still.
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        if self._said is not None:
            self._said.close()
            self._said = None

    def _last_words(self) -> str:
        if self._said is None:
            return "it said nothing"
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        return " / ".join(lines[-_SHOWN_LINES:]) or "it said nothing"
