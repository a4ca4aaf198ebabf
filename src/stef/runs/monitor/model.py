"""What watching RUNs over time comes to."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from stef.stats.bootstrap import Interval
from stef.stats.dispersion import Dispersion
from stef.stats.mixture import Decomposition
from stef.stats.paired import Difference
from stef.stats.periods import By, Gap, Period
from stef.stats.sequential import Evidence


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `n`, with Wilson's interval for as many independent turns as these are worth. None where `n` is 0."""

    count: int
    n: int
    interval: Interval | None

    @property
    def share(self) -> float | None:
        """The share; None of nothing."""
        return self.count / self.n if self.n else None


@dataclass(frozen=True, slots=True)
class PeriodFigures:
    """One period. `mean` and `p10` are of the scored turns, in points; None where none is scored.

    `readable` is of the turns that hold SQL, `bands` of the scored ones, `findings` and `filters` of those that were
    aligned, `reasons` of all. `own` counts turns that are unscored by a reason of stef's.
    """

    period: Period
    turns: int
    questions: int
    scored: int
    mean: float | None
    mean_interval: Interval | None
    p10: float | None
    p10_interval: Interval | None
    coverage: Share
    readable: Share
    declined: Share
    bands: Mapping[str, Share]
    findings: Mapping[str, Share]
    filters: Mapping[str, Share]
    reasons: Mapping[str, int]
    own: int


class Blame(StrEnum):
    """What moved when the scores did."""

    SQL = "sql"  # questions of the same kind, or the same questions, score otherwise
    QUESTIONS = "questions"  # another mix of questions
    BOTH = "both"
    UNCLEAR = "unclear"  # neither can be shown by itself


@dataclass(frozen=True, slots=True)
class Move:
    """A share that is another after a change: how often among `before_n` and `after_n` questions (or turns).

    `p` is two-sided, corrected by Holm for all that were looked at with it.
    """

    name: str
    before: float
    after: float
    before_n: int
    after_n: int
    p: float

    @property
    def ratio(self) -> float | None:
        """How many times as often as before; None where it never was."""
        return self.after / self.before if self.before else None


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a figure changed, as far as can be told. Parts are in points.

    `parts`: what another mix of question kinds, and what other results within a kind, contribute. `again`: questions
    that were asked before and after, question by question. `questions`, `findings`, `classes`, `versions`: what is
    shown to be more or less frequent after it.
    """

    blame: Blame
    parts: Decomposition | None
    again: Difference | None
    questions: tuple[Move, ...]
    findings: tuple[Move, ...]
    classes: tuple[Move, ...]
    versions: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A figure changed from `since` on (between `earliest` and `latest`), and the test said so after `raised`.

    `sign` −1: it fell. `before`, `after`: its mean over questions, in points, in the periods up to the change, and
    from it until the next one. `p`: how often a scan of unchanging values finds one as large.
    """

    figure: str
    sign: int
    since: Period
    earliest: Period
    latest: Period
    raised: Period
    evidence: float
    before: float
    after: float
    before_questions: int
    after_questions: int
    p: float
    cause: Cause | None = None

    @property
    def difference(self) -> float:
        """After less before, in points."""
        return self.after - self.before

    @property
    def worse(self) -> bool:
        """Whether the agent's answers became worse: lower scores, less readable SQL, more declined."""
        return self.sign == WORSE.get(self.figure, 0)


WORSE: Mapping[str, int] = {"score": -1, "score_again": -1, "p_correct": -1, "readable": -1, "declined": 1}


RESTLESS = 0.01
"""The p from which on periods are said to differ by themselves."""


@dataclass(frozen=True, slots=True)
class Series:
    """The turns that are watched together: of one value of `--per`, measured by one yardstick.

    `evidence` holds for each figure that of its last test, `threshold` what raises an alarm. `changes` are those of
    the answers, `question_changes` those of the questions, in order of time. `dispersion`: how the scores of periods
    differ between two changes.
    """

    name: str | None
    yardstick: int
    periods: tuple[PeriodFigures, ...]
    gaps: tuple[Gap, ...]
    changes: tuple[Change, ...]
    question_changes: tuple[Change, ...]
    evidence: Mapping[str, Evidence]
    threshold: float
    dispersion: Dispersion | None = None

    @property
    def restless(self) -> bool:
        """Whether its periods are shown to differ by themselves, which the test does not allow for."""
        return self.dispersion is not None and self.dispersion.p < RESTLESS

    @property
    def standing(self) -> tuple[Change, ...]:
        """For each figure its last change, where that was for the worse."""
        last = {change.figure: change for change in self.changes}
        return tuple(change for change in last.values() if change.worse)


@dataclass(frozen=True, slots=True)
class YardstickChange:
    """From `since` on turns are measured otherwise: a new series, and no drift of the agent's."""

    since: Period
    what: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Monitored:
    """RUNs over time.

    `untimed` turns have no timestamp and stand in no period; `duplicates` were there twice and count once;
    `same_id` are other turns under the id of an earlier one. `early` turns lie before `--since`, `future` ones after
    now; `odd` are periods far off all others: a clock may be wrong. `rate` is the false-alarm rate of each series.
    """

    runs: tuple[str, ...]
    by: By
    zone: str
    rate: float
    series: tuple[Series, ...]
    judges: tuple[str, ...]
    yardsticks: tuple[YardstickChange, ...]
    turns: int
    untimed: int
    duplicates: int
    same_id: int
    early: int
    future: int
    odd: tuple[Period, ...]
    agents: tuple[str, ...]
    remarks: tuple[str, ...] = ()

    @property
    def current(self) -> tuple[Series, ...]:
        """Of each name the series that goes on last; those of earlier yardsticks have ended."""
        last: dict[str | None, Series] = {}
        for each in self.series:
            held = last.get(each.name)
            if held is None or each.periods[-1].period >= held.periods[-1].period:
                last[each.name] = each
        return tuple(last.values())
