"""Judged turns as a table of cells: one for each value that the judge gave, with its right and wrong turns."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Judged:
    """One labelled turn: the judge's `value` (a probability, or a score), the label, and whose question it was.

    Turns of one `question` are one cluster: they are no independent evidence, and are drawn together.
    """

    value: float
    correct: bool
    question: str


@dataclass(frozen=True, slots=True)
class Cells:
    """How many turns are right and wrong at each value, the values ascending. Equal values are one cell: a tie.

    Every figure is a function of Cells, whether each turn counts once or, in a resample, as often as it was drawn.
    """

    values: Sequence[float]
    right: Sequence[int]
    wrong: Sequence[int]


def cells_of(judged: Iterable[Judged]) -> Cells:
    """The cells of `judged`, one for each value."""
    counts: dict[float, list[int]] = {}
    for one in judged:
        counts.setdefault(one.value, [0, 0])[one.correct] += 1
    values = sorted(counts)
    return Cells(values, [counts[value][1] for value in values], [counts[value][0] for value in values])


def merged(cells: Cells, most: int, border: float) -> tuple[Cells, dict[float, int]]:
    """About `most` cells of like mass out of `cells`, and the new cell of each value. None spans `border`.

    The value of a merged cell is the mean of its turns.
    """
    least = (sum(cells.right) + sum(cells.wrong)) / most
    values: list[float] = []
    right: list[int] = []
    wrong: list[int] = []
    home: dict[float, int] = {}
    mass, total, lowest = 0, 0.0, 0.0
    for value, r, w in zip(cells.values, cells.right, cells.wrong, strict=True):
        crosses = bool(values) and values[-1] < border <= value
        if not values or mass >= least or crosses:
            values.append(value)
            right.append(0)
            wrong.append(0)
            mass, total, lowest = 0, 0.0, value
        mass, total = mass + r + w, total + value * (r + w)
        right[-1] += r
        wrong[-1] += w
        # Rounding must not carry the mean out of its cell, across the border.
        values[-1] = min(max(total / mass, lowest), value)
        home[value] = len(values) - 1
    return Cells(values, right, wrong), home
