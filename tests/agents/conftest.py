"""What the tests of agents share."""

from collections.abc import Callable
from pathlib import Path

import pytest

Describe = Callable[..., Path]


@pytest.fixture
def describe(tmp_path: Path) -> Describe:
    """Writes an agent's file; what is not given is filled in so that it is whole."""

    def write(text: str = "", *, url: str | None = None, name: str = "agent.yaml") -> Path:
        path = tmp_path / name
        lines = [text]
        if url is not None:
            lines.append(f"url: {url}")
            if "request:" not in text and "params:" not in text:
                lines.append('request: {question: "{question}"}')
        path.write_text("\n".join(lines), "utf-8")
        return path

    return write


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a shell script that may be run."""

    def write(body: str, name: str = "ask.sh") -> Path:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        path.chmod(0o755)
        return path

    return write
