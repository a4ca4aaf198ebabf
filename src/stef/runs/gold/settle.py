"""The one cause of a failure that only a whole run shows: a field that is empty on every turn that should have it."""

from dataclasses import replace
from pathlib import Path

from stef.gold.reading import settled
from stef.records.gold import Bucket
from stef.runs.gold.columns import COLUMNS
from stef.runs.gold.folder import GoldFolder
from stef.runs.gold.record import record_to_json
from stef.runs.gold.summary import record_of, report_rows
from stef.runs.run import Run


def settle_causes(folder: GoldFolder) -> None:
    """Write the cause `empty_extractor` into the parts of a run whose turns are all there; the others stay untouched.

    Doing it twice changes nothing more.
    """
    run = Run(folder.path, folder.run)
    before = list(report_rows(run))
    after, _ = settled(before)
    numbers = [row["row"] for row in run.rows(("row",))]
    moved = {
        number: new.report.bucket
        for number, old, new in zip(numbers, before, after, strict=True)
        if new.report.bucket is not old.report.bucket
    }
    for part in run.parts() if moved else ():
        _rewrite(run, part, folder, moved)


def _rewrite(run: Run, part: Path, folder: GoldFolder, moved: dict[int, Bucket | None]) -> None:
    rows = list(run.part_rows(part, tuple(COLUMNS)))
    if not any(row["row"] in moved for row in rows):
        return
    for row in rows:
        bucket = moved.get(row["row"])
        if bucket is not None:
            record = record_of(run, row)
            row["bucket"] = bucket.value
            row["record"] = record_to_json(replace(record, report=replace(record.report, bucket=bucket)))
    folder.write_part(int(part.stem.rpartition("-")[2]), rows)
