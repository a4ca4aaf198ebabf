"""An order that is not what it looks like: numbers that are text, and NULL among the first."""

from collections.abc import Iterator
from itertools import pairwise

from stef.gold.ranked import Ranked, ranked_by
from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject

NAME = "sorting"
TITLE = "numbers sorted as text, or NULL first"
NEEDS = Needs.DATABASE

_LEAST_NUMBERS = 0.9
_MOST_LOOKED_AT = 5_000


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each sort key that is text and holds numbers, and for each LIMIT that keeps rows without a key."""
    for gold in subject.golds:
        if gold.result is None or gold.place is None or gold.resolved is None or not gold.resolved.ordered:
            continue
        ranked = ranked_by(gold.sql, gold.dialect, gold.place.run)
        if ranked is not None:
            yield from _as_text(subject, gold, ranked)
            yield from _nulls(subject, gold, ranked)


def _as_text(subject: Subject, gold: Gold, ranked: Ranked) -> Iterator[Remark]:
    for column in ranked.result.columns[ranked.width :]:
        texts = [value for value in list(column)[:_MOST_LOOKED_AT] if value is not None]
        numbers = [number for text in texts if isinstance(text, str) and (number := _number(text)) is not None]
        if not texts or len(numbers) < _LEAST_NUMBERS * len(texts):
            continue
        if numbers not in (sorted(numbers), sorted(numbers, reverse=True)):
            yield Remark(
                NAME,
                Severity.FAILS,
                f"{subject.which(gold)}sorts numbers that are text: {_example(texts)}",
                "CAST the sort key to a number",
                gold.index,
            )


def _example(texts: list[str]) -> str:
    """Two neighbours that stand the wrong way round as numbers."""
    pairs = [(one, other) for one, other in pairwise(texts) if _number(one) != _number(other)]
    ups = [(one, other) for one, other in pairs if (_number(one) or 0) < (_number(other) or 0)]
    downs = [pair for pair in pairs if pair not in ups]
    rarer = min((ups, downs), key=len)
    return f"{rarer[0][0]!r} comes before {rarer[0][1]!r}" if rarer else ""


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "")) if any(map(str.isdigit, text)) else None
    except ValueError:
        return None


def _nulls(subject: Subject, gold: Gold, ranked: Ranked) -> Iterator[Remark]:
    if ranked.limit is None:
        return
    kept = range(ranked.offset, min(ranked.result.rows, ranked.offset + ranked.limit))
    keys = ranked.result.columns[ranked.width :]
    first = list(keys[0]) if keys else []
    without = sum(first[place] is None for place in kept) if first else 0
    if without and any(value is not None for value in first):
        yield Remark(
            NAME,
            Severity.DOUBTS,
            f"{subject.which(gold)}keeps {without:,} {'row' if without == 1 else 'rows'} whose sort key is NULL, "
            "though others have one",
            "leave rows without a key out (IS NOT NULL), or sort them last",
            gold.index,
            facts={"without_key": without},
        )
