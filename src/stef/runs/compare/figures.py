"""Pairs → figures: means on both sides, the difference with its interval, yes-or-no flips, corrections."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum

from stef.runs.compare.model import Figure, Flip, SliceFigure
from stef.runs.compare.pairs import Half, Pair
from stef.runs.state import State
from stef.stats.mcnemar import mid_p
from stef.stats.multiple import holm
from stef.stats.paired import Drawing, paired_difference
from stef.stats.permutation import sign_flip

SIGN_FLIP, MCNEMAR = "sign flip by question", "McNemar, mid-p"
FEWEST_OF_SLICE = 20
_SLICE_RESAMPLES = 2_000
_YES = 100.0

Value = Callable[[Half], float | None]


def figure(name: str, pairs: Iterable[Pair], value: Value, drawing: Drawing) -> Figure:
    """The figure `name` over those `pairs` in which both halves have a `value`."""
    held: list[tuple[str, float, float]] = []
    for pair in pairs:
        before, after = value(pair.a), value(pair.b)
        if before is not None and after is not None:
            held.append((pair.cluster, before, after))
    difference = paired_difference(((cluster, after - before) for cluster, before, after in held), drawing)
    if not held:
        return Figure(name, None, None, difference, SIGN_FLIP)
    a, b = fsum(before for _, before, _ in held) / len(held), fsum(after for _, _, after in held) / len(held)
    if difference.clusters == difference.pairs and all({before, after} <= {0.0, _YES} for _, before, after in held):
        return Figure(name, a, b, replace(difference, p=mid_p(difference.wins, difference.losses)), MCNEMAR)
    return Figure(name, a, b, difference, SIGN_FLIP)


def plain(name: str) -> Value:
    """The figure `name` as it is."""
    return lambda half: half.value(name)


def counting_as_zero(name: str, zeros: frozenset[State]) -> Value:
    """The figure `name`, where turns in the states `zeros` count as 0."""
    return lambda half: half.value_with(name, zeros)


@dataclass(frozen=True, slots=True)
class Flipped:
    """A yes or no over `pairs` pairs: clusters of those that `became` and that `ceased` to be so; how many are both."""

    name: str
    pairs: int
    became: Sequence[str]
    ceased: Sequence[str]
    both: int


def flip(name: str, pairs: Sequence[Pair], is_so: Callable[[Half], bool], drawing: Drawing) -> Flip:
    """How many of `pairs` became so, and how many ceased to be."""
    states = [(pair.cluster, is_so(pair.a), is_so(pair.b)) for pair in pairs]
    became = [cluster for cluster, before, after in states if after and not before]
    ceased = [cluster for cluster, before, after in states if before and not after]
    both = sum(before and after for _, before, after in states)
    single = len({cluster for cluster, _, _ in states}) == len(states)
    return flipped(Flipped(name, len(states), became, ceased, both), drawing, single=single)


def flipped(found: Flipped, drawing: Drawing, *, single: bool) -> Flip:
    """The test of a yes or no: McNemar's where every cluster is a `single` pair, else a flip of signs by cluster."""
    became, ceased = len(found.became), len(found.ceased)
    if single:
        return Flip(found.name, found.pairs, became, ceased, found.both, mid_p(became, ceased), MCNEMAR)
    import numpy as np  # noqa: PLC0415  heavy

    sums = Counter(found.became)
    sums.subtract(Counter(found.ceased))
    p = sign_flip(np.array(sorted(sums.values()), dtype=np.float64), drawing.flips, drawing.seed)
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
    pairs: Sequence[Pair], names: Sequence[str], main: str, drawing: Drawing
) -> tuple[tuple[SliceFigure, ...], int]:
    """The figure `main` for each value of each of `names` that divides the pairs; and how many slices were too small.

    All slices are one family for Holm. A pair is in the slice of its turn in A.
    """
    few = replace(drawing, resamples=min(drawing.resamples, _SLICE_RESAMPLES))
    found: list[tuple[str, str, Figure]] = []
    small = 0
    for name in names:
        groups = _groups(pairs, name)
        if len(groups) < 2:
            continue
        for value, members in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
            if len(members) < FEWEST_OF_SLICE:
                small += 1
            else:
                found.append((name, value, figure(main, members, plain(main), few)))
    figures = corrected([one for _, _, one in found])
    return tuple(SliceFigure(name, value, one) for (name, value, _), one in zip(found, figures, strict=True)), small


def _groups(pairs: Iterable[Pair], name: str) -> dict[str, list[Pair]]:
    groups: dict[str, list[Pair]] = {}
    for pair in pairs:
        for value in pair.a.shown.places.get(name, ()):
            groups.setdefault(value, []).append(pair)
    return groups
