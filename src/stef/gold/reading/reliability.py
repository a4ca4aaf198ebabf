"""One number for comparing agents that may abstain: right +1, abstaining 0, wrong −c, where the user chooses c.

It is the reliability score of TrustSQL (Lee et al. 2024, arXiv 2403.15879), but that a wrong refusal counts 0.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, sqrt
from statistics import NormalDist

from stef.gold.reading.behaviour import can_tell
from stef.gold.reading.rows import ReportRow
from stef.records.gold import CaseReport, Outcome
from stef.stats.bootstrap import LEVEL

_ABSTAINS = frozenset({Outcome.DECLINED, Outcome.CLARIFIED, Outcome.SMALL_TALK, Outcome.FAILED})


@dataclass(frozen=True, slots=True)
class Tally:
    """Turns that were right, that abstained, and that were wrong; those that nothing can be said of are in none."""

    right: int
    abstained: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """The mean over `n` turns of +1 where right, 0 where abstained, −penalty where wrong; in [−penalty, 1].

    `low` and `high` are its 95 % interval (normal, of independent turns); None below two turns.
    """

    penalty: float
    n: int
    score: float | None
    low: float | None
    high: float | None


def tally_of(rows: Iterable[ReportRow]) -> Tally:
    """The turns counted. A right refusal is right, a wrong one abstains.

    A turn that failed gave no answer: it abstains. A query that does not run was meant as an answer: it is wrong.
    """
    points = [_point(row.report) for row in rows if row.report.correct is not None and can_tell(row.report)]
    return Tally(points.count(1), points.count(0), points.count(-1))


def _point(report: CaseReport) -> int:
    if report.correct is True:
        return 1
    return 0 if report.outcome in _ABSTAINS else -1


def reliability_of(tally: Tally, penalty: float) -> Reliability:
    """The penalised score of a tally. Raises ValueError for a penalty that is negative or not finite."""
    if not (isfinite(penalty) and penalty >= 0):
        raise ValueError(f"the penalty of a wrong answer must be a number of at least 0, not {penalty!r}")
    n = tally.right + tally.abstained + tally.wrong
    if not n:
        return Reliability(penalty, 0, None, None, None)
    score = (tally.right - penalty * tally.wrong) / n
    if n < 2:
        return Reliability(penalty, n, score, None, None)
    variance = (tally.right + penalty**2 * tally.wrong - n * score**2) / (n - 1)
    half = NormalDist().inv_cdf((1 + LEVEL) / 2) * sqrt(max(variance, 0.0) / n)
    return Reliability(penalty, n, score, max(score - half, -penalty), min(score + half, 1.0))
