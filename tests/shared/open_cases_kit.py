"""What the cases of `open.yaml` say, in stef's terms: statements with expectations, Specs without table names."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from typing import Any

from stef.records.expressions import Agg, Column
from stef.records.predicates import Clause
from stef.records.spec import SetOp, Source, Spec
from stef.sql import read_sql

PARTS = ("variants", "equivalents", "near_misses", "also_right")
MAIN = "main"


@dataclass(frozen=True)
class Statement:
    """One SQL text of a case, with what is expected of it."""

    name: str
    case: dict[str, Any]
    sql: str
    expect: dict[str, Any]

    @property
    def dialect(self) -> str:
        """The dialect of the case."""
        return str(self.case["dialect"])

    @property
    def ddl(self) -> tuple[str, ...]:
        """The CREATE statements of the case, without its rows."""
        text = self.case.get("tables", {}).get("ddl", "")
        return tuple(part.strip() for part in text.split(";") if part.strip().upper().startswith("CREATE TABLE"))


def sql_of(case: dict[str, Any]) -> str:
    """The SQL of a case, built where it is given as a recipe."""
    if "sql" in case:
        return str(case["sql"])
    build = case["sql_build"]
    if "unit" in build:
        body = build["joiner"].join(build["unit"].replace("{i}", str(i)) for i in range(build["count"]))
    else:
        body = build["nest_open"] * build["depth"] + build["nest_core"] + build["nest_close"] * build["depth"]
    return str(build.get("head", "")) + body + str(build.get("tail", ""))


def statements(case: dict[str, Any]) -> Iterator[Statement]:
    """The statement under test, then those that stand beside it."""
    expect = case["expect"]
    yield Statement(f"{case['id']}/{MAIN}", case, sql_of(case), expect)
    for part in PARTS:
        for index, other in enumerate(expect.get(part, ())):
            yield Statement(f"{case['id']}/{part}[{index}]", case, other["sql"], other)


def bare(thing: Any) -> Any:
    """A part of a Spec as nested tuples, without the names of tables and in an order that does not matter."""
    if isinstance(thing, Column):
        return ("column", thing.name)
    if isinstance(thing, Clause):
        return ("clause", *sorted({repr(bare(one)) for one in thing.predicates}))
    if isinstance(thing, Source):
        return ("source", thing.table.rpartition(".")[2], bare(thing.query))
    if is_dataclass(thing) and not isinstance(thing, type):
        inside = (
            bare(getattr(thing, field.name)) for field in fields(thing) if field.compare and field.name != "sources"
        )
        return (type(thing).__name__, *inside)
    if isinstance(thing, tuple):
        return tuple(bare(one) for one in thing)
    return thing


def spec_of(sql: str, dialect: str) -> Spec:
    """The Spec of a query that is known to be readable."""
    reading = read_sql(sql, dialect)
    assert reading.spec is not None, f"{sql!r}: {reading.unreadable}"
    return reading.spec


def expression(text: str, dialect: str) -> Any:
    """An expected expression, read by the same reader."""
    spec = spec_of(f"SELECT {text} FROM t", dialect)
    assert not isinstance(spec, SetOp)
    return bare(spec.projections[0].expr)


def condition(column: str, op: str, value: Any) -> str:
    """An expected filter as SQL."""
    match op:
        case "in year":
            return f"{column} >= '{value}-01-01' AND {column} < '{int(value) + 1}-01-01'"
        case "in month":
            year, month = (int(part) for part in str(value).split("-"))
            after = date(year + month // 12, month % 12 + 1, 1)
            return f"{column} >= '{value}-01' AND {column} < '{after}'"
        case "between":
            return f"{column} BETWEEN {_constant(value[0])} AND {_constant(value[1])}"
        case "in subquery" | "not in subquery":
            table, _, inner = str(value).rpartition(".")
            return f"{column} {op.removesuffix(' subquery').upper()} (SELECT {inner} FROM {table})"
        case "is null" | "is not null":
            return f"{column} {op.upper()}"
        case _:
            return f"{column} {op} {_constant(value)}"


def _constant(value: Any) -> str:
    match value:
        case bool():
            return str(value).upper()
        case int() | float():
            return str(value)
        case _:
            return "'" + str(value).replace("'", "''") + "'"


def conditions(tree: str, dialect: str) -> set[Any]:
    """Clauses of a condition that is given as SQL."""
    return {bare(clause) for clause in clauses(spec_of(f"SELECT * FROM t WHERE {tree}", dialect))}


def clauses(spec: Spec) -> Iterator[Clause]:
    """The filters on the asked rows: of every branch, and of derived tables that could not be merged."""
    if isinstance(spec, SetOp):
        for branch in spec.branches:
            yield from clauses(branch)
        return
    yield from spec.filters
    for source in spec.sources:
        if source.query is not None:
            yield from clauses(source.query)


def tables(spec: Spec) -> set[str]:
    """Names of the base tables, without their schema."""
    return {one.table.rpartition(".")[2] for one in every(spec, Source) if one.query is None}


def every(thing: Any, kind: type) -> Iterator[Any]:
    """Every part of a Spec that is a `kind`, the outermost only."""
    if isinstance(thing, kind):
        yield thing
    elif isinstance(thing, tuple):
        for one in thing:
            yield from every(one, kind)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for field in fields(thing):
            yield from every(getattr(thing, field.name), kind)


def aggregates(spec: Spec) -> set[Any]:
    """Every aggregate of a Spec."""
    return {bare(one) for one in every(spec, Agg)}
