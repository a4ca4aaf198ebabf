"""Figures of agreement between a judge's values and labels, each a function of Cells; None where it is undefined."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate
from operator import add, mul

from stef.stats.cells import Cells

LOWEST = 20
"""The lowest 5 % of the turns: one in so many."""

ALARMS = 10
"""False alarms that are put up with: one in so many of the right turns."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Turns by what the judge said (accepted: value ≥ threshold) and what the label says."""

    accepted_right: int
    accepted_wrong: int
    rejected_right: int
    rejected_wrong: int

    @property
    def turns(self) -> int:
        """All of them."""
        return self.accepted_right + self.accepted_wrong + self.rejected_right + self.rejected_wrong

    @property
    def accuracy(self) -> float | None:
        """The share of turns on which judge and label agree."""
        return (self.accepted_right + self.rejected_wrong) / self.turns if self.turns else None

    @property
    def kappa(self) -> float | None:
        """Cohen's κ: agreement beyond chance, 1 − (1 − observed) / (1 − expected). None where chance alone agrees."""
        turns = self.turns
        if not turns:
            return None
        right, accepted = self.accepted_right + self.rejected_right, self.accepted_right + self.accepted_wrong
        expected = right * accepted + (turns - right) * (turns - accepted)
        if expected == turns * turns:
            return None
        observed = (self.accepted_right + self.rejected_wrong) * turns
        return 1.0 - (turns * turns - observed) / (turns * turns - expected)

    @property
    def false_accepts(self) -> float | None:
        """The share of the wrong turns that the judge accepts."""
        wrong = self.accepted_wrong + self.rejected_wrong
        return self.accepted_wrong / wrong if wrong else None

    @property
    def false_rejects(self) -> float | None:
        """The share of the right turns that the judge rejects."""
        right = self.accepted_right + self.rejected_right
        return self.rejected_right / right if right else None


def confusion(cells: Cells, threshold: float) -> Confusion:
    """Accepted are the turns whose value is `threshold` or more."""
    cut = bisect_left(cells.values, threshold)
    below_right, below_wrong = sum(cells.right[:cut]), sum(cells.wrong[:cut])
    return Confusion(sum(cells.right[cut:]), sum(cells.wrong[cut:]), below_right, below_wrong)


def wrong_share(cells: Cells) -> float | None:
    """The share of the turns whose label is "wrong"."""
    wrong = sum(cells.wrong)
    turns = sum(cells.right) + wrong
    return wrong / turns if turns else None


def auc(cells: Cells) -> float | None:
    """The area under the ROC curve: how often a right turn has a higher value than a wrong one, ties half."""
    right, wrong = sum(cells.right), sum(cells.wrong)
    if not right or not wrong:
        return None
    twice: int = 2 * sum(map(mul, cells.right, accumulate(cells.wrong))) - sum(map(mul, cells.right, cells.wrong))
    return twice / (2 * right * wrong)


def average_precision(cells: Cells) -> float | None:
    """Average precision of "wrong", read from the lowest value up: Σ (Rₙ − Rₙ₋₁) Pₙ over the distinct values."""
    total = sum(cells.wrong)
    if not total:
        return None
    seen: list[int] = list(accumulate(map(add, cells.right, cells.wrong)))
    below: list[int] = list(accumulate(cells.wrong))
    return sum((w * found / n for w, found, n in zip(cells.wrong, below, seen, strict=True) if w), 0.0) / total


def wrong_in_lowest(cells: Cells) -> float | None:
    """The share of wrong turns among the 5 % with the lowest values (at least one); of ties, the expected share."""
    seen: list[int] = list(accumulate(map(add, cells.right, cells.wrong)))
    if not seen or not seen[-1]:
        return None
    taken = max(1, seen[-1] // LOWEST)
    at = bisect_left(seen, taken)
    before = seen[at - 1] if at else 0
    share = (taken - before) / (seen[at] - before)
    return (sum(cells.wrong[:at]) + cells.wrong[at] * share) / taken


def wrong_caught(cells: Cells) -> float | None:
    """The share of the wrong turns that are found from the lowest value up, before 10 % of the right ones are met."""
    right, wrong = sum(cells.right), sum(cells.wrong)
    if not right or not wrong:
        return None
    alarms = list(accumulate(cells.right))
    at = bisect_right(alarms, right / ALARMS)
    if at == len(alarms):
        return 1.0
    share = (right / ALARMS - (alarms[at - 1] if at else 0)) / cells.right[at]
    return (sum(cells.wrong[:at]) + cells.wrong[at] * share) / wrong


def roc(cells: Cells) -> tuple[tuple[float, float], ...]:
    """The ROC curve of "right": (false accepts, 1 − false rejects) at each threshold, from (0, 0) to (1, 1)."""
    right, wrong = sum(cells.right), sum(cells.wrong)
    if not right or not wrong:
        return ()
    down = zip(accumulate(reversed(cells.wrong)), accumulate(reversed(cells.right)), strict=True)
    return ((0.0, 0.0), *((w / wrong, r / right) for w, r in down))
