"""The turns of one period → its figures, each with an interval."""

import numpy as np

from stef.records.assessment import Band
from stef.runs.monitor.model import PeriodFigures, Share
from stef.runs.monitor.turns import DECLINED, READABLE, Watched
from stef.runs.numbering import Truths, Whole
from stef.runs.state import State
from stef.stats.clustered import (
    Clusters,
    clustered_columns,
    mean_interval,
    percentile_interval_columns,
    share_interval,
)
from stef.stats.means import mean, percentile
from stef.stats.periods import Period

TENTH = 0.1


def period_figures(period: Period, turns: Watched, level: float) -> PeriodFigures:
    """The figures of the `turns` of one period."""
    facts, at = turns.facts, turns.at
    counts = np.bincount(turns.fact, minlength=len(facts))
    here = counts > 0
    scored = ~np.isnan(turns.score)
    points, asked = turns.score[scored], at[scored]
    ordered = np.sort(points).tolist()
    every, of_scored, aligned = _Of(turns, at), _Of(turns, at, scored), _Of(turns, at, facts.aligned[turns.fact])
    readable, declined = (turns.figure(name) for name in (READABLE, DECLINED))

    def count(of: Truths) -> int:
        return int(counts[of].sum())

    return PeriodFigures(
        period=period,
        turns=len(turns),
        questions=int(at[-1]) + 1,
        scored=len(ordered),
        mean=mean(ordered),
        mean_interval=mean_interval(clustered_columns(asked, points), level),
        p10=percentile(ordered, TENTH),
        p10_interval=percentile_interval_columns(asked, points, TENTH, level),
        coverage=every.share(scored, level),
        readable=_Of(turns, at, ~np.isnan(readable)).share(readable > 0.5, level),
        declined=_Of(turns, at, ~np.isnan(declined)).share(declined > 0.5, level),
        bands={band.value: of_scored.saying("band", band.value, level) for band in Band},
        findings={code: aligned.saying("findings", code, level) for code in facts.values("findings", here)},
        filters={name: aligned.saying("filters", name, level) for name in facts.values("filters", here)},
        reasons={name: count(facts.says("reason", name)) for name in facts.values("reason", here)},
        own=count(facts.says("state", State.UNKNOWN)),
    )


class _Of:
    """Some turns of a period, of which shares are taken."""

    __slots__ = ("_at", "_held", "_sizes", "_turns")

    def __init__(self, turns: Watched, at: Whole, held: Truths | None = None) -> None:
        self._turns = turns
        self._at = at
        self._held = held
        self._sizes = np.bincount(at if held is None else at[held]).astype(np.float64)

    def saying(self, name: str, value: str, level: float) -> Share:
        """The share of those whose facts say so."""
        return self.share(self._turns.facts.says(name, value)[self._turns.fact], level)

    def share(self, so: Truths, level: float) -> Share:
        """The share of those that are so; `so` is given for all turns of the period."""
        at = self._at[so if self._held is None else so & self._held]
        sums = np.bincount(at, minlength=len(self._sizes)).astype(np.float64)
        there = self._sizes > 0
        found = Clusters(sums[there], self._sizes[there])
        return Share(len(at), found.n, share_interval(found, level))
