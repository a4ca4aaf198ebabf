"""Logs in an object store, or any other file system that pyarrow opens by a URI."""

import io
import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast

from stef.databases.urls import safe_url
from stef.errors import InputError

if TYPE_CHECKING:
    from pyarrow import fs as arrow  # type: ignore[import-untyped]

_URI: Final = re.compile(r"[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
_MAGIC: Final = re.compile(r"[*\[]")
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file. `uri` opens its file system, and may hold a secret; `path` is where it lies in it."""

    uri: str = field(repr=False)
    path: str

    def __str__(self) -> str:
        return f"{self.uri.partition(':')[0]}://{self.path}"

    def open(self) -> BinaryIO:
        """Its bytes. Raises OSError."""
        raw = _opened(self.uri)[0].open_input_file(self.path)
        return cast("BinaryIO", io.BufferedReader(raw, _BLOCK))

    def size(self) -> int:
        """Its size in bytes. Raises OSError."""
        return int(self._info().size)

    def changed(self) -> float:
        """When it was written last, in seconds since 1970. Raises OSError."""
        return float(self._info().mtime_ns or 0) / 1e9

    def _info(self) -> "arrow.FileInfo":
        return _opened(self.uri)[0].get_file_info(self.path)


def is_uri(argument: str) -> bool:
    """Whether an argument names a file by a URI (`s3://…`), in place of a path; `Path` makes one slash of two."""
    return bool(_URI.match(argument))


def remote_files(argument: str) -> list[tuple[RemoteFile, str]]:
    """The files that a URI names, by path, with their names: one file, a folder's, or those that fit a pattern.

    In a pattern `*` and `[…]` stand for a part of a name and `**` for folders. Raises InputError where there is none,
    and where the file system cannot be opened.
    """
    address, mark, query = argument.partition("?")
    root, pattern = _split(address)
    uri = root + mark + query
    shown = safe_url(argument)
    try:
        found = _found(uri, pattern)
    except ImportError as error:
        raise InputError(f"{shown}: {error}") from error
    except OSError as error:
        raise InputError(f"{shown}: cannot be read: {(str(error).splitlines() or [''])[0]}") from error
    except ValueError:
        # Its message repeats the URI, and a URI may hold a secret.
        known = "s3://, gs://, abfs://, hdfs:// and file://, with what is special in a name written as %20"
        raise InputError(f"{shown}: no URI that can be read: pyarrow opens {known}") from None
    if not found:
        raise InputError(f"{shown}: {'no file matches' if pattern else 'no such file'}")
    return found


def _split(address: str) -> tuple[str, list[str]]:
    """The folder that a pattern starts from, and the pattern's parts; none for a plain address."""
    parts = address.split("/")
    first = next((at for at, part in enumerate(parts) if _MAGIC.search(part)), len(parts))
    return "/".join(parts[:first]), parts[first:]


def _found(uri: str, pattern: list[str]) -> list[tuple[RemoteFile, str]]:
    from pyarrow import fs as arrow  # noqa: PLC0415  heavy

    system, root = _opened(uri)
    info = system.get_file_info(root)
    if not pattern and info.type == arrow.FileType.File:
        return [(RemoteFile(uri, root), info.base_name)]
    if info.type == arrow.FileType.NotFound:
        return []
    deep = len(pattern) != 1 or "**" in pattern
    inside = system.get_file_info(arrow.FileSelector(root, recursive=deep))
    files = sorted(one.path for one in inside if one.type == arrow.FileType.File)
    start = root.rstrip("/") + "/"
    named = ((path, path.removeprefix(start).split("/")) for path in files)
    if pattern:
        return [(RemoteFile(uri, path), parts[-1]) for path, parts in named if _fits(parts, pattern)]
    return [(RemoteFile(uri, path), "/".join(parts)) for path, parts in named]


def _fits(parts: list[str], pattern: list[str]) -> bool:
    """Whether the parts of a path fit those of a pattern; a hidden name only fits one that begins with a dot."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_fits(parts[at:], pattern[1:]) for at in range(len(parts) + 1))
    if not parts or (parts[0].startswith(".") and not pattern[0].startswith(".")):
        return False
    return fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])


@lru_cache(maxsize=64)
def _opened(uri: str) -> tuple[Any, str]:
    from pyarrow import fs as arrow  # noqa: PLC0415  heavy

    system, path = arrow.FileSystem.from_uri(uri)
    return system, path
