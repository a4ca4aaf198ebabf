"""SVG made by hand: every text is escaped, every number rounded, colours come from the page's style."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from stef.report.text import visible


def tag(name: str, *inside: str, **attributes: object) -> str:
    """One element; `class_` is the attribute `class`, and `_` in other names stands for `-`."""
    said = "".join(f' {_attribute(key)}="{_value(value)}"' for key, value in attributes.items() if value is not None)
    return f"<{name}{said}>{''.join(inside)}</{name}>" if inside else f"<{name}{said}/>"


def text(x: float, y: float, words: str, anchor: str = "start", style: str | None = None) -> str:
    """Words at a place."""
    return tag("text", escape(visible(words)), x=x, y=y, text_anchor=anchor, class_=style)


def title(words: str) -> str:
    """What a mark says when it is pointed at, and to a screen reader."""
    return tag("title", escape(visible(words)))


def line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style)


def path(points: Sequence[tuple[float, float]], style: str) -> str:
    """A line through points; nothing of less than two."""
    if len(points) < 2:
        return ""
    drawn = " ".join(f"{'L' if number else 'M'}{_value(x)} {_value(y)}" for number, (x, y) in enumerate(points))
    return tag("path", d=drawn, class_=style)


@dataclass(frozen=True, slots=True)
class Axis:
    """Maps values from `low` to `high` to places from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The place of a value."""
        span = self.high - self.low
        return self.start if not span else self.start + (value - self.low) / span * (self.end - self.start)


def drawing(width: float, height: float, label: str, parts: Sequence[str]) -> str:
    """The whole image, with what it shows in words."""
    return tag(
        "svg",
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        aria_label=visible(label),
    )


def _attribute(name: str) -> str:
    return "class" if name == "class_" else name if name == "viewBox" else name.replace("_", "-")


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{round(value, 1):g}"
    return escape(str(value))
