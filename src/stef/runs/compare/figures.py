"""Pairs → figures: means on both sides, the difference with its interval, yes-or-no flips, corrections."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from stef.runs.compare.model import Figure, Flip, SliceFigure
from stef.runs.compare.pairs import Pairs
from stef.runs.numbering import Truths, Whole
from stef.runs.state import State
from stef.stats.mcnemar import mid_p
from stef.stats.multiple import holm
from stef.stats.paired import Drawing, clustered_difference
from stef.stats.permutation import sign_flip

SIGN_FLIP, MCNEMAR = "sign flip by question", "McNemar, mid-p"
FEWEST_OF_SLICE = 20
_SLICE_RESAMPLES = 2_000
_YES = 100.0


def figure(name: str, pairs: Pairs, drawing: Drawing, zeros: Collection[State] = ()) -> Figure:
    """The figure `name` over those `pairs` in which both halves have it; turns in a state of `zeros` count as 0."""
    before, after = pairs.values(name, zeros)
    held = ~(np.isnan(before) | np.isnan(after))
    before, after = before[held], after[held]
    difference = clustered_difference(pairs.cluster[held], after - before, drawing)
    if not len(before):
        return Figure(name, None, None, difference, SIGN_FLIP)
    a, b = fsum(before) / len(before), fsum(after) / len(after)
    if difference.clusters == difference.pairs and all(np.isin(one, (0.0, _YES)).all() for one in (before, after)):
        return Figure(name, a, b, replace(difference, p=mid_p(difference.wins, difference.losses)), MCNEMAR)
    return Figure(name, a, b, difference, SIGN_FLIP)


@dataclass(frozen=True, slots=True)
class Flipped:
    """A yes or no over `pairs` pairs: clusters of those that `became` and that `ceased` to be so; how many are both."""

    name: str
    pairs: int
    became: Whole
    ceased: Whole
    both: int


def flip(name: str, pairs: Pairs, is_so: tuple[Truths, Truths], drawing: Drawing) -> Flip:
    """How many of `pairs` became so, and how many ceased to be; `is_so` says it of both halves of each."""
    return flipped(turned(name, pairs, is_so), drawing, single=pairs.clusters == len(pairs))


def turned(name: str, pairs: Pairs, is_so: tuple[Truths, Truths]) -> Flipped:
    """Which of `pairs` became so, and which ceased to be."""
    before, after = is_so
    return Flipped(
        name, len(pairs), pairs.cluster[after & ~before], pairs.cluster[before & ~after], int((before & after).sum())
    )


def flipped(found: Flipped, drawing: Drawing, *, single: bool) -> Flip:
    """The test of a yes or no: McNemar's where every cluster is a `single` pair, else a flip of signs by cluster."""
    became, ceased = len(found.became), len(found.ceased)
    if single:
        return Flip(found.name, found.pairs, became, ceased, found.both, mid_p(became, ceased), MCNEMAR)
    _, at = np.unique(np.concatenate([found.became, found.ceased]), return_inverse=True)
    sums = np.bincount(at, weights=np.repeat([1.0, -1.0], [became, ceased]))
    p = sign_flip(np.sort(sums), drawing.flips, drawing.seed)
    return Flip(found.name, found.pairs, became, ceased, found.both, p, SIGN_FLIP)


def corrected(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """The figures with their p corrected by Holm, as one family."""
    found = holm([one.difference.p for one in figures])
    return tuple(replace(one, corrected=p) for one, p in zip(figures, found, strict=True))


def corrected_flips(flips: Sequence[Flip]) -> tuple[Flip, ...]:
    """The flips with their p corrected by Holm, as one family."""
    found = holm([one.p for one in flips])
    return tuple(replace(one, corrected=p) for one, p in zip(flips, found, strict=True))


def slice_figures(
    pairs: Pairs, names: Sequence[str], main: str, drawing: Drawing
) -> tuple[tuple[SliceFigure, ...], int]:
    """The figure `main` for each value of each of `names` that divides the pairs; and how many slices were too small.

    All slices are one family for Holm. A pair is in the slice of its turn in A.
    """
    few = replace(drawing, resamples=min(drawing.resamples, _SLICE_RESAMPLES))
    found: list[tuple[str, str, Figure]] = []
    small = 0
    for name in names:
        groups = dict(_groups(pairs, name))
        if len(groups) < 2:
            continue
        for value, members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
            if len(members) < FEWEST_OF_SLICE:
                small += 1
            else:
                found.append((name, value, figure(main, pairs.where(members), few)))
    figures = corrected([one for _, _, one in found])
    return tuple(SliceFigure(name, value, one) for (name, value, _), one in zip(found, figures, strict=True)), small


def _groups(pairs: Pairs, name: str) -> Iterator[tuple[str, Whole]]:
    """The values of a place, and the pairs that have each."""
    turns = pairs.a.turns
    place, values = turns.places[name][pairs.shown[0]], turns.known.places.all()
    order = np.argsort(place, kind="stable")
    numbers, starts = np.unique(place[order], return_index=True)
    groups: dict[str, list[Whole]] = {}
    parts = np.split(order, starts[1:]) if len(order) else []
    for number, members in zip(numbers, parts, strict=True):
        for value in values[number]:
            groups.setdefault(value, []).append(members)
    yield from ((value, np.sort(np.concatenate(members))) for value, members in groups.items())
