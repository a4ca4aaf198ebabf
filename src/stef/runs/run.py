"""A RUN read back: its settings, its rows in order, one turn by its id or row."""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stef.errors import InputError, RunExistsError
from stef.runs.folder import COMPLETE, read_run

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

_BATCH, _LARGE_BATCH = 2_000, 65_536
_MOST_FOUND = 100
_LONGEST_NUMBER = 18
_FIND = "SELECT row FROM turns WHERE"


@dataclass(frozen=True, slots=True)
class Run:
    """A RUN folder that holds at least run.json. `about` is what that file says."""

    path: Path
    about: dict[str, Any]

    @property
    def complete(self) -> bool:
        """Whether all of the input is in it."""
        return self.about.get("state") == COMPLETE

    @property
    def settings(self) -> dict[str, Any]:
        """The settings it was made with."""
        settings: dict[str, Any] = self.about.get("settings", {})
        return settings

    def parts(self) -> list[Path]:
        """Its Parquet files, in the order of the input."""
        folder = "results" if self.gold else "turns"
        return sorted((self.path / folder).glob("part-*.parquet"))

    @property
    def gold(self) -> bool:
        """Whether it is a gold run: its rows compare turns with golds."""
        return self.settings.get("kind") == "gold"

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """All turns in the order of the input, with the named columns only; read batch by batch."""
        for part in self.parts():
            yield from self.part_rows(part, columns)

    def part_rows(self, part: Path, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """The turns of one part. Raises InputError where the file cannot be read."""
        for batch in _batches(part, columns, _BATCH):
            yield from batch.to_pylist()

    def batches(self, columns: Sequence[str]) -> Iterator["pa.RecordBatch"]:
        """All turns in the order of the input, with the named columns only, as Arrow.

        Raises InputError where a file cannot be read.
        """
        for part in self.parts():
            yield from _batches(part, columns, _LARGE_BATCH)

    def find(self, wanted: str) -> list[dict[str, Any]]:
        """The turns whose id is `wanted`; else the one with that row number.

        Raises InputError, with the nearest ids, where there is none.
        """
        rows = [one["row"] for one in self.query(f"{_FIND} id = ? ORDER BY row LIMIT {_MOST_FOUND}", [wanted])]
        number = wanted.removeprefix("#")
        if not rows and number.isascii() and number.isdigit() and len(number) < _LONGEST_NUMBER:
            rows = [int(number)]
        found = self._rows_numbered(rows)
        if found:
            return found
        raise InputError(f"{self.path}: no turn {wanted!r}{self._nearest(wanted)}")

    def _rows_numbered(self, numbers: Sequence[int]) -> list[dict[str, Any]]:
        """The whole rows with these numbers, in their order."""
        import pyarrow as pa  # noqa: PLC0415  heavy
        import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

        found: list[dict[str, Any]] = []
        for part in self.parts() if numbers else ():
            try:
                found += pq.read_table(part, filters=[("row", "in", list(numbers))]).to_pylist()
            except (pa.ArrowException, OSError) as error:
                raise InputError(f"{part}: cannot be read: {str(error).splitlines()[0]}") from error
        return found

    def query(self, sql: str, parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
        """The answer of a SELECT over the view `turns`, as records. Raises InputError where the RUN cannot be read."""
        import duckdb  # noqa: PLC0415  heavy

        if not self.parts():
            return []
        # No extension is fetched from anywhere, and nothing is spilled into the user's folder.
        config: dict[str, str | bool | int | float | list[str]] = {
            "autoinstall_known_extensions": False,
            "temp_directory": tempfile.gettempdir(),
        }
        with duckdb.connect(config=config) as connection:
            try:
                files = connection.read_parquet([str(part) for part in self.parts()])
                files.create_view("turns")
                answer = connection.execute(sql, list(parameters))
                names = [column[0] for column in answer.description or ()]
                return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]
            except duckdb.Error as error:
                raise InputError(f"{self.path}: cannot be read: {str(error).splitlines()[0]}") from error

    def _nearest(self, wanted: str) -> str:
        from rapidfuzz import process  # noqa: PLC0415  only for the message

        ids = [row["id"] for row in self.query("SELECT DISTINCT id FROM turns ORDER BY id LIMIT 100000")]
        if not ids:
            return "; the RUN holds no turns"
        hits = process.extract(wanted, ids, limit=3, score_cutoff=60)
        some = [hit for hit, _, _ in hits] or ids[:3]
        last = self.query("SELECT max(row) AS row FROM turns")[0]["row"]
        return f"; {'near it are' if hits else 'there are'} {', '.join(some)}, and rows 0 to {last}"


def _batches(part: Path, columns: Sequence[str] | None, size: int) -> Iterator["pa.RecordBatch"]:
    import pyarrow as pa  # noqa: PLC0415  heavy
    import pyarrow.parquet as pq  # noqa: PLC0415  heavy

    try:
        with pq.ParquetFile(part) as file:
            yield from file.iter_batches(batch_size=size, columns=list(columns) if columns else None)
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{part}: cannot be read: {str(error).splitlines()[0]}") from error


def open_run(path: Path | str) -> Run:
    """The RUN at `path`. Raises InputError where there is none, and for a gold run."""
    run = open_any_run(path)
    if run.settings.get("kind") == "verify":
        raise InputError(f"{path}: this RUN was made by stef verify; its checks/ can be read with DuckDB or pandas")
    if run.gold:
        raise InputError(
            f"{path}: this is a gold run: stef gold explain and stef gold rescore read it; "
            f"stef score {path} -o RUN scores its turns without gold"
        )
    return run


def open_gold_run(path: Path | str) -> Run:
    """The gold RUN at `path`. Raises InputError where there is none."""
    run = open_any_run(path)
    if not run.gold:
        raise InputError(f"{path}: this RUN was made by stef score, without golds; stef gold run makes a gold run")
    return run


def open_any_run(path: Path | str) -> Run:
    """The RUN at `path`, of whatever kind. Raises InputError where there is none."""
    folder = Path(path)
    if not folder.exists():
        raise InputError(f"{folder}: no such RUN; stef score LOG -o {folder} makes one, stef gold run one with golds")
    if not (folder / "run.json").is_file():
        raise InputError(f"{folder}: no RUN (it holds no run.json); name the folder that stef score -o wrote")
    try:
        return Run(folder, read_run(folder))
    except RunExistsError as error:
        raise InputError(str(error)) from error
