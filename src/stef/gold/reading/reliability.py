"""One number for comparing agents that may abstain: right +1, abstaining 0, wrong −c, where the user chooses c.

The penalised score is TrustSQL's (Lee et al. 2024, "Reliability score"), per turn.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, stdev

from stef.gold.reading.behaviour import can_tell
from stef.gold.reading.rows import ReportRow
from stef.records.gold import CaseReport, Outcome
from stef.stats import mean
from stef.stats.bootstrap import LEVEL

_ABSTAINS = frozenset({Outcome.DECLINED, Outcome.CLARIFIED, Outcome.SMALL_TALK, Outcome.FAILED})


@dataclass(frozen=True, slots=True)
class Reliability:
    """The mean over `n` turns of +1 where right, 0 where abstained, −penalty where wrong; in [−penalty, 1].

    `low` and `high` are its 95 % interval (normal, of independent turns); None below two turns.
    """

    penalty: float
    n: int
    right: int
    abstained: int
    wrong: int
    score: float | None
    low: float | None
    high: float | None


def reliability_of(rows: Iterable[ReportRow], penalty: float) -> Reliability:
    """The penalised score of these turns; those that nothing can be said of are left out.

    A refusal that is right counts as right, one that is not as abstaining. A turn that failed gave no answer: it
    abstains. A query that does not run is a wrong one. Raises ValueError for a negative penalty.
    """
    if not penalty >= 0:
        raise ValueError(f"the penalty of a wrong answer must be at least 0, not {penalty!r}")
    points = [_points(row.report, penalty) for row in rows if row.report.correct is not None and can_tell(row.report)]
    low, high = _interval(points)
    return Reliability(
        penalty=penalty,
        n=len(points),
        right=sum(point == 1 for point in points),
        abstained=sum(point is None for point in points),
        wrong=sum(point is not None and point != 1 for point in points),
        score=mean(point or 0.0 for point in points),
        low=low,
        high=high,
    )


def _points(report: CaseReport, penalty: float) -> float | None:
    """What a turn counts; None where it abstains, which counts 0."""
    if report.correct is True:
        return 1
    return None if report.outcome in _ABSTAINS else -penalty


def _interval(points: list[float | None]) -> tuple[float | None, float | None]:
    if len(points) < 2:
        return None, None
    values = [point or 0.0 for point in points]
    half = NormalDist().inv_cdf((1 + LEVEL) / 2) * stdev(values) / sqrt(len(values))
    middle = sum(values) / len(values)
    return max(middle - half, min(values)), min(middle + half, max(values))
