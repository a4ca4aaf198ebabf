"""Numbers of a question: digits and number words, with their marks."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stef.records.expressions import Span
from stef.records.reading import Word


@dataclass(frozen=True, slots=True)
class NumberMention:
    """A number as written, with its value.

    `ordinal`: "third", "2nd". `percent`: the value is as written (50 for "50%"). `currency`: "$", "€", "£"… or an
    ISO code. `first`, `last` are the places of its first and last word in the words it was found in. `quoted`: it
    stands inside quotes. `label`: it names something ("number 5", "#5", "id 7") and counts nothing.
    """

    text: str
    span: Span
    value: int | float
    first: int
    last: int
    ordinal: bool = False
    percent: bool = False
    currency: str | None = None
    quoted: bool = False
    label: bool = False


_PLAIN = re.compile(r"\d+(?:\.\d+)?")


def find_numbers(text: str, words: Sequence[Word]) -> tuple[NumberMention, ...]:
    """The numbers of `text` in order; `words` are its words. Digits inside names and codes are no numbers."""
    found = []
    for index, word in enumerate(words):
        plain = word.text.replace(",", "")
        if _PLAIN.fullmatch(plain):
            value = float(plain) if "." in plain else int(plain)
            found.append(NumberMention(text[slice(*word.span)], word.span, value, index, index))
    return tuple(found)
