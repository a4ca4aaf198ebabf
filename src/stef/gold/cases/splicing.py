"""Which entries of a text are meant: by the line that they begin on, and by id where several begin there."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

Place: TypeAlias = tuple[int, str]
"""The line that an entry begins on (from 1), and its id."""

Entry = TypeVar("Entry")
_PLACE = re.compile(r":\d+$")


def chosen(
    found: Iterable[tuple[int, frozenset[str], Entry]], values: Mapping[Place, Any]
) -> Iterator[tuple[Entry, Any]]:
    """The entries that `values` name, with their values. `found` gives line, plain values and entry of all."""
    by_line: defaultdict[int, list[tuple[frozenset[str], Entry]]] = defaultdict(list)
    for line, held, entry in found:
        by_line[line].append((held, entry))
    for (line, id_), value in values.items():
        here = by_line[line]
        named = [entry for held, entry in here if id_ in held]
        # An entry without an id goes by its file and place: `cases.yaml:12`.
        if not named and len(here) == 1 and _PLACE.search(id_):
            named = [here[0][1]]
        if len(named) == 1:
            yield named[0], value


def newline_count(text: str, starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Each start with its line, from 1; the starts in their order."""
    line, counted = 1, 0
    for start in starts:
        line += text.count("\n", counted, start)
        counted = start
        yield line, start
