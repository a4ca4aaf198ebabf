"""A RUN under other weights or a calibration: composed anew, without reading the log or asking a judge again."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from stef.errors import InputError
from stef.judge.calibration import calibrated
from stef.records.assessment import Assessment, Scored
from stef.records.calibration import Calibration
from stef.records.serialise import assessment_from_json
from stef.rules import RuleBook, rules_hash
from stef.rules.scoring import Scoring
from stef.runs.columns import assessment_columns
from stef.runs.folder import COMPLETE, RunFolder
from stef.runs.job import Finished
from stef.runs.run import Run, open_run
from stef.score import compose


def rescore_run(run: Run, book: RuleBook, out: Path, calibration: Calibration | None = None) -> Finished:
    """Write to `out` what `run` holds, with scores by the `scoring` of the rules in `book`; `run` stays as it is.

    Only weights change, and with a `calibration` the probabilities, mapped from what the judge said: the alignment and
    the verdicts are those of `run`. A RUN's own calibration stays in force where there is no new one. Raises InputError
    for a RUN that is not finished or cannot be read, RunExistsError for an `out` that holds something else.
    """
    if not run.complete:
        raise InputError(f"{run.path}: this RUN is not finished; finish it with the same stef score first")
    settings = {**run.settings, "rescored": hashes_of(book)}
    if calibration is not None:
        settings["evaluation"] = {**settings.get("evaluation", {}), "calibration": calibration.settings()}
    folder = RunFolder(out, settings)
    if folder.complete:
        return Finished(open_run(out), already=True)
    folder.make()
    with folder.locked():
        for part in run.parts():
            number = int(part.stem.rpartition("-")[2])
            if not folder.part(number).exists():
                folder.write_part(number, [_rescored(row, book, calibration, run.path) for row in run.part_rows(part)])
        facts = {
            name: value for name, value in run.about.items() if name not in ("stef_run", "state", "settings", "calls")
        }
        folder.save(COMPLETE, {**facts, "rescored_from": str(run.path)})
    return Finished(open_run(out), already=False)


def hashes_of(book: RuleBook) -> dict[str, str]:
    """The hash of the rules of each app, as a RUN records them."""
    return {rules.app or "default": rules_hash(rules) for rules in book.all()}


def _rescored(row: dict[str, Any], book: RuleBook, calibration: Calibration | None, path: Path) -> dict[str, Any]:
    try:
        assessment = assessment_from_json(row["assessment"])
    except ValueError as error:
        raise InputError(f"{path}: row {row['row']} holds no Assessment of this version of stef") from error
    return {**row, **assessment_columns(_composed(assessment, book.for_app(row["app"]).scoring, calibration))}


def _composed(assessment: Assessment, scoring: Scoring, calibration: Calibration | None) -> Assessment:
    alignment, judgement = assessment.alignment, assessment.judgement
    if not isinstance(assessment.outcome, Scored) or alignment is None or judgement is None:
        return assessment
    if calibration is not None:
        judgement = calibrated(judgement, calibration)
    return replace(assessment, judgement=judgement, outcome=compose(alignment.filters, judgement, scoring))
