"""The files that a gold set is given as: paths, folders and globs."""

import glob
from collections.abc import Iterable
from pathlib import Path

from stef.errors import InputError

READABLE = (".yaml", ".yml", ".jsonl", ".ndjson", ".json", ".csv")
_MAX_BYTES = 256_000_000


def case_files(paths: Iterable[str | Path]) -> tuple[tuple[Path, bool], ...]:
    """Each file once, in the order given, with whether it was named itself (not found in a folder or by a glob).

    Raises InputError for a path that leads to no file, and for a named file of another kind.
    """
    found: dict[Path, bool] = {}
    for path in paths:
        for file, named in _expand(path):
            found[file] = named or found.get(file, False)
    if not found:
        raise InputError("no cases: name a file, a folder or a glob")
    return tuple(found.items())


def read_text(path: Path) -> str:
    """The text of a file; a byte-order mark is taken off. Raises InputError where it cannot be read as UTF-8."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise InputError(f"{path}: larger than {_MAX_BYTES:,} bytes; split the set into several files")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error


def _expand(path: str | Path) -> list[tuple[Path, bool]]:
    plain = Path(path)
    if plain.is_dir():
        files = sorted(file for file in plain.rglob("*") if _holds_cases(file, plain))
        if not files:
            raise InputError(f"{path}: the folder holds none of {', '.join(READABLE)}")
        return [(file, False) for file in files]
    if plain.is_file():
        if plain.suffix.lower() not in READABLE:
            raise InputError(f"{path}: {plain.suffix or 'no ending'} is not read; cases are {', '.join(READABLE)}")
        return [(plain, True)]
    matches = sorted(Path(match) for match in glob.glob(str(path), recursive=True))  # noqa: PTH207  # may be absolute
    files = [match for match in matches if match.is_file() and match.suffix.lower() in READABLE]
    if files:
        return [(file, False) for file in files]
    raise InputError(f"{path}: there is no such file" + (" that cases are read from" if matches else ""))


def _holds_cases(file: Path, folder: Path) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return file.suffix.lower() in READABLE and not hidden and file.is_file()
