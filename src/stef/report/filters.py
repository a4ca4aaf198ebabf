"""How templates write figures and codes."""

from collections.abc import Mapping
from typing import Any

from stef.report.text import DASH, count, number, one_line, percent, visible, words
from stef.report.wording import SHARES
from stef.runs.compare.words import between, points
from stef.stats.bootstrap import Interval


def seen(value: object) -> object:
    """What a template puts out: text with a sign for each character that would act and not be seen."""
    return value if hasattr(value, "__html__") or not isinstance(value, str) else visible(value)


def figure(estimate: Mapping[str, Any], name: str) -> str:
    """A figure of agreement: a share in per cent, anything else with three digits."""
    value = estimate["value"]
    if value is None:
        return DASH
    return percent(value) if name in SHARES else f"{value:.3f}"


def interval_of(estimate: Mapping[str, Any], name: str) -> str:
    """Its interval; empty where there is none."""
    found = estimate["interval"]
    if found is None:
        return ""
    low, high = found
    return f"{low * 100:.1f} to {high * 100:.1f}" if name in SHARES else f"{low:.3f} to {high:.3f}"


def signed(value: float | None) -> str:
    """Points with their sign; a dash where there are none."""
    return DASH if value is None else points(value, signed=True)


def bracketed(interval: Interval | None) -> str:
    """An interval in brackets; a dash where there is none."""
    return between(interval).strip() or DASH


def p_value(value: float | None) -> str:
    """A p; a dash where there is none."""
    if value is None:
        return DASH
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


FILTERS = {
    "number": number,
    "percent": percent,
    "count": count,
    "words": words,
    "one_line": one_line,
    "figure": figure,
    "range": interval_of,
    "signed": signed,
    "bracketed": bracketed,
    "p": p_value,
}
"""Filters by the names that templates use."""
