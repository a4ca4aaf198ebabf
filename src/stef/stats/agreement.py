"""How far a judge agrees with labels: every figure, with its interval."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from stef.stats.bootstrap import Interval, Resampling, interval, intervals, resampled_cells, resampled_mean
from stef.stats.cells import Cells, Judged, cells_of, merged
from stef.stats.figures import (
    LOWEST,
    Confusion,
    auc,
    average_precision,
    confusion,
    wrong_caught,
    wrong_in_lowest,
    wrong_share,
)
from stef.stats.means import mean
from stef.stats.reliability import Bin, calibration_error, error_by_chance, reliability
from stef.stats.within import by_question, question_shares

THRESHOLD = 0.5
"""A turn is accepted as right from this probability on."""

FEWEST = 10
"""Labels below which no interval is given: it would say more than they can."""

GRAIN = 1_000
"""Cells that intervals are made of; figures themselves are exact."""


class Figure(StrEnum):
    """The figures of agreement."""

    WRONG = "wrong"
    ACCURACY = "accuracy"
    KAPPA = "kappa"
    FALSE_ACCEPTS = "false_accepts"
    FALSE_REJECTS = "false_rejects"
    AUC = "auc"
    WITHIN = "within_question"
    AVERAGE_PRECISION = "average_precision"
    LOWEST = "wrong_in_lowest_5pct"
    CAUGHT = "caught_at_10pct_false_alarms"
    ECE = "calibration_error"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its interval; each None where it is undefined (one class only), or rests on too little."""

    value: float | None
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """A judge against labels.

    `questions` are the clusters that intervals rest on; `questions_with_both` have right and wrong turns.
    `error_by_chance` is the calibration error that as many labels would show of a judge without any.
    """

    turns: int
    right: int
    questions: int
    questions_with_both: int
    threshold: float
    confusion: Confusion
    figures: Mapping[Figure, Estimate]
    error_by_chance: float | None
    curve: tuple[tuple[Bin, Interval | None], ...]

    @property
    def wrong(self) -> int:
        """Turns whose label is "wrong"."""
        return self.turns - self.right


def agreement(
    judged: Sequence[Judged], threshold: float = THRESHOLD, resampling: Resampling | None = None, grain: int = GRAIN
) -> Agreement:
    """Every figure of `judged`, whose values are probabilities of being right; the order of turns is of no account."""
    resampling = resampling or Resampling()
    groups = by_question(judged)
    shares = question_shares(groups)
    cells = cells_of(judged)
    coarse, home = merged(cells, grain, threshold)
    bins = reliability(coarse)
    policy = {**_figures(threshold), **_shares_of(bins, coarse)}
    values = {name: figure(cells if isinstance(name, Figure) else coarse) for name, figure in policy.items()}
    ranges: dict[Figure | int, Interval | None] = {}
    if len(judged) >= FEWEST:
        resamples = resampled_cells(_placed(groups, home), coarse.values, resampling)
        ranges = _intervals(resamples, policy, values, resampling.level)
        ranges[Figure.WITHIN] = interval(resampled_mean(shares, resampling), resampling.level)
    values[Figure.WITHIN] = mean(shares)
    basis = _basis(confusion(cells, threshold), len(groups))
    return Agreement(
        turns=len(judged),
        right=sum(cells.right),
        questions=len(groups),
        questions_with_both=len(shares),
        threshold=threshold,
        confusion=confusion(cells, threshold),
        figures={name: _estimate(name, values[name], ranges.get(name), basis, resampling.level) for name in Figure},
        error_by_chance=error_by_chance(cells),
        curve=tuple(
            (one, _opened(one.share_right, min(one.turns, len(groups)), ranges.get(number), resampling.level))
            for number, one in enumerate(bins)
        ),
    )


def ranking(judged: Sequence[Judged], resampling: Resampling | None = None) -> Estimate:
    """The AUC alone, of values on any scale."""
    resampling = resampling or Resampling()
    cells = cells_of(judged)
    if len(judged) < FEWEST:
        return Estimate(auc(cells))
    coarse, home = merged(cells, GRAIN, float("-inf"))
    resamples = resampled_cells(_placed(by_question(judged), home), coarse.values, resampling)
    return Estimate(auc(cells), interval(map(auc, resamples), resampling.level))


def labels_to_halve(turns: int) -> int:
    """How many labels, of the same mix and on new questions, halve the intervals that `turns` of them give.

    Their widths go with 1 / √n.
    """
    return 4 * turns


_Policy = Mapping[Figure | int, Callable[[Cells], float | None]]


def _figures(threshold: float) -> dict[Figure | int, Callable[[Cells], float | None]]:
    return {
        Figure.WRONG: wrong_share,
        Figure.ACCURACY: lambda cells: confusion(cells, threshold).accuracy,
        Figure.KAPPA: lambda cells: confusion(cells, threshold).kappa,
        Figure.FALSE_ACCEPTS: lambda cells: confusion(cells, threshold).false_accepts,
        Figure.FALSE_REJECTS: lambda cells: confusion(cells, threshold).false_rejects,
        Figure.AUC: auc,
        Figure.AVERAGE_PRECISION: average_precision,
        Figure.LOWEST: wrong_in_lowest,
        Figure.CAUGHT: wrong_caught,
        Figure.ECE: calibration_error,
    }


def _shares_of(bins: Sequence[Bin], cells: Cells) -> dict[Figure | int, Callable[[Cells], float | None]]:
    """The share right of each bin of the reliability curve, by its number."""
    numbers = {value: at for at, value in enumerate(cells.values)}
    return {
        number: partial(_share_right, start=numbers[one.low], end=numbers[one.high] + 1)
        for number, one in enumerate(bins)
    }


def _share_right(cells: Cells, start: int, end: int) -> float | None:
    right = sum(cells.right[start:end])
    turns = right + sum(cells.wrong[start:end])
    return right / turns if turns else None


def _intervals(
    resamples: Iterable[Cells], policy: _Policy, values: Mapping[Figure | int, float | None], level: float
) -> dict[Figure | int, Interval | None]:
    drawn = intervals(resamples, list(policy.values()))
    # A resample's calibration error holds chance twice over, so that it would lie above the figure itself.
    return {
        name: None if values[name] is None else interval(held, level, values[name] if name is Figure.ECE else None)
        for name, held in zip(policy, drawn, strict=True)
    }


def _placed(groups: Mapping[str, Sequence[Judged]], home: Mapping[float, int]) -> list[list[tuple[int, bool]]]:
    return [[(home[one.value], one.correct) for one in turns] for turns in groups.values()]


def _basis(counted: Confusion, questions: int) -> dict[Figure, int]:
    """What the shares among the figures are shares of: turns, but no more than there are questions."""
    right, wrong = counted.accepted_right + counted.rejected_right, counted.accepted_wrong + counted.rejected_wrong
    turns = {
        Figure.WRONG: counted.turns,
        Figure.ACCURACY: counted.turns,
        Figure.FALSE_ACCEPTS: wrong,
        Figure.FALSE_REJECTS: right,
        Figure.LOWEST: max(1, counted.turns // LOWEST),
        Figure.CAUGHT: wrong,
    }
    return {name: min(number, questions) for name, number in turns.items()}


def _estimate(
    name: Figure, value: float | None, found: Interval | None, basis: Mapping[Figure, int], level: float
) -> Estimate:
    if name in basis:
        found = _opened(value, basis[name], found, level)
    if found is not None and name is not Figure.KAPPA:
        found = Interval(max(0.0, found.low), min(1.0, found.high))
    return Estimate(value, found)


def _opened(share: float | None, of: int, found: Interval | None, level: float) -> Interval | None:
    """The interval of a share; where all or none are, the exact one, as every resample is then the same."""
    if found is None or share not in (0.0, 1.0) or not of:
        return found
    reach = ((1.0 - level) / 2) ** (1.0 / of)
    return Interval(reach, 1.0) if share == 1.0 else Interval(0.0, 1.0 - reach)
