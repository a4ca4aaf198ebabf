"""The charts of a report. Each says in words what it shows, names its axes, and gives n."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stef.report.periods import Period
from stef.report.svg import Axis, drawing, line, path, tag, text, title
from stef.report.text import count, number, one_line, percent

_WIDTH = 640.0
SMALL = 372.0
"""Width of a chart that stands beside others: three of them in a row, and one on a phone."""


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One line of a forest plot: a difference with its interval, on n questions. `shown`: p after correction is low."""

    label: str
    mean: float
    low: float | None
    high: float | None
    n: int
    shown: bool
    main: bool = False


def distribution_svg(bins: Sequence[int], bands: Mapping[str, float], name: str) -> str:
    """A histogram of scores in equal bins from 0 to 100; `bands` are their lower bounds, drawn as lines."""
    width, height, left, bottom = SMALL, 190.0, 44.0, 150.0
    # Even, so that the middle of the axis is a whole number of turns.
    across, most = Axis(0, 100, left, width - 26), 2 * -(-max([*bins, 1]) // 2)
    up = Axis(0, most, bottom, 14)
    each = 100 / len(bins)
    parts = [line(left, bottom, width - 8, bottom, "axis")]
    for at in (0.0, most / 2, float(most)):
        y = up.at(at)
        parts += [line(left, y, width - 8, y, "grid"), text(left - 6, y + 4, f"{at:,.0f}", "end")]
    for name_of_band, bound in bands.items():
        if 0 < bound < 100:
            parts.append(line(across.at(bound), 0, across.at(bound), bottom, "bound"))
            parts.append(text(across.at(bound) + 3, 8, name_of_band, style="small"))
    for place, turns in enumerate(bins):
        if turns:
            x, y = across.at(place * each) + 1, min(up.at(turns), bottom - 1.5)
            span = f"{place * each:g} to {'100' if place == len(bins) - 1 else f'under {(place + 1) * each:g}'}"
            bar = title(f"{span}: {count(turns, 'turn')}")
            wide = across.at((place + 1) * each) - across.at(place * each) - 2
            parts.append(tag("rect", bar, x=x, y=y, width=wide, height=bottom - y, class_="bar"))
    parts += [text(across.at(at), bottom + 15, f"{at}", "middle") for at in (0, 25, 50, 75, 100)]
    total = sum(bins)
    parts.append(text((left + width) / 2, height - 6, f"score (n = {total:,} scored turns)", "middle"))
    return drawing(width, height, f"Distribution of the scores of {name}: {total:,} scored turns", parts)


def trend_svg(periods: Sequence[Period], unit: str, name: str, width: float = _WIDTH) -> str:
    """The mean score of each period with its interval, and the number of turns below. A gap stays a gap."""
    left, height = 40.0, 220.0
    floor = height - 74
    across = Axis(0, max(1, len(periods) - 1), left + 14, width - 26)
    up, most = Axis(0, 100, floor, 14), max([one.turns for one in periods] + [1])
    parts = []
    for at in (0, 25, 50, 75, 100):
        parts += [line(left, up.at(at), width - 8, up.at(at), "grid"), text(left - 6, up.at(at) + 4, f"{at}", "end")]
    parts += [path(points, "curve") for points in _stretches(periods, across, up)]
    half = min(9.0, 0.4 * (across.at(1) - across.at(0)))
    for place, one in enumerate(periods):
        x = across.at(place)
        said = f"{one.label}: {_mean(one)}, {one.scored:,} of {count(one.turns, 'turn')} scored"
        if one.mean is not None:
            if one.low is not None and one.high is not None:
                parts.append(line(x, up.at(one.low), x, up.at(one.high), "range"))
            parts.append(tag("circle", title(said), cx=x, cy=up.at(one.mean), r=3.2, class_="dot"))
        if one.turns:
            tall = max(1.0, 24 * one.turns / most)
            bar = {"x": x - half, "y": floor + 34 - tall, "width": 2 * half, "height": tall}
            parts.append(tag("rect", title(said), **bar, class_="count"))
    step = max(1, -(-len(periods) // int(width / 68)))
    parts += [
        text(across.at(place), floor + 48, periods[place].label, "middle") for place in range(0, len(periods), step)
    ]
    parts.append(text(left - 6, floor + 34, "n", "end"))
    parts.append(text((left + width) / 2, height - 6, f"mean score by {unit}, 95 % interval; n ≤ {most:,}", "middle"))
    return drawing(width, height, f"Mean score of {name} by {unit}, {len(periods)} {unit}s", parts)


def bands_svg(counts: Mapping[str, int], unscored: int, name: str) -> str:
    """One stacked bar: the share of each band among all turns, with the unscored at its end."""
    total = sum(counts.values()) + unscored
    across, parts, at = Axis(0, max(1, total), 0, 300), [], 0
    for band, turns in [*counts.items(), ("unscored", unscored)]:
        if turns:
            x, wide = across.at(at), across.at(at + turns) - across.at(at)
            said = title(f"{band}: {count(turns, 'turn')}, {percent(turns / total)}")
            parts.append(tag("rect", said, x=x, y=0, width=max(0.6, wide), height=14, class_=f"band-{band}"))
            at += turns
    shares = ", ".join(f"{band} {turns:,}" for band, turns in [*counts.items(), ("unscored", unscored)])
    return drawing(300, 14, f"Bands of {name}: {shares}", parts)


def share_svg(share: float, label: str) -> str:
    """A bar for a share from 0 to 1."""
    parts = [
        tag("rect", x=0, y=0, width=120, height=10, class_="rest"),
        tag("rect", x=0, y=0, width=max(0.0, min(1.0, share)) * 120.0, height=10, class_="bar"),
    ]
    return drawing(120, 10, label, parts)


def forest_svg(rows: Sequence[ForestRow], level: float, unit: str) -> str:
    """Differences B − A with their intervals, one line each, about the line of no difference."""
    left, tall = 230.0, 22.0
    bounds = [bound for row in rows for bound in (row.low, row.high, row.mean) if bound is not None]
    reach = min(100.0, max([1.0, *(abs(bound) for bound in bounds)]) * 1.08)
    across, end = Axis(-reach, reach, left, _WIDTH - 120), 26 + tall * len(rows)
    parts = [line(across.at(0), 8, across.at(0), end, "axis")]
    for at in _ticks(reach):
        parts += [line(across.at(at), 8, across.at(at), end, "grid")]
        parts.append(text(across.at(at), end + 15, number(at, 0 if reach > 4 else 1), "middle"))
    for place, row in enumerate(rows):
        y = 26 + tall * place
        style = "main" if row.main else "shown" if row.shown else "open"
        parts.append(text(left - 12, y + 4, one_line(row.label, 34), "end", "strong" if row.main else None))
        if row.low is not None and row.high is not None:
            parts.append(line(across.at(row.low), y, across.at(row.high), y, f"range {style}"))
        said = f"{one_line(row.label)}: {_signed(row.mean)}{_between(row)}, n = {row.n:,}"
        dot = {"cx": across.at(row.mean), "cy": y, "r": 5 if row.main else 4}
        parts.append(tag("circle", title(said), **dot, class_=f"dot {style}"))
        parts.append(text(_WIDTH - 112, y + 4, f"{_signed(row.mean)} (n = {row.n:,})", "start", "small"))
    parts.append(text(across.at(-reach), end + 32, "◂ A is better", "start", "small"))
    parts.append(text(across.at(reach), end + 32, "B is better ▸", "end", "small"))
    label = f"Difference B − A in points with {level * 100:.0f} % intervals, for all {unit} and {len(rows) - 1} slices"
    return drawing(_WIDTH, end + 40, label, parts)


def _ticks(reach: float) -> list[float]:
    step = next(size for size in (0.5, 1, 2, 5, 10, 20, 25, 50) if reach / size <= 4.5 or size == 50)
    return [step * at for at in range(int(-reach // step) + 1, int(reach // step) + 1)]


def _stretches(periods: Sequence[Period], across: Axis, up: Axis) -> list[list[tuple[float, float]]]:
    """The points of neighbouring periods that have a mean."""
    found: list[list[tuple[float, float]]] = [[]]
    for place, one in enumerate(periods):
        if one.mean is None:
            found.append([])
        else:
            found[-1].append((across.at(place), up.at(one.mean)))
    return found


def _mean(one: Period) -> str:
    interval = "" if one.low is None or one.high is None else f" [{one.low:.1f}, {one.high:.1f}]"
    return "no score" if one.mean is None else f"mean {one.mean:.1f}{interval}"


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


def _between(row: ForestRow) -> str:
    return "" if row.low is None or row.high is None else f" [{number(row.low)}, {number(row.high)}]"
