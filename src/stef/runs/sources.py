"""The files that the arguments of a command name: paths, folders, globs, and `-` for standard input."""

import glob
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from stef.errors import InputError

STDIN = "-"
COMPRESSED = (".gz", ".bz2", ".xz")
FORMATS = {
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_HEAD = 1 << 20


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read. `name` is what places and messages call it: its file name, or `stdin`."""

    path: Path
    name: str

    @property
    def shown(self) -> str:
        """The source as messages name it."""
        return self.name if self.name == "stdin" else str(self.path)

    def fingerprint(self) -> dict[str, str | int]:
        """Name, size in bytes and SHA-256 of the first and last MiB: what tells one input from another."""
        size = self.path.stat().st_size
        digest = hashlib.sha256()
        with self.path.open("rb") as file:
            digest.update(file.read(_HEAD))
            if size > 2 * _HEAD:
                file.seek(-_HEAD, 2)
            digest.update(file.read(_HEAD))
        return {"name": self.name, "size": size, "sha256": digest.hexdigest()}


@contextmanager
def find_sources(arguments: Iterable[str]) -> Iterator[list[Source]]:
    """The sources that `arguments` name, in order; files of a folder or glob by name.

    Standard input and named pipes are copied to temporary files, so that they can be recognised when a run goes on;
    the files are gone when the context ends. A RUN inside a folder is passed over; a gold RUN itself is a log of the
    turns that it compared. Raises InputError for what is
    missing, is no log, or holds no log.
    """
    with tempfile.TemporaryDirectory(prefix="stef-") as spool:
        found: list[Source] = []
        for argument in arguments:
            found.extend([_stdin(Path(spool))] if argument == STDIN else _files(argument))
        if not found:
            raise InputError("no log given; name a file, a folder, a glob, or - for standard input")
        yield list(dict.fromkeys(_spooled(source, Path(spool)) for source in found))


def _stdin(spool: Path) -> Source:
    path = spool / "stdin"
    if not path.exists():
        _copy(sys.stdin.buffer, path)
    return Source(path, "stdin")


def _spooled(source: Source, spool: Path) -> Source:
    """A pipe with a name can be read only once, so it is copied too."""
    if source.path.is_file():
        return source
    copy = spool / f"pipe-{source.name}"
    if not copy.exists():
        with source.path.open("rb") as pipe:
            _copy(pipe, copy)
    return Source(copy, source.name)


def _copy(file: BinaryIO, path: Path) -> None:
    with path.open("wb") as copy:
        shutil.copyfileobj(file, copy, _HEAD)


def _files(argument: str) -> list[Source]:
    path = Path(argument)
    if path.is_dir():
        return _folder(path)
    if path.exists():
        return [Source(path, path.name)]
    if glob.has_magic(argument):
        found = sorted(glob.glob(argument, recursive=True))  # noqa: PTH207  Path.glob takes no absolute pattern
        sources = [source for name in found for source in _files(name)]
        if sources:
            return sources
        raise InputError(f"{argument}: no file matches")
    raise InputError(f"{argument}: no such file{_nearest(path)}")


def _folder(path: Path) -> list[Source]:
    if (path / "run.json").is_file() and (path / "results").is_dir():
        # A gold run holds the turns that it compared.
        return [Source(part, part.name) for part in sorted((path / "results").glob("part-*.parquet"))]
    if (path / "run.json").is_file():
        raise InputError(f"{path}: this folder is a RUN that stef wrote, not a log; to see it: stef explain {path} ID")
    runs = {run.parent for run in path.rglob("run.json")}
    candidates = (file for file in path.rglob("*") if _is_log(file.relative_to(path)) and file.is_file())
    found = sorted(file for file in candidates if runs.isdisjoint(file.parents))
    if not found:
        known = ", ".join(FORMATS)
        raise InputError(f"{path}: the folder holds no log ({known}, each also .gz); name the file itself to read it")
    return [Source(file, str(file.relative_to(path))) for file in found]


def _is_log(path: Path) -> bool:
    if any(part.startswith((".", "_")) for part in path.parts):
        return False
    return extension(path.name) in FORMATS


def extension(name: str) -> str:
    """The last extension of a file name in lower case, leaving out one that names a compression."""
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    if suffixes and suffixes[-1] in COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _nearest(path: Path) -> str:
    from rapidfuzz import process  # noqa: PLC0415  only for the message

    parent = path.parent if path.parent.is_dir() else None
    names = [entry.name for entry in parent.iterdir()] if parent else []
    hits = process.extract(path.name, names, limit=3, score_cutoff=70)
    return f"; did you mean {' or '.join(str(path.parent / name) for name, _, _ in hits)}?" if hits else ""
