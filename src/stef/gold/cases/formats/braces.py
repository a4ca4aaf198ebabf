"""Braces in a gold query: `SELECT {u.id, u.name} FROM u GROUP BY {}` accepts the id, the name, or both.

The meaning is defog's: queries are parted by semicolons; the first braces of a query list columns, every choice of at
least one of them in this order is acceptable, and empty braces later in the query repeat the choice. Braces inside
quotes and comments are text.
"""

import re
from collections.abc import Iterator
from itertools import combinations

_MOST_COLUMNS = 8
"""Columns in one pair of braces: 8 give 255 queries."""

_OPAQUE = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|`[^`]*`|--[^\n]*|/\*.*?\*/""", re.DOTALL)


class TooManyColumnsError(ValueError):
    """Braces that would stand for more queries than anybody can mean."""


def has_braces(sql: str) -> bool:
    """Whether braces that list columns stand in the query, outside of quotes and comments."""
    return any(not _is_struct(sql[start + 1 : end]) for start, end in _braces(sql))


def expand(sql: str) -> tuple[str, ...]:
    """Every query that `sql` accepts, in the order of defog: by query, then by number of columns.

    Raises TooManyColumnsError where one pair of braces lists more than 8.
    """
    return tuple(choice for query in _split(sql) for choice in _choices(query))


def _choices(query: str) -> Iterator[str]:
    places = [(start, end) for start, end in _braces(query) if not _is_struct(query[start + 1 : end])]
    if not places:
        yield query
        return
    start, end = places[0]
    columns = _columns(query[start + 1 : end])
    if len(columns) > _MOST_COLUMNS:
        raise TooManyColumnsError(f"{len(columns)} columns in braces; at most {_MOST_COLUMNS} can be written out")
    for size in range(1, len(columns) + 1):
        for chosen in combinations(columns, size):
            yield _filled(query, places, ", ".join(chosen))


def _filled(query: str, places: list[tuple[int, int]], text: str) -> str:
    """The query with `text` in its first braces and in all empty ones."""
    parts, position = [], 0
    for index, (start, end) in enumerate(places):
        if index == 0 or not query[start + 1 : end].strip():
            parts += [query[position:start], text]
            position = end + 1
    return "".join(parts) + query[position:]


def _columns(inside: str) -> list[str]:
    """What the commas part that stand in no parentheses."""
    columns, depth, begin = [], 0, 0
    for position, sign in enumerate(_blanked(inside)):
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            columns.append(inside[begin:position].strip())
            begin = position + 1
    return [column for column in (*columns, inside[begin:].strip()) if column]


def _split(sql: str) -> Iterator[str]:
    begin = 0
    for position, sign in enumerate(_blanked(sql) + ";"):
        if sign == ";":
            if query := sql[begin:position].strip():
                yield query
            begin = position + 1


def _braces(sql: str) -> Iterator[tuple[int, int]]:
    blanked = _blanked(sql)
    start = blanked.find("{")
    while start != -1:
        end = blanked.find("}", start)
        if end == -1:
            return
        yield start, end
        start = blanked.find("{", end)


def _is_struct(inside: str) -> bool:
    """Whether braces hold `key: value`, which some databases write for a struct."""
    return ":" in _blanked(inside).replace("::", "")


def _blanked(sql: str) -> str:
    """`sql` of the same length, with a space for every character in quotes and comments."""
    return _OPAQUE.sub(lambda found: " " * len(found.group()), sql)
