"""The rows that an answer speaks of, laid out for looking things up."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from math import isfinite
from typing import Any

from stef.records.result import Result

MOST_ROWS = 5_000
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_NUMERIC = re.compile(r"[^\d\-+.]{0,2}([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s?%?")
_IN_TEXT = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)")


@dataclass(frozen=True)
class Table:
    """Columns by name, at most 5,000 rows of them. `cut`: there are more."""

    names: tuple[str, ...]
    columns: tuple[tuple[Any, ...], ...]
    rows: int
    cut: bool = False

    @cached_property
    def numbers(self) -> tuple[tuple[tuple[int, float], ...], ...]:
        """Of each column its numbers, each with its row; text that is all number counts."""
        return tuple(
            tuple((row, number) for row, value in enumerate(column) if (number := number_of(value)) is not None)
            for column in self.columns
        )

    @cached_property
    def texts(self) -> tuple[tuple[int, int, str], ...]:
        """Row, column and folded text of every cell that is text."""
        return tuple(
            (row, place, fold(value))
            for place, column in enumerate(self.columns)
            for row, value in enumerate(column)
            if isinstance(value, str) and value.strip()
        )

    @cached_property
    def dates(self) -> tuple[tuple[str, datetime], ...]:
        """Every cell that is a date, with its column's name; text in ISO form counts."""
        return tuple(
            (name, moment)
            for name, column in zip(self.names, self.columns, strict=True)
            for value in column
            if (moment := moment_of(value)) is not None
        )

    @cached_property
    def words_of_rows(self) -> tuple[frozenset[str], ...]:
        """The words of the cells of each row."""
        found: list[set[str]] = [set() for _ in range(self.rows)]
        for row, _, text in self.texts:
            found[row].update(_WORD.findall(text))
        return tuple(map(frozenset, found))

    @cached_property
    def numbers_in_texts(self) -> frozenset[float]:
        """Numbers that stand as words in text cells: "Boeing 737"."""
        return frozenset(float(found) for _, _, text in self.texts for found in _IN_TEXT.findall(text))

    def named_in(self, sentence: str) -> frozenset[int]:
        """The rows of which a text cell stands in the (folded) sentence; worked out once a sentence."""
        if sentence not in self._named:
            self._named[sentence] = frozenset(
                row for row, _, text in self.texts if len(text) > 1 and text in sentence and stands(text, sentence)
            )
        return self._named[sentence]

    @cached_property
    def _named(self) -> dict[str, frozenset[int]]:
        return {}


def table_of_rows(rows: Sequence[Mapping[str, Any]]) -> Table:
    """The rows that a turn says its agent showed."""
    names = tuple(dict.fromkeys(name for row in rows[:MOST_ROWS] for name in row))
    kept = rows[:MOST_ROWS]
    return Table(names, tuple(tuple(row.get(name) for row in kept) for name in names), len(kept), len(rows) > len(kept))


def table_of_result(result: Result) -> Table:
    """The rows that a query gives."""
    columns = tuple(tuple(_first(column, MOST_ROWS)) for column in result.columns)
    rows = min(result.rows, MOST_ROWS)
    return Table(result.names, columns, rows, result.cut is not None or result.rows > rows)


def _first(column: Iterable[Any], most: int) -> Iterator[Any]:
    for _, value in zip(range(most), column, strict=False):
        yield value


def number_of(value: Any) -> float | None:
    """The number that a cell is; None for anything else. A bool is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float | Decimal):
        try:
            number = float(value)
        except OverflowError:
            return None
        return number if isfinite(number) else None
    if isinstance(value, str) and len(value) < 40 and (found := _NUMERIC.fullmatch(value.strip())):
        return float(found.group(1).replace(",", ""))
    return None


def moment_of(value: Any) -> datetime | None:
    """The moment that a cell is, without its zone; None for anything else."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day)
    if isinstance(value, str) and 8 <= len(value) <= 40 and value[:4].isdecimal():
        try:
            return datetime.fromisoformat(value.strip()).replace(tzinfo=None)
        except ValueError:
            return None
    return None


def fold(text: str) -> str:
    """Text without case and needless spaces, with plain quotes and dashes."""
    return " ".join(text.translate(_PLAIN).casefold().split())


_PLAIN = str.maketrans({**dict.fromkeys("‘’´`ʼ", "'"), **dict.fromkeys("“”„", '"'), **dict.fromkeys("‐‑–—−", "-")})


def words_of(text: str) -> tuple[str, ...]:
    """The folded words of a text."""
    return tuple(_WORD.findall(fold(text)))


def stands(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text as whole words; both folded."""
    at = text.find(phrase)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(phrase) : at + len(phrase) + 1]
        if not (_joins(before, phrase[0]) or _joins(after, phrase[-1])):
            return True
        at = text.find(phrase, at + 1)
    return False


def _joins(outside: str, inside: str) -> bool:
    return bool(outside) and outside.isalnum() and inside.isalnum()
