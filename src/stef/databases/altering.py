"""The rows of a database altered: as another day's data might be, by the same rules.

Declared keys stay unique, foreign keys mostly lead somewhere, numbers stay between the smallest and the largest of
their column, and text is text that the column has: so that a query which differs there is really another query.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from random import Random
from typing import Any, TypeAlias

from stef.records.live import LiveSchema, LiveTable

Row: TypeAlias = list[Any]
Tables: TypeAlias = dict[str, list[Row]]
"""Rows by the folded name of their table, each with its columns in the table's order."""

Constants: TypeAlias = Mapping[tuple[str, str], Sequence[Any]]
"""Values that queries compare a column with, by folded table and column: some rows get them, or their neighbours."""


class Alteration(StrEnum):
    """What is done to a copy."""

    SHIFTED = "values shifted"
    DROPPED = "rows dropped"
    DUPLICATED = "rows duplicated"
    NULLED = "NULLs added"


_SHIFTED_SHARE = 0.4
_DROPPED_SHARE = 0.3
_DUPLICATED_SHARE = 0.3
_NULLED_SHARE = 0.15
_CONSTANT_SHARE = 0.1
_FEW_VALUES = 5
"""A column with no more values than this is a code or a flag: it gets no value that it does not have."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """The columns of a table by what they are: places of keys, of columns that lead to another table, and the rest."""

    table: LiveTable
    keys: frozenset[int]
    links: Mapping[int, tuple[str, int]] = field(default_factory=dict)
    rest: tuple[int, ...] = ()
    nullable: tuple[int, ...] = ()


def alter(tables: Tables, schema: LiveSchema, how: Alteration, rng: Random, constants: Constants) -> Tables:
    """A copy of `tables`, altered in one way; the same for the same `rng`."""
    made = {name: [list(row) for row in rows] for name, rows in tables.items()}
    shapes = {name: _shape(schema, name, rows) for name, rows in tables.items()}
    for name, rows in made.items():
        _ALTER[how](rows, shapes[name], rng)
        if how is Alteration.SHIFTED:
            _put_constants(rows, shapes[name], rng, name, constants)
            _shift_links(rows, shapes[name], made, rng)
    _lead_somewhere(made, tables, shapes, rng)
    return made


def _shift(rows: list[Row], shape: _Shape, rng: Random) -> None:
    """Values of a column change places, and numbers move."""
    for place in shape.rest:
        chosen = [row for row in rows if rng.random() < _SHIFTED_SHARE]
        values = [row[place] for row in chosen]
        rng.shuffle(values)
        for row, value in zip(chosen, values, strict=True):
            row[place] = value
        _move_numbers(rows, place, rng)


def _move_numbers(rows: list[Row], place: int, rng: Random) -> None:
    values = {row[place] for row in rows if row[place] is not None and _hashable(row[place])}
    numbers = sorted(value for value in values if _is_number(value))
    if len(numbers) <= _FEW_VALUES or len(numbers) < len(values):
        return
    low, high = numbers[0], numbers[-1]
    for row in rows:
        if row[place] is not None and rng.random() < _SHIFTED_SHARE / 2:
            row[place] = min(max(_near(row[place], low, high, rng), low), high)


def _near(value: Any, low: Any, high: Any, rng: Random) -> Any:
    """A number near `value`, of its own type."""
    if isinstance(value, int):
        return value + rng.choice((-1, 1)) * rng.randint(1, max(1, (int(high) - int(low)) // 20))
    step = (float(high) - float(low)) / 20 * rng.uniform(-1, 1)
    if isinstance(value, Decimal):
        return value + Decimal(str(step)).quantize(Decimal(1).scaleb(int(value.as_tuple().exponent)))
    return value + step


def _drop(rows: list[Row], shape: _Shape, rng: Random) -> None:
    if len(rows) > 1:
        rows[:] = [row for row in rows if rng.random() >= _DROPPED_SHARE] or [rng.choice(rows)]
    del shape


def _duplicate(rows: list[Row], shape: _Shape, rng: Random) -> None:
    """Rows come a second time, under keys of their own; where a key cannot be made, the row does not."""
    if any(place in shape.links for place in shape.keys) and len(shape.keys) == 1:
        return
    again = [list(row) for row in rows if rng.random() < _DUPLICATED_SHARE]
    free = [place for place in shape.keys if place not in shape.links]
    if shape.keys and not free:
        return
    for place in free[:1]:
        numbers = [row[place] for row in rows if isinstance(row[place], int)]
        if len(numbers) == len(rows):
            top = max(numbers, default=0)
            for number, row in enumerate(again, 1):
                row[place] = top + number
        elif all(isinstance(row[place], str) for row in rows):
            for number, row in enumerate(again, 1):
                row[place] = f"{row[place]}~{number}"
        else:
            return
    rows.extend(again)


def _null(rows: list[Row], shape: _Shape, rng: Random) -> None:
    for place in shape.nullable:
        for row in rows:
            if rng.random() < _NULLED_SHARE:
                row[place] = None


_ALTER: Mapping[Alteration, Callable[[list[Row], _Shape, Random], None]] = {
    Alteration.SHIFTED: _shift,
    Alteration.DROPPED: _drop,
    Alteration.DUPLICATED: _duplicate,
    Alteration.NULLED: _null,
}


def _put_constants(rows: list[Row], shape: _Shape, rng: Random, name: str, constants: Constants) -> None:
    """Some rows get a value that a query asks for, or its neighbour: where `>` and `>=` part."""
    for place in shape.rest:
        asked = constants.get((name, shape.table.columns[place].name.casefold()), ())
        held = [row[place] for row in rows if row[place] is not None]
        # Where every row has a name of its own, no two get one.
        if not asked or not held or (isinstance(held[0], str) and len(set(map(repr, held))) == len(held)):
            continue
        fitting = [value for one in asked for value in _neighbours(one, held)]
        for row in rows if fitting else ():
            if rng.random() < _CONSTANT_SHARE:
                row[place] = rng.choice(fitting)


def _neighbours(value: Any, held: Sequence[Any]) -> list[Any]:
    """The value in the column's own type with its neighbours, as far as they may stand in the column."""
    if isinstance(value, str):
        return [value] if value in held else []
    whole = all(isinstance(one, int) and not isinstance(one, bool) for one in held)
    if not all(_is_number(one) for one in held):
        return []
    low, high = min(held), max(held)
    step = 1 if whole else abs(value) * 0.01 or 0.01
    kind = type(held[0])
    near = [kind(str(one)) if kind is Decimal else kind(one) for one in (value - step, value, value + step)]
    return [one for one in near if low <= one <= high]


def _shift_links(rows: list[Row], shape: _Shape, made: Tables, rng: Random) -> None:
    """Some rows come to belong to another parent, so that some parents have many rows and some have none."""
    for place, (parent, key) in shape.links.items():
        if place in shape.keys:
            continue
        there = [row[key] for row in made.get(parent, ()) if row[key] is not None]
        few = rng.sample(there, max(1, len(there) // 2)) if there else []
        for row in rows:
            if few and row[place] is not None and rng.random() < _SHIFTED_SHARE:
                row[place] = rng.choice(few)


def _lead_somewhere(made: Tables, before: Tables, shapes: Mapping[str, _Shape], rng: Random) -> None:
    """Rows whose parent has gone belong to another one, or go as well; rows that never had one stay."""
    for name, shape in shapes.items():
        for place, (parent, key) in shape.links.items():
            once = {row[key] for row in before.get(parent, ())}
            there = {row[key] for row in made.get(parent, ())}
            kept = []
            choices = sorted((value for value in there if value is not None), key=repr)
            for row in made[name]:
                if row[place] in once and row[place] not in there:
                    if not choices or place in shape.keys or rng.random() < 0.5:
                        continue
                    row[place] = rng.choice(choices)
                kept.append(row)
            made[name][:] = kept
        _keep_unique(made[name], shape)


def _keep_unique(rows: list[Row], shape: _Shape) -> None:
    if not shape.keys:
        return
    seen: set[tuple[Any, ...]] = set()
    kept = []
    for row in rows:
        key = tuple(row[place] for place in sorted(shape.keys))
        if key not in seen:
            seen.add(key)
            kept.append(row)
    rows[:] = kept


def _shape(schema: LiveSchema, name: str, rows: Sequence[Row]) -> _Shape:
    table = schema.tables[name]
    places = {column.name.casefold(): place for place, column in enumerate(table.columns)}
    links: dict[int, tuple[str, int]] = {}
    for foreign in table.foreign_keys:
        parent = schema.tables.get(foreign.table.casefold())
        if parent is None or len(foreign.columns) != 1 or foreign.columns[0].casefold() not in places:
            continue
        there = [one.name.casefold() for one in parent.columns]
        if foreign.refers_to[0].casefold() in there:
            at = places[foreign.columns[0].casefold()]
            links[at] = (foreign.table.casefold(), there.index(foreign.refers_to[0].casefold()))
    keys = {places[one.casefold()] for one in table.primary_key if one.casefold() in places}
    keys = keys or _undeclared_key(table, rows)
    named = {place for place, column in enumerate(table.columns) if _is_named_key(column.name)}
    rest = tuple(place for place in range(len(table.columns)) if place not in keys | named | links.keys())
    nullable = tuple(place for place in rest if table.columns[place].nullable)
    return _Shape(table, frozenset(keys), links, rest, nullable)


def _undeclared_key(table: LiveTable, rows: Sequence[Row]) -> set[int]:
    """The first column that is named like a key and has every value once."""
    for place, column in enumerate(table.columns):
        values = [row[place] for row in rows]
        if _is_named_key(column.name) and None not in values and len(set(map(repr, values))) == len(values):
            return {place}
    return set()


def _is_named_key(name: str) -> bool:
    """Named as what only holds rows together: such columns keep their values, where no key is declared."""
    bare = name.casefold()
    return bare == "id" or bare.endswith(("_id", "_key", "_code")) or name.endswith(("Id", "ID", "Key", "Code"))


def _is_number(value: Any) -> bool:
    match value:
        case bool():
            return False
        case int() | Decimal():
            return True
        case float():
            return math.isfinite(value)
        case _:
            return False


def _hashable(value: Any) -> bool:
    return not isinstance(value, list | dict | set)
