"""Hints after a question: "X refers to Y = 'z'", "percentage = DIVIDE(…)", "superpowers refers to power_name"."""

from dataclasses import dataclass

from stef.records.expressions import Span
from stef.records.reading import Formula, Mention, Tie


@dataclass(frozen=True, slots=True)
class Hints:
    """What the hints of an enriched question say."""

    mentions: tuple[Mention, ...] = ()
    ties: tuple[Tie, ...] = ()
    formulas: tuple[Formula, ...] = ()


def split_hints(text: str) -> tuple[str, tuple[Span, ...]]:
    """The question part of `text`, and the spans of its hints."""
    head, _, tail = text.partition("\n")
    if not tail.strip():
        return text, ()
    return head, ((len(head) + 1, len(text)),)


def read_hints(text: str, spans: tuple[Span, ...]) -> Hints:
    """What the hints at `spans` say."""
    return Hints()
