"""Where a report goes: written whole or not at all, and never over a file that is not a report of stef's."""

from pathlib import Path

from stef.errors import UserError
from stef.runs.folder import write_whole

_HEAD = 2_000


def check_output(path: Path, option: str, marker: str, what: str = "report") -> None:
    """Raise UserError where `what` cannot go to `path`: a folder, no folder to lie in, another file's place.

    `marker` stands near the beginning of every file of the kind.
    """
    if path.is_dir():
        raise UserError(f"{option} {path}: this is a folder; name a file in it")
    if not path.parent.is_dir():
        raise UserError(f"{option} {path}: there is no folder {path.parent}; make it first")
    if path.is_file():
        try:
            with path.open("rb") as file:
                head = file.read(_HEAD)
        except OSError as error:
            raise UserError(f"{option} {path}: cannot be read: {error.strerror}") from error
        if head and marker.encode() not in head:
            raise UserError(f"{option} {path}: this file is no {what} of stef's; it is left alone. Name another")


def write_output(path: Path, option: str, text: str) -> None:
    """Write the report. Raises UserError where that is not allowed."""
    content = text.encode("utf-8", "replace")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        else:
            write_whole(path, content)
    except OSError as error:
        raise UserError(f"{option} {path}: cannot be written: {error.strerror}") from error
