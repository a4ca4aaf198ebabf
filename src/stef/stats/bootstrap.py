"""The bootstrap, clustered: questions are drawn, with all of their turns.

Each question counts in each resample as often as it is drawn: 0 to 5 times, with mean and variance 1 (the Poisson
bootstrap, Hanley & MacGibbon 2006, its weights rounded to 256ths). All resamples are added up at once: the counts of
one question are the lanes of one large integer, and a sum of such integers is a sum in every lane. Hence 1,000
resamples of 100,000 turns take seconds, without numpy.
"""

import random
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from stef.stats.cells import Cells
from stef.stats.means import percentile

RESAMPLES = 1_000
SEED = 0
LEVEL = 0.95

_LANE = 8
"""Bytes of a lane: wide enough for any sum that is made here."""

_DRAWN = bytes(times for times, of_256 in enumerate((95, 92, 49, 15, 4, 1)) for _ in range(of_256))
_FRACTION = 1_000_000
_FEWEST = 20
"""Resamples in which a figure must be defined, for an interval of it."""


@dataclass(frozen=True, slots=True)
class Resampling:
    """How intervals are made. `level` is the share of resamples inside, in (0, 1)."""

    resamples: int = RESAMPLES
    seed: int = SEED
    level: float = LEVEL


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`."""

    low: float
    high: float

    @property
    def width(self) -> float:
        """How far apart they are."""
        return self.high - self.low


def interval(values: Iterable[float | None], level: float, around: float | None = None) -> Interval | None:
    """The percentile interval of a figure over its resamples; None where it was hardly ever defined.

    With `around` it is moved so that the resamples' mean lies there: for figures that are larger in every resample.
    """
    held = [value for value in values if value is not None]
    if len(held) < _FEWEST:
        return None
    low, high = percentile(held, (1.0 - level) / 2), percentile(held, (1.0 + level) / 2)
    if low is None or high is None:
        return None
    moved = 0.0 if around is None else around - sum(held) / len(held)
    return Interval(low + moved, high + moved)


def draws(resampling: Resampling) -> Iterator[int]:
    """For one question after the other: how often it is drawn, a lane for each resample."""
    source = random.Random(resampling.seed)  # noqa: S311  no secret: the same seed gives the same intervals
    spread = bytearray(_LANE * resampling.resamples)
    while True:
        spread[::_LANE] = source.randbytes(resampling.resamples).translate(_DRAWN)
        yield int.from_bytes(spread, "little")


def lanes(packed: int, resampling: Resampling) -> "array[int]":
    """One number for each resample."""
    unpacked = array("Q")
    unpacked.frombytes(packed.to_bytes(_LANE * resampling.resamples, "little"))
    return unpacked


def resampled_cells(
    questions: Iterable[Sequence[tuple[int, bool]]], values: Sequence[float], resampling: Resampling
) -> Iterator[Cells]:
    """The cells of each resample. `questions` hold, for each turn, the number of its cell in `values` and its label."""
    packed = {correct: [0] * len(values) for correct in (True, False)}
    for turns, drawn in zip(questions, draws(resampling), strict=False):
        for cell, correct in turns:
            packed[correct][cell] += drawn
    right, wrong = (zip(*(lanes(one, resampling) for one in packed[correct]), strict=True) for correct in (True, False))
    for of_right, of_wrong in zip(right, wrong, strict=True):
        yield Cells(values, of_right, of_wrong)


def resampled_mean(values: Iterable[float], resampling: Resampling) -> Iterator[float | None]:
    """The mean over questions in each resample; each value, in [0, 1], is one question's."""
    total = questions = 0
    for value, drawn in zip(values, draws(resampling), strict=False):
        questions += drawn
        total += drawn * round(value * _FRACTION)
    for summed, number in zip(lanes(total, resampling), lanes(questions, resampling), strict=True):
        yield summed / _FRACTION / number if number else None


def intervals(
    resamples: Iterable[Cells], figures: Sequence[Callable[[Cells], float | None]]
) -> list[list[float | None]]:
    """Each figure in each resample; those of one figure in one list."""
    found: list[list[float | None]] = [[] for _ in figures]
    for cells in resamples:
        for values, figure in zip(found, figures, strict=True):
            values.append(figure(cells))
    return found
