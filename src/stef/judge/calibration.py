"""Calibrations: read from a file, checked against the judge in force, applied to its judgements."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from stef.errors import InputError, UserError
from stef.records.calibration import Calibration
from stef.records.judgement import Judgement, Uncalibrated

_MODEL: Final = "model"
"""The setting that makes another judge of the symbolic one: the figures that were fitted."""


@dataclass(frozen=True, slots=True)
class JudgeInForce:
    """The judge that a calibration is to be applied to, with what decides its judgements."""

    name: str
    prompts_hash: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, str] | None = None
    stef_version: str | None = None


def calibrated(judgement: Judgement, calibration: Calibration) -> Judgement:
    """The judgement with its `p_correct` mapped, and what the judge itself said kept in `uncalibrated`.

    The verdict stays the judge's own word, and γ is the mapped probability that this verdict is right: p on the right
    side, 1 − p on the other. Where the map moves p across one half, γ is below one half: labels say that the judge's
    verdict on such turns is rather wrong. A calibrated judgement is mapped anew from what the judge said.
    """
    said = judgement.uncalibrated or Uncalibrated(judgement.confidence, judgement.p_correct, calibration.hash)
    p_correct = calibration.map(said.p_correct)
    return replace(
        judgement,
        p_correct=p_correct,
        confidence=p_correct if judgement.verdict.on_right_side else 1.0 - p_correct,
        uncalibrated=replace(said, calibration=calibration.hash),
    )


def load_calibration(path: Path | str) -> Calibration:
    """The calibration in `path`. Raises InputError where it cannot be read, or is none."""
    where = Path(path)
    try:
        data = json.loads(where.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{where}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: no calibration: it is not valid JSON ({error})") from error
    if not isinstance(data, dict) or "stef_calibration" not in data:
        raise InputError(f"{where}: no calibration; stef calibrate RUN LABELS -o {where.name} makes one")
    try:
        return Calibration.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: {place}: {first['msg']}") from error


def calibration_text(calibration: Calibration) -> str:
    """The calibration as its file holds it."""
    return json.dumps(calibration.model_dump(mode="json"), indent=2, ensure_ascii=False) + "\n"


def check_judge(calibration: Calibration, judge: JudgeInForce, *, force: bool = False) -> tuple[str, ...]:
    """Remarks on applying `calibration` to `judge`: other rules, another version of stef, and what `force` let pass.

    Raises UserError where it was fitted on another judge, or the same one with other prompts or another fitted model,
    unless `force`.
    """
    fitted = calibration.fitted_on
    differences = list(_differences(calibration, judge))
    if differences and not force:
        raise UserError(
            f"the calibration was fitted on another judge: {'; '.join(differences)}. Fit one for this judge "
            "(stef calibrate RUN LABELS), or apply this one all the same with --force"
        )
    remarks = [f"the calibration was fitted on another judge, and is applied by --force: {one}" for one in differences]
    if not differences and fitted.judge_settings != dict(judge.settings):
        remarks.append("the calibration was fitted with other settings of the judge; stef agree tells whether it holds")
    if judge.rules is not None and fitted.rules != dict(judge.rules):
        remarks.append("the calibration was fitted under other rules; stef agree tells whether it still holds")
    if fitted.stef_version is not None and judge.stef_version not in (None, fitted.stef_version):
        remarks.append(
            f"the calibration was fitted with stef {fitted.stef_version}, and this is {judge.stef_version}; "
            "stef agree tells whether it still holds"
        )
    return tuple(remarks)


def _differences(calibration: Calibration, judge: JudgeInForce) -> Iterator[str]:
    fitted = calibration.fitted_on
    if fitted.judge != judge.name:
        yield f"{fitted.judge}, not {judge.name}"
    elif fitted.prompts_hash != judge.prompts_hash:
        yield f"{fitted.judge} with prompts {fitted.prompts_hash or 'none'}, not {judge.prompts_hash or 'none'}"
    elif fitted.judge_settings.get(_MODEL) != judge.settings.get(_MODEL):
        models = fitted.judge_settings.get(_MODEL, "unknown"), judge.settings.get(_MODEL, "unknown")
        yield f"{fitted.judge} with the model {models[0]}, not {models[1]}"
