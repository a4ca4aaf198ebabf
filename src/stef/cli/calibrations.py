"""A calibration file as an option of commands: read, checked against the judge, remarked on."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stef.cli.screen import say

if TYPE_CHECKING:
    from stef.records.calibration import Calibration


def calibration_for(path: Path | None, evaluation: Mapping[str, Any], *, force: bool) -> "Calibration | None":
    """The calibration in `path`, for the judge of an evaluation's settings; None where there is no path.

    What differs is remarked on. Raises InputError for a file that is none, UserError for one of another judge, unless
    `force`.
    """
    if path is None:
        return None
    from stef.judge.calibration import JudgeInForce, check_judge, load_calibration  # noqa: PLC0415  heavy

    calibration = load_calibration(path)
    judge = JudgeInForce(
        str(evaluation.get("judge")),
        evaluation.get("prompts_hash"),
        evaluation.get("judge_settings") or {},
        evaluation.get("rules"),
        evaluation.get("stef_version"),
    )
    for remark in check_judge(calibration, judge, force=force):
        say(f"stef: {remark}")
    return calibration
