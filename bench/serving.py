"""The test judge in a process of its own, for the scripts beside this one."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

STEF = [sys.executable, "-c", "from stef.cli.app import main; main()"]


@dataclass(frozen=True)
class Server:
    """Where it listens."""

    port: int

    @property
    def judge(self) -> list[str]:
        """The options of `stef score` that name it."""
        return ["--judge", "openai:test", "--base-url", f"http://127.0.0.1:{self.port}/v1"]

    def get(self, what: str) -> dict[str, Any]:
        """What it says to `/stats`; `/down` and `/up` switch it off and on."""
        with urlopen(f"http://127.0.0.1:{self.port}/{what}") as reply:
            document: dict[str, Any] = json.load(reply)
            return document


@contextmanager
def serving(*options: object) -> Iterator[Server]:
    """A server with these options, until the context ends."""
    script = Path(__file__).with_name("judge_server.py")
    process = subprocess.Popen(
        [sys.executable, str(script), *map(str, options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Server(int(process.stdout.readline()))
    finally:
        process.stdin.close()
        process.wait()
