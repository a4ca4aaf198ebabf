"""Iceberg tables as logs: the rows of one snapshot, always in the same order. It alone knows pyiceberg."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from stef.errors import InputError, StefError, UserError

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

_SCHEME: Final = "iceberg:"


@dataclass(frozen=True, slots=True)
class IcebergTable:
    """The rows of a table as they were in `snapshot`. `catalog` is what pyiceberg knows its catalog by."""

    catalog: str
    name: str
    snapshot: int

    def __str__(self) -> str:
        return f"{_SCHEME}{self.catalog}.{self.name}"

    def size(self) -> int:
        """Bytes of its data files."""
        return sum(int(task.file.file_size_in_bytes) for task in _opened(self).tasks)

    def changed(self) -> float:
        """When the snapshot was made, in seconds since 1970."""
        return float(_opened(self).made) / 1000

    def rows(self) -> int:
        """How many rows there are."""
        return sum(_counts(self))

    def batches(self, first: int = 0, count: int | None = None) -> "Iterator[pa.RecordBatch]":
        """`count` rows (None: all) from `first` on, in batches. Data files that hold none of them are not read."""
        counts = _counts(self)
        left = sum(counts) - first if count is None else count
        for at, rows in enumerate(counts):
            if first >= rows:
                first -= rows
                continue
            for batch in _read(self, at):
                if left <= 0:
                    return
                some = batch.slice(first, left)
                first = max(0, first - batch.num_rows)
                left -= some.num_rows
                yield some


def is_table(argument: str) -> bool:
    """Whether an argument names a table."""
    return argument.startswith(_SCHEME)


def table_of(argument: str) -> IcebergTable:
    """The table that `iceberg:CATALOG.NAMESPACE.TABLE` names, as it is now, or `…@SNAPSHOT` as it was then.

    Raises UserError where pyiceberg is missing or the argument is none, InputError where there is no such table.
    """
    named, _, snapshot = argument.removeprefix(_SCHEME).partition("@")
    catalog, _, name = named.partition(".")
    if "." not in name or (snapshot and not snapshot.isdigit()):
        raise UserError(f"{argument}: write a table as {_SCHEME}CATALOG.NAMESPACE.TABLE, or with @SNAPSHOT behind it")
    table = _table(catalog, name)
    found = table.snapshot_by_id(int(snapshot)) if snapshot else table.current_snapshot()
    if found is None:
        raise InputError(f"{argument}: {'no such snapshot' if snapshot else 'the table holds no rows yet'}")
    return IcebergTable(catalog, name, int(found.snapshot_id))


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """A snapshot as pyiceberg reads it: its data files in the order in which they were committed."""

    table: Any
    scan: Any
    tasks: tuple[Any, ...]
    made: int


@lru_cache(maxsize=16)
def _opened(asked: IcebergTable) -> _Snapshot:
    table = _table(asked.catalog, asked.name)
    with _named(str(asked)):
        snapshot = table.snapshot_by_id(asked.snapshot)
        if snapshot is None:
            raise InputError(f"{asked}: the snapshot {asked.snapshot} has expired")
        scan = table.scan(snapshot_id=asked.snapshot)
        committed = {
            entry.data_file.file_path: entry.sequence_number or 0
            for manifest in snapshot.manifests(table.io)
            for entry in manifest.fetch_manifest_entry(table.io)
        }
        # A plan comes in no promised order; by commit and path it is the same wherever it is made.
        tasks = sorted(scan.plan_files(), key=lambda task: (committed[task.file.file_path], task.file.file_path))
    return _Snapshot(table, scan, tuple(tasks), int(snapshot.timestamp_ms))


@lru_cache(maxsize=16)
def _counts(asked: IcebergTable) -> tuple[int, ...]:
    """The rows of each data file, without those that were deleted since."""
    tasks = _opened(asked).tasks
    return tuple(
        sum(batch.num_rows for batch in _read(asked, at)) if task.delete_files else int(task.file.record_count)
        for at, task in enumerate(tasks)
    )


@lru_cache(maxsize=1)
def _read(asked: IcebergTable, at: int) -> "tuple[pa.RecordBatch, ...]":
    """The rows of a data file, all at once as pyiceberg reads them; the next part mostly wants the same file."""
    from pyiceberg.io.pyarrow import ArrowScan  # noqa: PLC0415  heavy

    opened = _opened(asked)
    with _named(str(asked)):
        scan = ArrowScan(opened.table.metadata, opened.table.io, opened.scan.projection(), opened.scan.row_filter)
        return tuple(scan.to_record_batches([opened.tasks[at]]))


def _table(catalog: str, name: str) -> Any:
    shown = f"{_SCHEME}{catalog}.{name}"
    try:
        from pyiceberg.catalog import load_catalog  # noqa: PLC0415  heavy, and not always there
    except ImportError as error:
        raise UserError(f"{shown}: an Iceberg table needs pyiceberg ({error}): pip install 'stef[iceberg]'") from error
    with _named(shown):
        return load_catalog(catalog).load_table(name)


@contextmanager
def _named(shown: str) -> Iterator[None]:
    """Whatever goes wrong in a catalog or a store as an InputError: each has errors of its own, without a base."""
    try:
        yield
    except StefError:
        raise
    except Exception as error:
        raise InputError(
            f"{shown}: cannot be read: {(str(error).splitlines() or [type(error).__name__])[0]}"
        ) from error
