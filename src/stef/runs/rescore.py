"""A RUN under other weights: its Assessments composed anew, without reading the log or asking a judge again."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from stef.errors import InputError
from stef.records.assessment import Assessment, Scored
from stef.records.serialise import assessment_from_json
from stef.rules import RuleBook, rules_hash
from stef.runs.columns import assessment_columns
from stef.runs.folder import COMPLETE, RunFolder
from stef.runs.run import Run, open_run
from stef.runs.score import Finished
from stef.score import compose


def rescore_run(run: Run, book: RuleBook, out: Path) -> Finished:
    """Write to `out` what `run` holds, with scores by the `scoring` of the rules in `book`; `run` stays as it is.

    Only weights change: the alignment and the verdicts are those of `run`. Raises InputError for a RUN that is not
    finished or cannot be read, RunExistsError for an `out` that holds something else.
    """
    if not run.complete:
        raise InputError(f"{run.path}: this RUN is not finished; finish it with the same stef score first")
    weights = {rules.app or "default": rules_hash(rules) for rules in book.all()}
    folder = RunFolder(out, {**run.settings, "rescored": weights})
    if folder.complete:
        return Finished(open_run(out), already=True)
    folder.make()
    with folder.locked():
        for part in run.parts():
            number = int(part.stem.rpartition("-")[2])
            if not folder.part(number).exists():
                folder.write_part(number, [_rescored(row, book, run.path) for row in run.part_rows(part)])
        facts = {
            name: value for name, value in run.about.items() if name not in ("stef_run", "state", "settings", "calls")
        }
        folder.save(COMPLETE, {**facts, "rescored_from": str(run.path)})
    return Finished(open_run(out), already=False)


def _rescored(row: dict[str, Any], book: RuleBook, path: Path) -> dict[str, Any]:
    try:
        assessment = assessment_from_json(row["assessment"])
    except ValueError as error:
        raise InputError(f"{path}: row {row['row']} holds no Assessment of this version of stef") from error
    return {**row, **assessment_columns(_composed(assessment, book, row["app"]))}


def _composed(assessment: Assessment, book: RuleBook, app: str | None) -> Assessment:
    if not isinstance(assessment.outcome, Scored) or assessment.alignment is None or assessment.judgement is None:
        return assessment
    scoring = book.for_app(app).scoring
    return replace(assessment, outcome=compose(assessment.alignment.filters, assessment.judgement, scoring))
