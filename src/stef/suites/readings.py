"""What the ruler reads of each mock agent, held against what it must read."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from stef.gold.reading.figures import Rate
from stef.gold.reading.overview import AgentOverview
from stef.records.gold import Bucket, CaseReport
from stef.suites.mutants import BUCKETS, Mistake, Mutant

Reports = Mapping[str, CaseReport]
"""An agent's reports by case."""


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `n`; its value is undefined where n is 0."""

    count: int
    n: int

    @property
    def value(self) -> float | None:
        """The share; None of nothing."""
        return self.count / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class Figures:
    """How often an agent is right, and how right its refusals are."""

    accuracy: Share
    decline_precision: Share
    decline_recall: Share


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of an agent, and what must be: its figures, and the `bucket` of all that it does wrong."""

    agent: str
    read: Figures
    must: Figures
    bucket: Bucket
    buckets: Mapping[Bucket, int]
    bent: tuple[str, ...]

    @property
    def straight(self) -> bool:
        """Whether all figures are what they must be, and every wrong turn has the right name."""
        return self.read == self.must and not self.bent


@dataclass(frozen=True, slots=True)
class MutantReading:
    """What was read of an agent that makes one mistake everywhere.

    `planted` queries have it; in `changed` of them it changes the answer, and `fell_right` of these fell in a bucket
    that is right for it. `equivalent` are the cases where it changes nothing on this data: they must be read as right.
    `bent` says what was read otherwise.
    """

    mistake: Mistake
    planted: int
    changed: int
    fell_right: int
    equivalent: tuple[str, ...]
    buckets: Mapping[Bucket, int]
    bent: tuple[str, ...]

    @property
    def straight(self) -> bool:
        """Whether the mistake changed anything at all, and every turn was read as it must be."""
        return self.changed > 0 and not self.bent


def reading_of(found: AgentOverview, reports: Reports, must: Figures, bucket: Bucket) -> Reading:
    """What a run's overview says of an agent, whose wrong turns must all fall in `bucket`."""
    declines = found.behaviour.decline if found.behaviour is not None else None
    wrong = {case: report for case, report in reports.items() if report.correct is not True}
    return Reading(
        agent=found.agent or "",
        read=Figures(
            accuracy=_share(found.whole.correct),
            decline_precision=_share(declines.precision if declines else None),
            decline_recall=_share(declines.recall if declines else None),
        ),
        must=must,
        bucket=bucket,
        buckets=found.buckets,
        bent=tuple(f"{case}: {_read_as(report)}" for case, report in wrong.items() if report.bucket is not bucket),
    )


def _share(rate: Rate | None) -> Share:
    return Share(rate.count, rate.n) if rate is not None else Share(0, 0)


def mutant_reading(mistake: Mistake, mutants: Mapping[str, Mutant], reports: Reports) -> MutantReading:
    """What was read of the agent that makes `mistake`; a case without a report counts as bent."""
    changed = {case: reports.get(case) for case, mutant in mutants.items() if mutant.changed}
    equivalent = {case: reports.get(case) for case, mutant in mutants.items() if not mutant.changed}
    fell_right = [case for case, report in changed.items() if report and report.bucket in BUCKETS[mistake]]
    passed = [case for case, report in equivalent.items() if report and report.correct is True]
    return MutantReading(
        mistake=mistake,
        planted=len(mutants),
        changed=len(changed),
        fell_right=len(fell_right),
        equivalent=tuple(equivalent),
        buckets=_buckets({case: report for case, report in changed.items() if report}),
        bent=tuple(
            f"{case}: {_read_as(report)}{', though its answer is right' if case in equivalent else ''}"
            for case, report in {**changed, **equivalent}.items()
            if case not in fell_right and case not in passed
        ),
    )


def _buckets(reports: Reports) -> dict[Bucket, int]:
    """How many turns fell in each bucket, the commonest first."""
    return dict(Counter(report.bucket for report in reports.values() if report.bucket).most_common())


def _read_as(report: CaseReport | None) -> str:
    if report is None:
        return "not read at all"
    return "right" if report.correct is True else report.bucket or "undecided"
