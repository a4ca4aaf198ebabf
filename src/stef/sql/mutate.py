"""Right queries made wrong in ways that agents are wrong: each function yields the query with one thing changed.

What is changed does not depend on the database's words: conjuncts, foreign keys and types say where. A mutant may still
give the same answer on given data; whether it does is for the caller to find out. A query that cannot be parsed, or
that has no place for a change, yields none.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from stef.records.live import LiveColumn, LiveSchema, LiveTable

Place = TypeVar("Place")

_FAN = "fan"
_MOST_OTHERS = 2


def without_filters(sql: str, dialect: str) -> Iterator[str]:
    """Without one conjunct of a WHERE or HAVING; an equality of two columns joins tables, and stays."""
    for tree, (clause, conjunct) in _changed(sql, dialect, _conjuncts):
        kept = [one for one in _and(clause.this) if one is not conjunct]
        if kept:
            clause.set("this", exp.and_(*kept, copy=False))
        else:
            clause.pop()
        yield tree.sql(dialect)


def _conjuncts(tree: exp.Expr) -> list[tuple[exp.Expr, exp.Expr]]:
    """Every conjunct that filters, with its clause."""
    clauses = tree.find_all(exp.Where, exp.Having)
    return [(clause, one) for clause in clauses for one in _and(clause.this) if not _joins(one)]


def _and(condition: exp.Expr) -> list[exp.Expr]:
    return [*condition.flatten()] if isinstance(condition, exp.And) else [condition]


def _joins(condition: exp.Expr) -> bool:
    sides = (condition.this, condition.expression) if isinstance(condition, exp.EQ) else ()
    return bool(sides) and all(isinstance(side, exp.Column) for side in sides)


def fanned_out(sql: str, dialect: str, schema: LiveSchema) -> Iterator[str]:
    """With the rows of one table multiplied, as by a join that goes on to a table with several rows for each."""
    for tree, (place, table) in _changed(sql, dialect, lambda tree: _tables(tree, schema)):
        fan = next(_fans(table, schema), None)
        if fan is not None:
            place.replace(fan.subquery(place.alias_or_name))
            yield tree.sql(dialect)


def _fans(table: LiveTable, schema: LiveSchema) -> Iterator[exp.Select]:
    """Queries for the table's rows, each as often as another table refers to it, or shares the first part of a key."""
    for other in schema.tables.values():
        for key in other.foreign_keys:
            if key.table.casefold() == table.name.casefold() and len(key.columns) == 1:
                yield _joined(table, key.refers_to[0], other, key.columns[0])
    for key in table.foreign_keys:
        referred = schema.tables.get(key.table.casefold())
        if referred is not None and len(key.columns) > 1:
            yield _joined(table, key.columns[0], referred, key.refers_to[0])


def _joined(table: LiveTable, column: str, other: LiveTable, same: str) -> exp.Select:
    rows = exp.select(exp.Column(this=exp.Star(), table=exp.to_identifier(table.name))).from_(exp.to_table(table.name))
    condition = exp.column(same, table=_FAN).eq(exp.column(column, table=table.name))
    return rows.join(exp.to_table(other.name).as_(_FAN, table=True), on=condition, join_type="left")


def with_other_columns(sql: str, dialect: str, schema: LiveSchema) -> Iterator[str]:
    """With one column of the output, or inside an aggregate, taken for another of its table and type."""
    for tree, (column, other) in _changed(sql, dialect, lambda tree: _shown_columns(tree, schema)):
        column.replace(exp.column(other.name, table=column.table or None))
        yield tree.sql(dialect)


def _shown_columns(tree: exp.Expr, schema: LiveSchema) -> list[tuple[exp.Column, LiveColumn]]:
    """Columns of base tables that are shown or aggregated, each with one that could be taken for it.

    What a query groups by, filters by, or hands on to the query around it stays: that would be another mistake.
    """
    tables = _tables(tree, schema)
    found = []
    for select in tree.find_all(exp.Select):
        if select.find_ancestor(exp.Where, exp.Having) is not None:
            continue
        owners = {place.alias_or_name: table for place, table in tables if place.find_ancestor(exp.Select) is select}
        whole = select is tree and select.args.get("group") is None
        for column in (one for shown in select.expressions for one in shown.find_all(exp.Column)):
            own = column.find_ancestor(exp.Select, exp.AggFunc)
            inside = isinstance(own, exp.AggFunc) and own.find_ancestor(exp.Select) is select
            if inside or (whole and own is select):
                found += [(column, other) for other in _others(column, owners)[:_MOST_OTHERS]]
    return found


def _others(column: exp.Column, owners: dict[str, LiveTable]) -> list[LiveColumn]:
    tables = [owners[column.table]] if column.table in owners else [] if column.table else [*owners.values()]
    name = column.name.casefold()
    for table in tables:
        own = next((one for one in table.columns if one.name.casefold() == name), None)
        if own is not None:
            return [one for one in table.columns if one.type == own.type and one is not own]
    return []


def cut_short(sql: str, dialect: str, rows: int) -> Iterator[str]:
    """With a LIMIT that keeps `rows` rows."""
    tree = _parsed(sql, dialect)
    if isinstance(tree, exp.Query):
        yield tree.limit(rows).sql(dialect)


def _tables(tree: exp.Expr, schema: LiveSchema) -> list[tuple[exp.Table, LiveTable]]:
    """The base tables that are read, where they stand; the name of a CTE is none."""
    named = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    places = ((place, place.name.casefold()) for place in tree.find_all(exp.Table))
    return [(place, schema.tables[name]) for place, name in places if name in schema.tables and name not in named]


def _changed(sql: str, dialect: str, places: Callable[[exp.Expr], list[Place]]) -> Iterator[tuple[exp.Expr, Place]]:
    """For each place a copy of the query to change there."""
    tree = _parsed(sql, dialect)
    if tree is None:
        return
    for index in range(len(places(tree))):
        copy = tree.copy()
        yield copy, places(copy)[index]


def _parsed(sql: str, dialect: str) -> exp.Expr | None:
    try:
        return parse_one(sql, read=dialect)
    except (SqlglotError, RecursionError):
        return None
