"""The comparison of scored RUNs: the score first, then what it does not see."""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt

from stef.runs.compare.changes import (
    finding_flips,
    judge_variance,
    same_sql,
    score_changes,
    transitions,
)
from stef.runs.compare.figures import corrected, counting_as_zero, figure, flip, plain, slice_figures
from stef.runs.compare.model import Comparison, Figure, Flip, JudgeNoise, Outcome, Planning
from stef.runs.compare.options import CompareOptions
from stef.runs.compare.pairs import Pair, Paired
from stef.runs.compare.rows import P_CORRECT, SCORE
from stef.runs.compare.sides import Sides
from stef.runs.state import State
from stef.stats.power import detectable, needed

_READABLE = frozenset({State.SCORED, State.UNREADABLE})
_ALL = frozenset({*_READABLE, State.DECLINED})


def compare_scores(
    base: Comparison, sides: Sides, paired: Paired, names: Sequence[str], options: CompareOptions
) -> Comparison:
    """`base` with everything that the pairs say."""
    drawing = options.drawing
    scored = _in_states(paired.pairs, frozenset({State.SCORED}))
    readable, all_told = _in_states(paired.pairs, _READABLE), _in_states(paired.pairs, _ALL)
    main = figure(SCORE, scored, plain(SCORE), drawing)
    others = corrected([figure(P_CORRECT, scored, plain(P_CORRECT), drawing)])
    flips = (
        flip("unreadable", readable, lambda half: half.state is State.UNREADABLE, drawing),
        flip("declined", all_told, lambda half: half.state is State.DECLINED, drawing),
    )
    as_zero, declined_too = _with_zeros(readable, all_told, options)
    samples = _samples(sides)
    slices, small = slice_figures(scored, names, SCORE, drawing)
    regressions, improvements = score_changes(paired.pairs, samples)
    unknown = sum(1 for pair in paired.pairs if State.UNKNOWN in (pair.a.state, pair.b.state))
    alike = [pair for pair in scored if same_sql(pair)]
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
        regressions=regressions,
        improvements=improvements,
        left_out=replace(base.left_out, unknown=unknown, declined=len(all_told) - len(readable)),
        same_sql=len(alike),
        same_sql_moved=sum(1 for pair in alike if pair.difference(SCORE)),
    )


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


def _in_states(pairs: Sequence[Pair], states: frozenset[State]) -> list[Pair]:
    return [pair for pair in pairs if pair.a.state in states and pair.b.state in states]


def _with_zeros(
    readable: Sequence[Pair], all_told: Sequence[Pair], options: CompareOptions
) -> tuple[Figure | None, Figure | None]:
    """The score with unreadable queries as 0, and with declined turns as 0, too; None where there are none."""
    states = {turn.state for pair in all_told for half in (pair.a, pair.b) for turn in half.turns}
    as_zero = declined_too = None
    if State.UNREADABLE in states:
        zeros = frozenset({State.UNREADABLE})
        as_zero = figure(SCORE, readable, counting_as_zero(SCORE, zeros), options.drawing)
    if State.DECLINED in states:
        zeros = frozenset({State.UNREADABLE, State.DECLINED})
        declined_too = figure(SCORE, all_told, counting_as_zero(SCORE, zeros), options.drawing)
    return as_zero, declined_too


def _samples(sides: Sides) -> int | None:
    """How often the judge was asked of each turn; None for once."""
    settings = sides.a.run.settings.get("evaluation", {}).get("judge_settings") or {}
    samples = settings.get("samples")
    return samples if isinstance(samples, int) and samples > 1 else None


def _noise(pairs: Sequence[Pair], samples: int | None, p_correct: Figure) -> JudgeNoise | None:
    if samples is None or not pairs:
        return None
    variance = sum(
        judge_variance(pair.a, samples) + judge_variance(pair.b, samples) for pair in pairs if not _judged_once(pair)
    )
    error, whole = sqrt(variance) / len(pairs), p_correct.difference.error
    return JudgeNoise(samples, error, min(1.0, (error / whole) ** 2) if whole else None)


def _judged_once(pair: Pair) -> bool:
    """Whether both sides carry one and the same judgement: the noise of it cancels."""
    return same_sql(pair) and pair.difference(P_CORRECT) == 0.0
