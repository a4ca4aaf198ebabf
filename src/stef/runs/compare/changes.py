"""Pairs that got worse or better, the first ones one by one; classes that changed, findings that came or went."""

from collections.abc import Sequence

import numpy as np

from stef.runs.compare.figures import corrected_flips, flipped, turned
from stef.runs.compare.model import Changes, Flip, Transition
from stef.runs.compare.moves import GoldTelling, ScoreTelling, Telling
from stef.runs.compare.pairs import Pairs
from stef.runs.compare.rows import CORRECT, P_CORRECT, POINTS, SCORE
from stef.runs.compare.sides import Sides
from stef.runs.compare.turns import STATES, Turns
from stef.runs.numbering import Floats, Truths, Whole
from stef.runs.state import State
from stef.stats.paired import Drawing

MOST_NAMED = 10_000
"""Regressions, and improvements, that are named one by one; all are counted."""

_NOTHING = 1e-9
_FEWEST_FLIPS = 5
"""Pairs in which a finding must have come or gone, to be tested."""

_KINDS = {
    (State.SCORED, State.UNREADABLE): "unreadable",
    (State.DECLINED, State.UNREADABLE): "unreadable",
    (State.UNREADABLE, State.SCORED): "readable",
    (State.SCORED, State.DECLINED): "declined",
    (State.DECLINED, State.SCORED): "answered",
}


def score_changes(pairs: Pairs, sides: Sides, samples: int | None) -> tuple[Changes, Changes]:
    """Regressions and improvements of a score: those that became unreadable (or readable) first, then the largest."""
    a, b = pairs.states
    difference = pairs.difference(SCORE)
    kinds = {"lower": difference <= -_NOTHING, "higher": difference >= _NOTHING}
    for (before, after), kind in _KINDS.items():
        so = (a == STATES.index(before)) & (b == STATES.index(after))
        kinds[kind] = kinds[kind] | so if kind in kinds else so
    noise = None if samples is None else np.sqrt(judge_variance(pairs, samples))

    def told(chosen: Sequence[str]) -> Changes:
        return _named(pairs, kinds, chosen, difference, ScoreTelling(pairs, sides, noise))

    return told(("unreadable", "declined", "lower")), told(("readable", "answered", "higher"))


def gold_changes(pairs: Pairs, sides: Sides) -> tuple[Changes, Changes]:
    """Cases that became wrong (or less often right), and right."""
    difference = pairs.difference(CORRECT)
    kinds = {"wrong": difference <= -_NOTHING, "right": difference >= _NOTHING}
    telling = GoldTelling(pairs, sides)
    return _named(pairs, kinds, ("wrong",), difference, telling), _named(pairs, kinds, ("right",), difference, telling)


def _named(
    pairs: Pairs,
    kinds: dict[str, Truths],
    chosen: Sequence[str],
    difference: Floats,
    telling: Telling,
) -> Changes:
    """The changes of the `chosen` kinds, in this order, and within a kind the largest first."""
    of = np.full(len(pairs), len(chosen))
    for number, kind in enumerate(chosen):
        of[kinds[kind]] = number
    found = np.flatnonzero(of < len(chosen))
    size = np.abs(np.nan_to_num(difference[found]))
    order = np.lexsort((pairs.a.turns.row[pairs.shown[0][found]], -size, of[found]))
    first = found[order][:MOST_NAMED]
    return Changes(len(found), telling.changes(first, [chosen[number] for number in of[first]]))


def transitions(pairs: Pairs, column: str) -> tuple[Transition, ...]:
    """From which class to which the pairs of single turns went, the most frequent first."""
    a, b = (_classes(half.turns, column)[shown] for half, shown in zip((pairs.a, pairs.b), pairs.shown, strict=True))
    difference = pairs.difference(SCORE)
    names = sorted(set(pairs.a.turns.known.of_each(column)) - {None})
    held = (a >= 0) & (b >= 0) & ~np.isnan(difference)
    codes, at, counts = np.unique(a[held] * len(names) + b[held], return_inverse=True, return_counts=True)
    sums = np.bincount(at, weights=difference[held])
    found = [
        Transition(names[code // len(names)], names[code % len(names)], int(number), float(total / number))
        for code, number, total in zip(codes, counts, sums, strict=True)
    ]
    return tuple(sorted(found, key=lambda one: (-one.pairs, one.a, one.b)))


def _classes(turns: Turns, column: str) -> Whole:
    """Of each turn the number of its class among all, in their order; negative where it has none."""
    values = turns.known.of_each(column)
    numbers = {name: number for number, name in enumerate(sorted(set(values) - {None}))}
    return np.array([numbers.get(value, -1) for value in values], dtype=np.int64)[turns.fact]


def finding_flips(pairs: Pairs, drawing: Drawing) -> tuple[Flip, ...]:
    """The findings that came or went, each tested, corrected by Holm as one family; the most changed first."""
    lists = pairs.a.turns.known.of_each("findings")
    single = pairs.clusters == len(pairs)
    flips = []
    for code in sorted({code for one in lists for code in one or ()}):
        has = np.array([code in (one or ()) for one in lists], dtype=np.bool_)
        found = turned(code, pairs, pairs.any(has[pairs.a.turns.fact], has[pairs.b.turns.fact]))
        if len(found.became) + len(found.ceased) >= _FEWEST_FLIPS:
            flips.append(flipped(found, drawing, single=single))
    return tuple(sorted(corrected_flips(flips), key=lambda one: (one.p, -one.became - one.ceased, one.name)))


def judge_variance(pairs: Pairs, samples: int) -> Floats:
    """The variance, in points², that the judge's own spread gives to the difference of p_correct of each pair.

    `spread` is the standard deviation of k samples with divisor k; their mean varies by spread² / (k − 1).
    """
    if samples < 2:
        return np.zeros(len(pairs))
    total = np.zeros(len(pairs))
    for half in (pairs.a, pairs.b):
        judged = ~np.isnan(half.turns.figures[P_CORRECT])
        spread = np.where(judged, np.nan_to_num(half.turns.spread), 0.0)
        counts = np.maximum(half.sums(judged.astype(np.float64)), 1.0)
        total += (half.sums((POINTS * spread) ** 2) / (samples - 1) / counts**2)[pairs.chosen]
    return total
