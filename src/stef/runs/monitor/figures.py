"""The turns of one period → its figures, each with an interval."""

from collections import Counter
from collections.abc import Iterable, Sequence

from stef.findings.registry import FAULT
from stef.records.assessment import Band
from stef.runs.monitor.model import PeriodFigures, Share
from stef.runs.monitor.rows import DECLINED, READABLE, Watched, figure_of
from stef.runs.state import State
from stef.stats.clustered import clustered, mean_interval, percentile_interval, share_interval
from stef.stats.means import mean, percentile
from stef.stats.periods import Period

TENTH = 0.1


def period_figures(period: Period, turns: Sequence[Watched], level: float) -> PeriodFigures:
    """The figures of the `turns` of one period; the order of turns changes nothing."""
    scored = [(turn.cluster, turn.score) for turn in turns if turn.score is not None]
    aligned = [turn for turn in turns if turn.filters is not None]
    codes = sorted({code for turn in turns for code in turn.findings if code != FAULT})
    return PeriodFigures(
        period=period,
        turns=len(turns),
        questions=len({turn.cluster for turn in turns}),
        scored=len(scored),
        mean=mean(score for _, score in scored),
        mean_interval=mean_interval(clustered(scored), level),
        p10=percentile((score for _, score in scored), TENTH),
        p10_interval=percentile_interval(scored, TENTH, level),
        coverage=_share(((turn, turn.score is not None) for turn in turns), level),
        readable=_figure(turns, READABLE, level),
        declined=_figure(turns, DECLINED, level),
        bands={
            band.value: _share(((turn, turn.band == band.value) for turn in turns if turn.score is not None), level)
            for band in Band
        },
        findings={code: _share(((turn, code in turn.findings) for turn in aligned), level) for code in codes},
        filters={
            name: _share(((turn, turn.filters == name) for turn in aligned), level)
            for name in sorted({turn.filters for turn in aligned if turn.filters is not None})
        },
        reasons=dict(sorted(Counter(turn.reason for turn in turns if turn.reason is not None).items())),
        own=sum(turn.state is State.UNKNOWN for turn in turns),
    )


def _figure(turns: Iterable[Watched], name: str, level: float) -> Share:
    values = ((turn, figure_of(turn, name)) for turn in turns)
    return _share(((turn, value > 0.5) for turn, value in values if value is not None), level)


def _share(pairs: Iterable[tuple[Watched, bool]], level: float) -> Share:
    held = [(turn.cluster, float(so)) for turn, so in pairs]
    return Share(sum(so > 0 for _, so in held), len(held), share_interval(clustered(held), level))
