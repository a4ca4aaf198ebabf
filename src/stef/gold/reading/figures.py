"""Means that carry their n, rates with intervals, and times."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stef.gold.reading.rows import FIGURES, ReportRow
from stef.stats import mean, percentile
from stef.stats.proportion import wilson


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, and how many values it rests on; None of none."""

    value: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of `n` decided turns are so, with the share's 95 % interval (Wilson); the turns count as independent."""

    count: int
    n: int
    share: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of one part: over how many turns they are known, the median, two percentiles, and the longest."""

    n: int
    p50: float | None
    p90: float | None
    p99: float | None
    longest: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of some turns. `held_out` turns (gold in doubt, or broken) are in no rate and no mean.

    `undecided` are the others without a verdict. `means` are by family and name.
    """

    turns: int
    held_out: int
    undecided: int
    correct: Rate
    executable: Rate
    means: Mapping[str, Mapping[str, Mean]]


def mean_of(values: Iterable[float | None]) -> Mean:
    """The mean of the values that are defined."""
    held = [value for value in values if value is not None]
    return Mean(mean(held), len(held))


def rate_of(values: Iterable[bool | None]) -> Rate:
    """The share of True among the values that are decided."""
    held = [value for value in values if value is not None]
    count, n = sum(held), len(held)
    interval = wilson(count, n)
    if interval is None:
        return Rate(0, 0, None, None, None)
    return Rate(count, n, count / n, interval.low, interval.high)


def times_of(seconds: Iterable[float | None]) -> Times:
    """Percentiles (linear interpolation) of the times that are known."""
    held = [value for value in seconds if value is not None]
    return Times(
        len(held), percentile(held, 0.5), percentile(held, 0.9), percentile(held, 0.99), max(held, default=None)
    )


def figures_of(rows: Sequence[ReportRow]) -> Figures:
    """All figures of these turns."""
    counted = [row.report for row in rows if not row.report.held_out]
    return Figures(
        turns=len(rows),
        held_out=len(rows) - len(counted),
        undecided=sum(report.correct is None for report in counted),
        correct=rate_of(report.correct for report in counted),
        executable=rate_of(report.executable for report in counted),
        means={
            family: {name: mean_of(map(figure, counted)) for name, figure in figures.items()}
            for family, figures in FIGURES.items()
        },
    )
