"""Curves as inline SVG, made of numbers only; colours come from the page's style."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

SIZE = 320
_MARGIN = 44
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def reliability_svg(bins: Sequence[Mapping[str, Any]]) -> str:
    """The share right over the mean probability of each bin, with its interval; the area of a dot goes with turns."""
    most = max((one["turns"] for one in bins), default=1)
    parts: list[str] = []
    for one in bins:
        x, y = _x(one["mean_p"]), _y(one["share_right"])
        if one["interval"] is not None:
            low, high = (_y(bound) for bound in one["interval"])
            parts.append(f'<line class="range" x1="{x}" x2="{x}" y1="{low}" y2="{high}"/>')
        radius = round(2.5 + 5.5 * (one["turns"] / most) ** 0.5, 1)
        title = (
            f"p_correct {one['low']:.2f} to {one['high']:.2f}: {one['turns']} turns, mean {one['mean_p']:.3f}, "
            f"right {one['share_right']:.3f}"
        )
        parts.append(f'<circle class="dot" cx="{x}" cy="{y}" r="{radius}"><title>{title}</title></circle>')
    line = _path((one["mean_p"], one["share_right"]) for one in bins)
    return _frame("Reliability curve", "mean p_correct", "share right", [_curve(line), *parts])


def roc_svg(points: Sequence[Sequence[float]]) -> str:
    """Right turns accepted over wrong turns accepted, at every threshold."""
    return _frame(
        "ROC curve", "wrong turns accepted", "right turns accepted", [_curve(_path((x, y) for x, y in points))]
    )


def _curve(path: str) -> str:
    return f'<path class="curve" d="{path}"/>' if path else ""


def _path(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{'L' if number else 'M'}{_x(x)} {_y(y)}" for number, (x, y) in enumerate(points))


def _x(share: float) -> float:
    return round(_MARGIN + share * SIZE, 1)


def _y(share: float) -> float:
    return round(10 + (1.0 - share) * SIZE, 1)


def _frame(name: str, across: str, up: str, parts: Sequence[str]) -> str:
    """The axes from 0 to 1, the diagonal, and `parts` over them."""
    width, height = _MARGIN + SIZE + 12, SIZE + 10 + _MARGIN
    grid = "".join(
        f'<line class="grid" x1="{_x(at)}" x2="{_x(at)}" y1="{_y(0)}" y2="{_y(1)}"/>'
        f'<line class="grid" x1="{_x(0)}" x2="{_x(1)}" y1="{_y(at)}" y2="{_y(at)}"/>'
        f'<text x="{_x(at)}" y="{_y(0) + 16}" text-anchor="middle">{at:g}</text>'
        f'<text x="{_x(0) - 6}" y="{_y(at) + 4}" text-anchor="end">{at:g}</text>'
        for at in _TICKS
    )
    middle = _y(0.5)
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{name}">'
        f'{grid}<line class="diagonal" x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}"/>{"".join(parts)}'
        f'<text x="{_x(0.5)}" y="{height - 6}" text-anchor="middle">{across}</text>'
        f'<text x="12" y="{middle}" text-anchor="middle" transform="rotate(-90 12 {middle})">{up}</text></svg>'
    )
