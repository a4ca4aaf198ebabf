"""The RUN folder: what is in it, and how it is written so that a stop at any moment loses nothing that was finished."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stef.errors import RunExistsError, UserError
from stef.runs.columns import schema
from stef.runs.remote import is_uri

PART_ROWS = 5_000
"""Input rows of one part: part k holds those from k × PART_ROWS on."""

RUNNING, COMPLETE = "running", "complete"


class RunFolder:
    """A RUN to be written with `settings`: new, unfinished, or complete.

    Raises RunExistsError where the folder holds a run with other settings, or something else; nothing is written then.
    """

    PARTS = "turns"
    """The folder of its Parquet."""
    OURS = frozenset(
        {
            "run.json",
            "turns",
            "calls.jsonl",
            ".lock",
            *(f"kept.sqlite{end}" for end in ("", "-wal", "-shm", "-journal")),
        }
    )
    """What may lie in it."""

    def __init__(self, path: Path, settings: Mapping[str, Any], *, may_grow: bool = False) -> None:
        """`may_grow`: a RUN goes on, a complete one too, where there are more inputs behind those it was made of."""
        refuse_uri(path)
        self.path = path
        self.parts = path / self.PARTS
        self.settings = dict(settings)
        self.run: dict[str, Any] = {}
        self._may_grow = may_grow
        self._grown = False
        if (path / "run.json").exists():
            self.run = read_run(path)
            self._refuse_other_settings()
        else:
            self._refuse_foreign()

    @property
    def complete(self) -> bool:
        """Whether the run is finished."""
        return self.run.get("state") == COMPLETE and not self._grown

    def part(self, number: int) -> Path:
        """Where part `number` lies, or will."""
        return self.parts / f"part-{number:05d}.parquet"

    def make(self) -> None:
        """Make the folder, where there is none yet."""
        self.parts.mkdir(parents=True, exist_ok=True)
        if not self.run:
            self.save(RUNNING, {})

    def grow(self) -> None:
        """Take in that there are more inputs now: the last part, which may not be full, is to be written anew.

        It is called with the folder locked. A stop at any moment leaves an unfinished RUN, of the old inputs or of the
        new ones.
        """
        if not self._grown:
            return
        settings = self.settings
        self.settings = self.run["settings"]
        self.save(RUNNING, {})
        for last in sorted(self.parts.glob("part-*.parquet"))[-1:]:
            last.unlink()
            sync_folder(self.parts)
        self.settings = settings
        self.save(RUNNING, {})
        self._grown = False

    def _refuse_other_settings(self) -> None:
        old = self.run.get("settings", {})
        before, now = old.get("inputs") or [], json.loads(json.dumps(self.settings.get("inputs") or []))
        if self._may_grow and len(now) > len(before) and now[: len(before)] == before:
            self._grown = True
            old = {**old, "inputs": now}
        differences = list(_differences(old, self.settings))
        if differences:
            raise RunExistsError(
                f"{self.path}: this RUN was made with other settings: {'; '.join(differences[:6])}. "
                "Give -o another folder, or use the settings of this one"
            )

    def _refuse_foreign(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise RunExistsError(f"{self.path}: there is a file of this name; give -o a new folder")
        entries = sorted(entry.name for entry in self.path.iterdir()) if self.path.exists() else []
        # A kill between making the folder and writing run.json leaves an empty folder of parts.
        held = any(self.parts.iterdir()) if self.parts.is_dir() else False
        foreign = [name for name in entries if name not in self.OURS]
        if foreign or held:
            names = ", ".join((foreign or [self.PARTS])[:3])
            raise RunExistsError(f"{self.path}: the folder is not empty ({names}) and is no RUN; nothing was written")

    def save(self, state: str, facts: Mapping[str, Any]) -> None:
        """Write run.json whole: the state, the settings, and `facts` (counts, cost, what mapping noted)."""
        self.run = {"stef_run": 1, "state": state, "settings": self.settings, **facts}
        text = json.dumps(self.run, indent=2, ensure_ascii=False, default=str) + "\n"
        write_whole(self.path / "run.json", text.encode())

    def write_part(self, number: int, rows: list[dict[str, Any]]) -> None:
        """Write one part, whole or not at all. `rows` hold columns by name; what a row lacks is NULL."""
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

        self.write_table(number, pa.Table.from_pylist(rows, schema=self.schema()))

    def write_table(self, number: int, table: Any) -> None:
        """Write one part, whole or not at all, from an Arrow table of its schema."""
        import pyarrow as pa  # noqa: PLC0415  heavy
        import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd")
        write_whole(self.part(number), sink.getvalue())

    def schema(self) -> Any:
        """The Arrow schema of its Parquet."""
        return schema()

    def left_over(self) -> list[Path]:
        """Files that a kill left unfinished."""
        return list(self.parts.glob(".part-*.tmp"))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder for this process alone. Raises RunExistsError where another holds it."""
        try:
            import fcntl  # noqa: PLC0415  not on Windows
        except ImportError:
            yield
            return
        with (self.path / ".lock").open("w") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RunExistsError(
                    f"{self.path}: another stef is writing this RUN; wait, or give -o a new one"
                ) from error
            for left_over in self.left_over():
                left_over.unlink(missing_ok=True)
            try:
                yield
            finally:
                (self.path / ".lock").unlink(missing_ok=True)


def refuse_uri(path: Path) -> None:
    """Raise UserError where the RUN is to lie in an object store: it is written, locked and renamed as files are."""
    if is_uri(str(path)) and not path.exists():
        raise UserError(
            f"{path}: a RUN lies in a folder of a file system, as it is locked, and its parts are renamed into place; "
            "write it there, and copy it once it is complete, or mount the store"
        )


def write_whole(path: Path, content: Any) -> None:
    """Write `content` to `path` so that the file is there whole, or as it was before, even after a power cut."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Let the names of the files in `folder` survive a power cut, where the system has a way."""
    if hasattr(os, "O_DIRECTORY"):
        directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def read_run(path: Path) -> dict[str, Any]:
    """What run.json says. Raises RunExistsError where it cannot be read, so that nothing is overwritten."""
    try:
        run = json.loads((path / "run.json").read_bytes())
    except (OSError, ValueError) as error:
        raise RunExistsError(f"{path / 'run.json'}: cannot be read: {error}") from error
    if not isinstance(run, dict) or "stef_run" not in run:
        raise RunExistsError(f"{path / 'run.json'}: not written by stef; give -o a new folder")
    return run


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[str]:
    """What differs, in words; nested settings by their path."""
    # As JSON would bring it back: tuples are lists there.
    fresh = json.loads(json.dumps(new, default=str))
    yield from _other_inputs(old.get("inputs") or [], fresh.get("inputs") or [])
    for name in dict.fromkeys([*old, *fresh]):
        if name != "inputs":
            yield from _unequal(old.get(name), fresh.get(name), "" if name == "evaluation" else name)


def _other_inputs(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Iterable[str]:
    before, now = [one.get("name") for one in old], [one.get("name") for one in new]
    if before != now:
        yield f"the log was {_brief(before)}, now {_brief(now)}"
        return
    for one, other in zip(old, new, strict=True):
        if one != other:
            yield f"{one.get('name')} has changed since ({one.get('size'):,} bytes then, {other.get('size'):,} now)"


def _unequal(old: Any, new: Any, where: str) -> Iterable[str]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _unequal(old.get(key), new.get(key), f"{where}.{key}" if where else key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _unequal(before, after, f"{where}[{index}]")
    else:
        yield f"{where} was {_brief(old)}, now {_brief(new)}"


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"
