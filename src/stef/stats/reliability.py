"""Is a probability what it says? Expected calibration error, and the reliability curve."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from math import erf, exp, pi, sqrt
from operator import add
from typing import NamedTuple

from stef.stats.cells import Cells

BINS = 20
"""Bins of equal mass of the expected calibration error."""

FEWEST_IN_BIN = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Turns of like probability: between `low` and `high`, in the mean `mean_p`; `right` of `turns` are right."""

    low: float
    high: float
    turns: int
    right: int
    mean_p: float

    @property
    def share_right(self) -> float:
        """How many of them are right."""
        return self.right / self.turns


def calibration_error(cells: Cells, bins: int = BINS) -> float | None:
    """The expected calibration error in [0, 1]: |mean probability − share right|, over bins of equal mass.

    `bins` of them, but of ten turns at the least. Which turns of one value lie in which of two bins is chance: what
    comes back is the mean over all ways to deal them out. It is never negative, so that few labels alone make it larger
    than 0: see `error_by_chance`.
    """
    gaps = [value * (r + w) - r for value, r, w in zip(cells.values, cells.right, cells.wrong, strict=True)]
    parts = _parted(cells, gaps, bins)
    return None if parts is None else sum(_mean_distance(part.amount, part.variance) for part in parts) / _turns(cells)


def error_by_chance(cells: Cells, bins: int = BINS) -> float | None:
    """The calibration error that as many labels would show, by chance, of a judge whose probabilities were all true.

    √(2/π) of the standard deviation of each bin; turns of one question are taken as independent.
    """
    spread = [v * (1.0 - v) * (r + w) for v, r, w in zip(cells.values, cells.right, cells.wrong, strict=True)]
    parts = _parted(cells, spread, bins)
    return None if parts is None else sum(_mean_distance(0.0, part.amount) for part in parts) / _turns(cells)


def _turns(cells: Cells) -> int:
    return sum(cells.right) + sum(cells.wrong)


def _mean_distance(mean: float, variance: float) -> float:
    """The mean of |x| of a normal x (the folded normal distribution)."""
    if variance <= 0.0:
        return abs(mean)
    deviation = sqrt(variance)
    return deviation * sqrt(2.0 / pi) * exp(-mean * mean / (2.0 * variance)) + mean * erf(
        mean / (deviation * sqrt(2.0))
    )


class _Part(NamedTuple):
    """One bin: its part of the amounts, and the variance of its right turns over the ways to deal out cut cells."""

    amount: float
    variance: float


def _parted(cells: Cells, amounts: Sequence[float], bins: int) -> list[_Part] | None:
    """The sum of `amounts` in each bin; a cell that a border cuts gives each side its part."""
    seen = list(accumulate(map(add, cells.right, cells.wrong)))
    turns = seen[-1] if seen else 0
    if not turns:
        return None
    sums = [0.0, *accumulate(amounts)]
    step = max(FEWEST_IN_BIN, turns // bins)
    parts: list[_Part] = []
    last, start, first = 0.0, 0, 0
    for border in chain(range(step, turns, step), (turns,)):
        at = bisect_left(seen, border)
        upto = seen[at - 1] if at else 0
        now = sums[at] + amounts[at] * (border - upto) / (seen[at] - upto)
        # Of the cells of this bin only its first and its last can be cut.
        cut = _dealt(cells, at, border - max(start, upto))
        if first != at:
            cut += _dealt(cells, first, seen[first] - start)
        parts.append(_Part(now - last, cut))
        last, start = now, border
        first = at + 1 if seen[at] == border else at
    return parts


def _dealt(cells: Cells, at: int, drawn: int) -> float:
    """The variance of the right ones among `drawn` turns of a cell, drawn without putting back."""
    right, turns = cells.right[at], cells.right[at] + cells.wrong[at]
    if turns < 2:
        return 0.0
    return drawn * right * (turns - right) * (turns - drawn) / (turns * turns * (turns - 1))


def reliability(cells: Cells, bins: int = 10) -> tuple[Bin, ...]:
    """At most `bins` bins of like mass, in ascending order of probability; turns of one value stay together."""
    turns = _turns(cells)
    borders = [0]
    mass = seen = 0
    for at, (r, w) in enumerate(zip(cells.right, cells.wrong, strict=True)):
        mass += r + w
        seen += r + w
        # A border is due where so many turns have been seen; an uneven bin does not move the later ones.
        if mass and (seen >= turns * len(borders) / bins or seen == turns):
            borders.append(at + 1)
            mass = 0
    # What is left behind the last border may be a handful of turns.
    if len(borders) > 2 and 2 * bins * (sum(cells.right[borders[-2] :]) + sum(cells.wrong[borders[-2] :])) < turns:
        del borders[-2]
    return tuple(_bin(cells, start, end) for start, end in pairwise(borders))


def _bin(cells: Cells, start: int, end: int) -> Bin:
    right = sum(cells.right[start:end])
    turns = right + sum(cells.wrong[start:end])
    total = sum(cells.values[at] * (cells.right[at] + cells.wrong[at]) for at in range(start, end))
    return Bin(cells.values[start], cells.values[end - 1], turns, right, total / turns)
