"""What belongs to what in a database, and the rows that belong to nothing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from stef.gold.validate.place import Place
from stef.records.live import LiveTable
from stef.records.result import Result
from stef.sql.probes import count_keys, count_orphans, some_orphans
from stef.sql.rewrite import Link

LEAST_SHARE = 0.8
"""The share of a column's rows that must have a parent before a column that only looks like a foreign key is one."""

LEAST_SHARE_DECLARED = 0.5
"""The same for one that is declared: where fewer rows have a parent, the link is broken."""

_FEWEST_ROWS = 5
_SOME = 3


@dataclass(frozen=True, slots=True)
class Orphaned:
    """A link with rows that have no parent: `orphans` of the `keyed` rows that have a key, and some of their keys."""

    link: Link
    declared: bool
    keyed: int
    orphans: int
    some: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of the rows with a key that have a parent."""
        return 1 - self.orphans / self.keyed

    def __str__(self) -> str:
        link = self.link
        by = "declared" if self.declared else f"inferred: {self.keyed - self.orphans:,} of {self.keyed:,} rows have one"
        some = f", such as {', '.join(self.some)}" if self.some else ""
        return (
            f"{self.orphans:,} of {link.table}({', '.join(link.columns)}) → {link.parent}"
            f"({', '.join(link.parent_columns)}){some} ({by})"
        )

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        link = self.link
        return {
            "table": link.table,
            "columns": list(link.columns),
            "parent": link.parent,
            "parent_columns": list(link.parent_columns),
            "declared": self.declared,
            "keyed": self.keyed,
            "orphans": self.orphans,
            "some": list(self.some),
        }


def orphaned(place: Place, table: str) -> tuple[Orphaned, ...]:
    """The links of a table that hold, and have orphans."""
    return tuple(
        one for one in _all(place, table) if one.share >= (LEAST_SHARE_DECLARED if one.declared else LEAST_SHARE)
    )


def broken(place: Place, table: str) -> tuple[Orphaned, ...]:
    """The declared links of a table that hold for so few rows that not the rows are wrong, but the link."""
    return tuple(one for one in _all(place, table) if one.declared and one.share < LEAST_SHARE_DECLARED)


def not_counted(place: Place) -> tuple[Link, ...]:
    """The links that were asked for and that the database gave no count of: it took too long, or types do not fit."""
    return tuple(place.memory.get("not_counted", ()))


def _all(place: Place, table: str) -> tuple[Orphaned, ...]:
    """The links of a table with rows that have no parent; asked of the database once."""
    known: dict[str, tuple[Orphaned, ...]] = place.memory.setdefault("orphaned", {})
    if table not in known:
        known[table] = tuple(_orphaned(place, table))
    return known[table]


def _orphaned(place: Place, name: str) -> Iterator[Orphaned]:
    table = place.table(name)
    if table is None or table.view:
        return
    for link, declared in links_of(place, table):
        keyed = place.number(count_keys(link, place.dialect))
        orphans = place.number(count_orphans(link, place.dialect)) if keyed else 0
        if keyed is None or orphans is None:
            place.memory.setdefault("not_counted", []).append(link)
        if not keyed or not orphans:
            continue
        if not declared and keyed < _FEWEST_ROWS:
            continue
        yield Orphaned(link, declared, keyed, orphans, _some_keys(place, link))


def links_of(place: Place, table: LiveTable) -> Iterator[tuple[Link, bool]]:
    """The links of a table, and whether each is declared."""
    linked: set[str] = set()
    for key in table.foreign_keys:
        parent = place.table(key.table)
        if parent is None or len(key.columns) != len(key.refers_to) or not all(key.refers_to):
            continue
        linked.update(column.casefold() for column in key.columns)
        yield Link(_full(table), key.columns, _full(parent), key.refers_to), True
    for column in table.columns:
        if column.name.casefold() not in linked:
            parent = _named_parent(place, table, column.name)
            if parent is not None:
                yield Link(_full(table), (column.name,), _full(parent), parent.primary_key), False


def _named_parent(place: Place, table: LiveTable, column: str) -> LiveTable | None:
    """The one other table that a column is named after: `film_id` after `film.film_id`, or after `film.id`."""
    found = [
        other
        for other in (place.schema.tables.values() if place.schema is not None else ())
        if other is not table and not other.view and len(other.primary_key) == 1 and _is_named_after(column, other)
    ]
    own = {key.casefold() for key in table.primary_key}
    if column.casefold() in own and len(own) == 1:
        return None  # a table's own key: two tables that share one need not belong to each other
    return found[0] if len(found) == 1 else None


def _is_named_after(column: str, parent: LiveTable) -> bool:
    bare, key = _bare(column), _bare(parent.primary_key[0])
    names = {_bare(parent.name), _bare(parent.name).removesuffix("s")}
    if key in {"id", "key", "code"}:
        return bare in {name + key for name in names}
    # A key such as `name` or `year` is no one's own: only one that says `id` is.
    return bare == key and key.endswith(("id", "key", "code", "no", "number"))


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _full(table: LiveTable) -> str:
    return f"{table.schema}.{table.name}" if table.schema else table.name


def _some_keys(place: Place, link: Link) -> tuple[str, ...]:
    found = place.run(some_orphans(link, place.dialect, _SOME))
    return tuple(_rows(found.columns)) if isinstance(found, Result) else ()


def _rows(columns: Iterable[Iterable[Any]]) -> Iterator[str]:
    for row in zip(*columns, strict=True):
        yield repr(row[0])[:40] if len(row) == 1 else repr(row)[:60]
