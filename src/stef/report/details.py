"""The turns that a page can show whole: packed small, opened by the browser when somebody asks.

A page of 10,000 turns must open at once, so that nothing of them is in its markup. `index` holds columns for the list
and the search; `blocks` hold the rest, a few dozen turns each, sorted by question so that what is alike lies together.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

BLOCK = 64
"""Turns of one block."""


@dataclass(frozen=True, slots=True)
class Detail:
    """One turn as the list shows it (`columns`), and what opens under it (`body`); `text` is what it is sorted by."""

    text: str
    columns: Mapping[str, Any]
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Packed:
    """The turns, packed. `head` is plain data: the short names that columns point into. `texts` are the long ones."""

    head: Mapping[str, Any]
    index: str
    texts: str
    blocks: tuple[str, ...]
    turns: int


class Names:
    """Names that stand for their number, in the order in which they came."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str | None) -> int:
        """The number of a name; -1 for none."""
        return -1 if name is None else self._numbers.setdefault(name, len(self._numbers))

    def all(self) -> list[str]:
        """Every name, by its number."""
        return list(self._numbers)


def pack(
    details: Iterable[Detail], names: Mapping[str, Names], texts: Mapping[str, Names], extra: Mapping[str, Any]
) -> Packed:
    """Pack the turns. Columns point into `names`, short ones that the head holds with `extra`, or into `texts`."""
    ordered = sorted(details, key=lambda one: one.text)
    columns = list(ordered[0].columns) if ordered else []
    index = {name: [one.columns[name] for one in ordered] for name in columns}
    blocks = tuple(packed([one.body for one in part]) for part in _parts(ordered))
    worst = sorted(range(len(ordered)), key=lambda at: _lowest(ordered[at].columns))
    index["worst"] = worst
    head = {"names": {key: held.all() for key, held in names.items()}, "block": BLOCK, **extra}
    long = packed({key: held.all() for key, held in texts.items()})
    return Packed(head, packed(index), long, blocks, len(ordered))


def _lowest(columns: Mapping[str, Any]) -> tuple[Any, ...]:
    """The lowest scores first, what has none at the end; in a gold RUN the wrong ones first."""
    score, p = columns["score"], columns["p"]
    return columns["cause"] < 0, score is None, score or 0.0, 2.0 if p is None else p, columns["run"], columns["row"]


def packed(value: object) -> str:
    """Plain data as base64 of deflated JSON: letters that no markup can be made of."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode("ascii")


def in_script(value: object) -> str:
    """JSON that may stand in a `<script type="application/json">`: no `<`, `>` or `&` is left in it."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _parts(ordered: Sequence[Detail]) -> Iterator[Sequence[Detail]]:
    for start in range(0, len(ordered), BLOCK):
        yield ordered[start : start + BLOCK]
