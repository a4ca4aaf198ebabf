"""Which entries of a text are meant: by the line that they begin on, and by id where several begin there."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

Place: TypeAlias = tuple[int, str]
"""The line that an entry begins on (from 1), and its id."""

Entry = TypeVar("Entry")


def chosen(
    found: Iterable[tuple[int, frozenset[str], Entry]], values: Mapping[Place, Any]
) -> Iterator[tuple[Entry, Any]]:
    """The entries that `values` name, each with its value. `found` gives line, plain values and entry of all of them.

    An entry that holds no id of its own is the only one on its line.
    """
    by_line: defaultdict[int, list[tuple[frozenset[str], Entry]]] = defaultdict(list)
    for line, held, entry in found:
        by_line[line].append((held, entry))
    for (line, id_), value in values.items():
        here = by_line[line]
        named = [entry for held, entry in here if id_ in held]
        if len(named) == 1 or len(here) == 1:
            yield (named or [here[0][1]])[0], value


def newline_count(text: str, starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each start with its line, from 1; the starts in their order."""
    line, counted = 1, 0
    for start in starts:
        line += text.count("\n", counted, start)
        counted = start
        yield line, start
