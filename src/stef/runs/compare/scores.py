"""The comparison of scored RUNs: the score first, then what it does not see."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from stef.runs.compare.changes import finding_flips, judge_variance, score_changes, transitions
from stef.runs.compare.figures import corrected, figure, flip, slice_figures
from stef.runs.compare.model import Comparison, Figure, Flip, JudgeNoise, Outcome, Planning
from stef.runs.compare.options import CompareOptions
from stef.runs.compare.pairs import Paired, Pairs
from stef.runs.compare.rows import P_CORRECT, SCORE
from stef.runs.compare.sides import Sides
from stef.runs.compare.turns import STATES
from stef.runs.state import State
from stef.stats.paired import Drawing
from stef.stats.power import detectable, needed

_READABLE = frozenset({State.SCORED, State.UNREADABLE})
_ALL = frozenset({*_READABLE, State.DECLINED})


def compare_scores(
    base: Comparison, sides: Sides, paired: Paired, names: Sequence[str], options: CompareOptions
) -> Comparison:
    """`base` with everything that the pairs say."""
    drawing, pairs = options.drawing, paired.pairs
    scored, readable, all_told = (pairs.in_states(states) for states in ({State.SCORED}, _READABLE, _ALL))
    main = figure(SCORE, scored, drawing)
    others = corrected([figure(P_CORRECT, scored, drawing)])
    flips = (_state_flip(State.UNREADABLE, readable, drawing), _state_flip(State.DECLINED, all_told, drawing))
    as_zero, declined_too = _with_zeros(readable, all_told, options)
    samples = _samples(sides)
    slices, small = slice_figures(scored, names, SCORE, drawing)
    regressions, improvements = score_changes(pairs, sides, samples)
    unknown = len(pairs) - len(all_told)
    alike = scored.where(scored.same_sql)
    return replace(
        base,
        outcome=outcome_of(main, as_zero, flips[0], options.alpha),
        main=main,
        as_zero=as_zero,
        declined_too=declined_too,
        others=others,
        readable=flips[0],
        declined=flips[1] if flips[1].became + flips[1].ceased else None,
        planning=planning_of(main, options),
        noise=_noise(scored, samples, others[0]),
        slices=slices,
        small_slices=small,
        filters=transitions(scored, "filter_alignment"),
        verdicts=transitions(scored, "verdict"),
        findings=finding_flips(scored, drawing),
        regressions=regressions.named,
        improvements=improvements.named,
        regressed=regressions.total,
        improved=improvements.total,
        left_out=replace(base.left_out, unknown=unknown, declined=len(all_told) - len(readable)),
        same_sql=len(alike),
        same_sql_moved=moved(alike, SCORE),
    )


def moved(pairs: Pairs, figure: str) -> int:
    """Pairs of which a figure differs."""
    return int(np.count_nonzero(np.nan_to_num(pairs.difference(figure))))


def _state_flip(state: State, pairs: Pairs, drawing: Drawing) -> Flip:
    a, b = (states == STATES.index(state) for states in pairs.states)
    return flip(state.value, pairs, (a, b), drawing)


def outcome_of(main: Figure, as_zero: Figure | None, unreadable: Flip | None, alpha: float) -> Outcome:
    """What is said of B: by the figure itself, with unreadable queries as 0, and by what became unreadable."""
    signs = {main.difference.sign(alpha)}
    if as_zero is not None:
        signs.add(as_zero.difference.sign(alpha))
    if unreadable is not None and unreadable.p <= alpha:
        signs.add(-1 if unreadable.became > unreadable.ceased else 1)
    if main.difference.mean is None and as_zero is None:
        return Outcome.NOTHING
    match (1 in signs, -1 in signs):
        case (True, True):
            return Outcome.MIXED
        case (True, False):
            return Outcome.BETTER
        case (False, True):
            return Outcome.WORSE
        case _:
            return Outcome.NOT_SHOWN


def planning_of(main: Figure, options: CompareOptions) -> Planning:
    """What it would take to show a difference of `options.aim` points, at the variance of `main`."""
    error, level = main.difference.error, options.drawing.level
    if not error:
        return Planning(options.aim, None, None)
    return Planning(options.aim, needed(error, main.difference.clusters, options.aim, level), detectable(error, level))


def _with_zeros(readable: Pairs, all_told: Pairs, options: CompareOptions) -> tuple[Figure | None, Figure | None]:
    """The score with unreadable queries as 0, and with declined turns as 0, too; None where there are none."""
    as_zero = declined_too = None
    if _any(all_told, State.UNREADABLE):
        as_zero = figure(SCORE, readable, options.drawing, {State.UNREADABLE})
    if _any(all_told, State.DECLINED):
        declined_too = figure(SCORE, all_told, options.drawing, {State.UNREADABLE, State.DECLINED})
    return as_zero, declined_too


def _any(pairs: Pairs, state: State) -> bool:
    """Whether any turn of the pairs is in a state."""
    a, b = pairs.any(pairs.a.turns.in_state(state), pairs.b.turns.in_state(state))
    return bool(a.any() or b.any())


def _samples(sides: Sides) -> int | None:
    """How often the judge was asked of each turn; None for once, or where the sides differ in it."""
    a, b = (
        (side.run.settings.get("evaluation", {}).get("judge_settings") or {}).get("samples")
        for side in (sides.a, sides.b)
    )
    return a if isinstance(a, int) and a > 1 and a == b else None


def _noise(pairs: Pairs, samples: int | None, p_correct: Figure) -> JudgeNoise | None:
    if samples is None or not len(pairs):
        return None
    # Where both sides carry one and the same judgement, the noise of it cancels.
    once = pairs.same_sql & (pairs.difference(P_CORRECT) == 0.0)
    variance = float(judge_variance(pairs, samples)[~once].sum())
    error, whole = sqrt(variance) / len(pairs), p_correct.difference.error
    return JudgeNoise(samples, error, min(1.0, (error / whole) ** 2) if whole else None)
