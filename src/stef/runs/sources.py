"""What the arguments of a command name: paths, folders, globs, URIs, Iceberg tables, and `-` for standard input."""

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

from stef.databases.urls import safe_url
from stef.errors import InputError
from stef.runs.iceberg import IcebergTable, is_table, table_of
from stef.runs.remote import RemoteFile, is_uri, remote_files

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
    """One file or table to read. `name` is what places and messages call it: its file name, or `stdin`.

    `copied`: the path is a copy's, of what can be read only once.
    """

    path: Path | RemoteFile | IcebergTable
    name: str
    copied: bool = False

    @property
    def shown(self) -> str:
        """The source as messages name it."""
        return self.name if self.copied else str(self.path)

    @property
    def table(self) -> IcebergTable | None:
        """The table, where it is one: it has rows, but no bytes."""
        return self.path if isinstance(self.path, IcebergTable) else None

    def open(self) -> BinaryIO:
        """The bytes of the file. Raises OSError."""
        if isinstance(self.path, IcebergTable):
            raise TypeError("a table has no bytes")
        return self.path.open() if isinstance(self.path, RemoteFile) else self.path.open("rb")

    def size(self) -> int:
        """How many bytes it has. Raises OSError."""
        return self.path.stat().st_size if isinstance(self.path, Path) else self.path.size()

    def changed(self) -> float:
        """When it was written last, in seconds since 1970. Raises OSError."""
        return self.path.stat().st_mtime if isinstance(self.path, Path) else self.path.changed()

    def fingerprint(self) -> dict[str, str | int]:
        """Name, size in bytes and SHA-256 of the first and last MiB: what tells one input from another.

        Of a table its snapshot.
        """
        size = self.size()
        if isinstance(self.path, IcebergTable):
            return {"name": self.name, "size": size, "snapshot": self.path.snapshot}
        digest = hashlib.sha256()
        with self.open() as file:
            digest.update(file.read(_HEAD))
            if size > 2 * _HEAD:
                file.seek(-_HEAD, 2)
            digest.update(file.read(_HEAD))
        return {"name": self.name, "size": size, "sha256": digest.hexdigest()}


def logs_shown(arguments: Iterable[str]) -> list[str]:
    """The arguments as a RUN keeps them: from wherever they are read, and without a secret."""
    return [_shown(argument) for argument in arguments]


def _shown(argument: str) -> str:
    if argument == STDIN or is_table(argument):
        return argument
    return safe_url(argument) if is_uri(argument) else str(Path(argument).absolute())


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
    return Source(path, "stdin", copied=True)


def _spooled(source: Source, spool: Path) -> Source:
    """A pipe with a name can be read only once, so it is copied too."""
    if not isinstance(source.path, Path) or source.path.is_file():
        return source
    copy = spool / f"pipe-{source.name}"
    if not copy.exists():
        with source.path.open("rb") as pipe:
            _copy(pipe, copy)
    return Source(copy, source.name, copied=True)


def _copy(file: BinaryIO, path: Path) -> None:
    with path.open("wb") as copy:
        shutil.copyfileobj(file, copy, _HEAD)


def _files(argument: str) -> list[Source]:
    if is_table(argument):
        table = table_of(argument)
        return [Source(table, str(table))]
    if is_uri(argument) and not Path(argument).exists():
        return _remote(argument)
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


def _remote(argument: str) -> list[Source]:
    files = [Source(file, name) for file, name in remote_files(argument)]
    if len(files) == 1:
        return files
    logs = [source for source in files if _is_log(Path(source.name))]
    if not logs:
        raise _no_log(safe_url(argument))
    return logs


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
        raise _no_log(str(path))
    return [Source(file, str(file.relative_to(path))) for file in found]


def _no_log(folder: str) -> InputError:
    known = ", ".join(FORMATS)
    return InputError(f"{folder}: the folder holds no log ({known}, each also .gz); name the file itself to read it")


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
