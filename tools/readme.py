"""Put the real output under every command that the README shows: `make readme`.

A block that is fenced as `console` is run anew: each of its lines that starts with `$ ` is a command, and the lines
after it are replaced by what it prints. The commands of a page run in a throw-away folder that holds a copy of
`examples/`.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPO = Path(__file__).parents[1]
BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
PORT = "8765"
BUG = "this is a bug in stef"


def fresh(block: re.Match[str], home: Path, environment: dict[str, str]) -> str:
    """The block with what its commands print now."""
    lines: list[str] = []
    for line in block.group().splitlines():
        if line.startswith("$ "):
            done = subprocess.run(
                ["bash", "-c", line[2:]],
                cwd=home,
                env=environment,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            if BUG in done.stdout:
                raise SystemExit(f"{line}\n{done.stdout}")
            shown = [text.rstrip() for text in done.stdout.strip("\n").splitlines()]
            lines += [line, *shown]
    return "\n".join(lines) + "\n"


def renew(page: Path, environment: dict[str, str]) -> None:
    """Rewrite a page. It begins with nothing, as its reader does; what a judge said the last time is in no cache."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(REPO / "examples", home / "examples")
        own = {**environment, "XDG_CACHE_HOME": str(home / ".cache")}
        text = page.read_text("utf-8")
        page.write_text(BLOCK.sub(lambda block: fresh(block, home, own), text), "utf-8")


def main(paths: list[str]) -> None:
    """Rewrite the files in place."""
    environment = dict(os.environ, COLUMNS="116", PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    environment |= {"OPENAI_API_KEY": "none", "NO_COLOR": "1"}
    server = subprocess.Popen([sys.executable, REPO / "examples" / "judge_server.py", PORT])
    try:
        for name in paths:
            renew(REPO / name, environment)
    finally:
        server.terminate()


if __name__ == "__main__":
    main(sys.argv[1:] or ["README.md"])
