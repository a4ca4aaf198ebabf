"""A labelled RUN → a calibration of its judge."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stef.errors import UserError
from stef.records.calibration import Calibration, CrossValidation, FittedOn, Isotonic, Platt
from stef.records.judgement import Verdict
from stef.runs.labelled import LabelledRun, LabelledTurn
from stef.runs.run import Run
from stef.stats.agreement import FEWEST
from stef.stats.cells import Judged, cells_of
from stef.stats.fitting import FOLDS, cross_validated, fit, isotonic, platt

ROUGH = 100
"""Labels below which a map is fitted, and said to be rough."""

_Fit = Callable[[Sequence[Judged]], Isotonic | Platt]
_METHODS: dict[str | None, _Fit] = {
    None: fit,
    "isotonic": lambda judged: isotonic(cells_of(judged)),
    "platt": lambda judged: platt(cells_of(judged)),
}


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A calibration, and what its maker should know.

    `points`: what becomes of a p_correct of 0.1, 0.3, 0.5, 0.7, 0.9. `flipped`: labelled turns whose probability would
    lie on the other side of one half than the judge's verdict.
    """

    calibration: Calibration
    points: tuple[tuple[float, float], ...]
    flipped: int
    warnings: tuple[str, ...]


def calibrate_run(run: Run, labelled: LabelledRun, method: str | None, date: str | None) -> Calibrated:
    """Fit the judge of `run` to its labels, from what the judge itself said (before a calibration, if there was one).

    `method`: `isotonic`, `platt`, or None for the one that suits the number of labels. Raises UserError for labels that
    are too few, or all of one kind.
    """
    if method not in _METHODS:
        raise UserError(f"--method {method}: there are platt and isotonic")
    judged = [Judged(t.p_raw, t.correct, t.question) for t in labelled.turns if t.p_raw is not None]
    _refuse_too_little(run, judged)
    fitted = _METHODS[method]
    map_ = fitted(judged)
    evaluation = run.settings.get("evaluation", {})
    fitted_on = FittedOn(
        judge=str(evaluation.get("judge", "unknown")),
        prompts_hash=evaluation.get("prompts_hash"),
        judge_settings=evaluation.get("judge_settings") or {},
        rules=evaluation.get("rules") or {},
        stef_version=evaluation.get("stef_version"),
        labels=len(judged),
        right=sum(one.correct for one in judged),
        questions=len({one.question for one in judged}),
        date=date,
    )
    checked = _checked(judged, fitted)
    return Calibrated(
        calibration=Calibration(map=map_, fitted_on=fitted_on, cross_validation=checked),
        points=tuple((judged_p, map_(judged_p)) for judged_p in (0.1, 0.3, 0.5, 0.7, 0.9)),
        flipped=sum(_flips(turn, map_) for turn in labelled.turns),
        warnings=tuple(_warnings(judged, map_, checked)),
    )


def _checked(judged: Sequence[Judged], fitted: _Fit) -> CrossValidation | None:
    found = cross_validated(judged, fitted)
    if found is None:
        return None
    return CrossValidation(folds=FOLDS, before=found.before, after=found.after, by_chance=found.by_chance)


def _refuse_too_little(run: Run, judged: Sequence[Judged]) -> None:
    right = sum(one.correct for one in judged)
    have = f"{len(judged)} labelled turns of this RUN have a probability ({right} right, {len(judged) - right} wrong)"
    way_out = f"stef agree {run.path} LABELS shows what they can say"
    if len(judged) < FEWEST:
        raise UserError(f"too few labels for a calibration: {have}, and it takes {FEWEST} at the least; {way_out}")
    if right in (0, len(judged)):
        raise UserError(f"labels of one kind only cannot calibrate: {have}; label turns of the other kind. {way_out}")


def _flips(turn: LabelledTurn, map_: Isotonic | Platt) -> bool:
    if turn.p_raw is None or turn.verdict is None:
        return False
    return (map_(turn.p_raw) >= 0.5) != Verdict(turn.verdict).on_right_side


def _warnings(judged: Sequence[Judged], map_: Isotonic | Platt, checked: CrossValidation | None) -> list[str]:
    warnings = []
    if len(judged) < ROUGH:
        warnings.append(f"{len(judged)} labels make a rough map; {ROUGH} or more are better")
    if _is_level(map_):
        warnings.append(
            "the judge does not rank right turns above wrong ones here, so that the map gives every turn the same "
            "probability: it tells nothing apart"
        )
    if checked is None:
        warnings.append("the labels are of too few questions to check the map on ones that it has not seen")
    elif checked.after >= checked.before:
        warnings.append("the map does not lower the error on labels it has not seen: better do without it")
    return warnings


def _is_level(map_: Isotonic | Platt) -> bool:
    return map_.slope == 0.0 if isinstance(map_, Platt) else map_.knots[0][1] == map_.knots[-1][1]
