"""A RUN read back: its settings, its rows in order, one turn by its id or row."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stef.errors import InputError, RunExistsError
from stef.runs.folder import COMPLETE, read_run

_BATCH = 2_000


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
        return sorted((self.path / "turns").glob("part-*.parquet"))

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """All turns in the order of the input, with the named columns only; read batch by batch."""
        for part in self.parts():
            yield from self.part_rows(part, columns)

    def part_rows(self, part: Path, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        """The turns of one part. Raises InputError where the file cannot be read."""
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  heavy
        import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

        try:
            with pq.ParquetFile(part) as file:
                for batch in file.iter_batches(batch_size=_BATCH, columns=list(columns) if columns else None):
                    yield from batch.to_pylist()
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{part}: cannot be read: {str(error).splitlines()[0]}") from error

    def find(self, wanted: str) -> list[dict[str, Any]]:
        """The turns whose id is `wanted`; else the one with that row number.

        Raises InputError, with the nearest ids, where there is none.
        """
        found = self._matching("id = ?", wanted)
        if not found and wanted.lstrip("#").isdigit():
            found = self._matching("row = ?", int(wanted.lstrip("#")))
        if found:
            return found
        raise InputError(f"{self.path}: no turn {wanted!r}{self._nearest(wanted)}")

    def _matching(self, condition: str, value: str | int) -> list[dict[str, Any]]:
        return self.query(f"SELECT * FROM turns WHERE {condition} ORDER BY row LIMIT 100", [value])  # noqa: S608

    def query(self, sql: str, parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
        """The answer of a SELECT over the view `turns`, as records. Raises InputError where the RUN cannot be read."""
        import duckdb  # noqa: PLC0415  heavy

        if not self.parts():
            return []
        with duckdb.connect() as connection:
            try:
                connection.execute("SET TimeZone = 'UTC'")
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


def open_run(path: Path | str) -> Run:
    """The RUN at `path`. Raises InputError where there is none."""
    folder = Path(path)
    if not folder.exists():
        raise InputError(f"{folder}: no such RUN; stef score LOG -o {folder} makes one")
    if not (folder / "run.json").is_file():
        raise InputError(f"{folder}: no RUN (it holds no run.json); name the folder that stef score -o wrote")
    try:
        return Run(folder, read_run(folder))
    except RunExistsError as error:
        raise InputError(str(error)) from error
