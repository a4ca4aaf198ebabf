"""A Comparison as a page shows it: the sentence, figures, a forest plot, and the questions that changed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from stef.report.causes import titles
from stef.report.charts import ForestRow
from stef.report.text import visible, words
from stef.runs.compare.model import Change, Comparison, Figure, Moved
from stef.runs.compare.words import between, headline, judge_noise, points, small_sample
from stef.runs.run import Run

MOST_CHANGES = 20
_CODE = re.compile("[a-z]+(_[a-z]+)*")
MOST_SLICES = 30


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A question that got worse or better, with the SQL of both sides."""

    change: Change
    said: tuple[str, ...]
    a_sql: str
    b_sql: str
    a_link: str
    b_link: str


@dataclass(frozen=True, slots=True)
class ShownComparison:
    """What the page says of a comparison. `figures` are rows of a table with their names."""

    found: Comparison
    headline: str
    small: str | None
    noise: str | None
    figures: tuple[tuple[str, Figure], ...]
    forest: tuple[ForestRow, ...]
    regressions: tuple[ShownChange, ...]
    improvements: tuple[ShownChange, ...]
    titles: Mapping[str, str]


def shown_comparison(found: Comparison, a: Run, b: Run) -> ShownComparison:
    """Put a comparison into the words and rows of a page; `a` and `b` are the RUNs of its sides."""
    return ShownComparison(
        found=found,
        headline=headline(found),
        small=small_sample(found),
        noise=judge_noise(found),
        figures=tuple(_figures(found)),
        forest=tuple(_forest(found)),
        regressions=_changes(found.regressions[:MOST_CHANGES], a, b),
        improvements=_changes(found.improvements[:MOST_CHANGES], a, b),
        titles={one.name: titles().get(one.name, "") for one in found.findings},
    )


def _figures(found: Comparison) -> Iterable[tuple[str, Figure]]:
    named = [(found.figure, found.main)]
    if found.as_zero is not None:
        named.append(("… unreadable as 0", found.as_zero))
    if found.declined_too is not None:
        named.append(("… declined as 0, too", found.declined_too))
    named += [(words(one.name), one) for one in found.others]
    return [(name, one) for name, one in named if one.difference.pairs]


def _forest(found: Comparison) -> Iterable[ForestRow]:
    if found.main.difference.mean is None or not found.slices:
        return
    yield _row("all", found.main, 1 - found.level, main=True)
    for one in found.slices[:MOST_SLICES]:
        if one.figure.difference.mean is not None:
            yield _row(f"{one.by} {one.value}", one.figure, 1 - found.level)


def _row(label: str, figure: Figure, alpha: float, *, main: bool = False) -> ForestRow:
    difference = figure.difference
    interval = difference.interval
    p = difference.p if figure.corrected is None else figure.corrected
    return ForestRow(
        label=label,
        mean=difference.mean or 0.0,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        n=difference.clusters,
        shown=p is not None and p <= alpha,
        main=main,
    )


def _changes(changes: Sequence[Change], a: Run, b: Run) -> tuple[ShownChange, ...]:
    before = _sql_of(a, [one.a_row for one in changes])
    after = _sql_of(b, [one.b_row for one in changes])
    second = 0 if a.path == b.path else 1
    return tuple(
        ShownChange(
            change=one,
            said=tuple(_said(one)),
            a_sql=visible(before.get(one.a_row) or "(none)"),
            b_sql=visible(after.get(one.b_row) or "(none)"),
            a_link=f"#turn=0-{one.a_row}",
            b_link=f"#turn={second}-{one.b_row}",
        )
        for one in changes
    )


def _sql_of(run: Run, rows: Sequence[int]) -> dict[int, str | None]:
    if not rows:
        return {}
    numbers = ", ".join(str(int(row)) for row in rows)
    return {one["row"]: one["sql"] for one in run.query(f"SELECT row, sql FROM turns WHERE row IN ({numbers})")}  # noqa: S608


def _said(change: Change) -> Iterable[str]:
    if change.same_sql:
        yield "the SQL is the same"
    yield from (_moved(one) for one in change.moved)
    if change.within_noise:
        yield "within the judge's noise"


def _moved(moved: Moved) -> str:
    match (moved.a, moved.b):
        case (None, after):
            return f"new {moved.what}: {_value(after)}"
        case (before, None):
            return f"gone {moved.what}: {_value(before)}"
        case (before, after):
            return f"{words(moved.what)}: {_value(before)} → {_value(after)}"


def _value(text: str | None) -> str:
    """A code in words; anything else as it is."""
    said = str(text)
    return words(said) if _CODE.fullmatch(said) else visible(said)


__all__ = ["ShownChange", "ShownComparison", "between", "points", "shown_comparison"]
