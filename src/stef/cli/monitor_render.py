"""What `stef monitor` found, for people: sentences first, then the periods, then what stands behind a change."""

from collections.abc import Iterator

from stef.cli.screen import Grid, count, number, one_line, percent, show
from stef.records.assessment import Band
from stef.runs.monitor.model import Monitored, PeriodFigures, Series, Share
from stef.runs.monitor.words import details, headlines, together
from stef.stats.bootstrap import Interval
from stef.stats.periods import By

_LEFT = frozenset({"period", ""})
_MOST_FINDINGS = 5


def show_monitored(found: Monitored, last: int, level: float, titles: dict[str, str]) -> None:
    """Print it, with the `last` periods of each series (0: all)."""
    for line in headlines(found, titles):
        show(one_line(line, 600))
    for each in found.series:
        show()
        _show_series(found, each, last, level)
        _show_changes(each, titles)
    remarks = list(_remarks(found))
    if remarks:
        show()
        for remark in remarks:
            show(one_line(remark, 300))


def _show_series(found: Monitored, each: Series, last: int, level: float) -> None:
    name = f"{one_line(each.name, 60) or '(none)'}, " if each.name is not None else ""
    cut = max(0, len(each.periods) - last) if last else 0
    more = f"; the first {cut:,} are not shown (--last 0 shows all)" if cut else ""
    title = f"{name}judged by {one_line(found.judges[each.yardstick], 60)}, by {found.by.value} in {found.zone}{more}"
    headers = (
        "period", "", "turns", "mean", f"{level:.0%} of it".replace("%", " %"), "P10", "coverage", "readable", "±",
        "declined", *(band.value for band in Band),
    )  # fmt: skip
    Grid(headers, list(_rows(found, each, cut)), _LEFT, title, keys=1).show()


def _rows(found: Monitored, each: Series, cut: int) -> Iterator[list[str]]:
    gaps = {gap.before: gap for gap in each.gaps}
    marks: dict[str, str] = {}
    for group in together(each.changes):
        label = group[0].since.label
        marks[label] = marks.get(label, "") + ("▼" if group[0].sign < 0 else "▲")
    width = 9 + len(Band)
    for one in each.periods[cut:]:
        gap = gaps.get(one.period)
        if gap is not None:
            yield [f"… {count(gap.length, _NOUNS[found.by])} without turns", *("" for _ in range(width))]
        yield [one.period.label, marks.get(one.period.label, ""), *_figures(one)]


_NOUNS = {By.DAY: "day", By.WEEK: "week", By.HOUR: "hour"}


def _figures(one: PeriodFigures) -> list[str]:
    return [
        f"{one.turns:,}",
        number(one.mean),
        _between(one.mean_interval),
        number(one.p10),
        percent(one.coverage.share),
        percent(one.readable.share),
        _half(one.readable),
        percent(one.declined.share),
        *(percent(one.bands[band.value].share) for band in Band),
    ]


def _between(interval: Interval | None) -> str:
    return "–" if interval is None else f"{interval.low:.1f}–{interval.high:.1f}"


def _half(share: Share) -> str:
    return "–" if share.interval is None else f"{50 * share.interval.width:.1f}"


def _show_changes(each: Series, titles: dict[str, str]) -> None:
    for group in together(each.changes):
        show()
        show(f"The change of {group[0].since.label}:")
        for line in details(group[0], titles):
            show(f"  {one_line(line, 600)}")


def _remarks(found: Monitored) -> Iterator[str]:
    yield from found.remarks
    if found.untimed:
        yield f"{count(found.untimed, 'turn')} without a timestamp: in no period, and counted nowhere above"
    if found.duplicates:
        yield f"{count(found.duplicates, 'turn')} there twice (same id, moment and question): counted once"
    if found.same_id:
        yield f"{count(found.same_id, 'turn')} under the id of another one: counted, as moment or question differ"
    if found.early:
        yield f"{count(found.early, 'turn')} before --since: left out"
    if found.future:
        yield f"{count(found.future, 'turn')} in the future: is a clock wrong?"
    if found.odd:
        names = ", ".join(period.label for period in found.odd[:5])
        yield f"far off all the others: {names}: is a clock wrong? --since leaves out what is too early"
    if len(found.agents) > 1 and all(each.name is None for each in found.series):
        yield f"{len(found.agents):,} agents are watched together: another mix of them is a drift, too (--per agent)"
    yield from _restless(found)
    own = sum(one.own for each in found.series for one in each.periods)
    if own:
        yield f"{count(own, 'turn')} unscored by a reason of stef's own: they say nothing of the agent"


def _restless(found: Monitored) -> Iterator[str]:
    for each in found.series:
        if each.restless and each.dispersion is not None:
            lead, times = f"{each.name}: " if each.name else "", f"{each.dispersion.ratio:.1f} times"
            yield (
                f"{lead}{_NOUNS[found.by]}s differ by themselves, {times} as much as their turns explain: "
                "alarms come more often than the false-alarm rate says"
            )
