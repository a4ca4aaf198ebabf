"""What holds without exception: what stands in the SQL of a case, and whether it can be read at all."""

from collections.abc import Callable, Iterator
from typing import Any

from open_cases_kit import (
    Statement,
    aggregates,
    bare,
    clauses,
    condition,
    conditions,
    expression,
    spec_of,
    tables,
)

from stef.records.predicates import Op, PatternKind
from stef.records.spec import Select, SetOp
from stef.sql import read_sql

Check = Callable[[Statement, Any], None]


def parse_ok(statement: Statement, expected: Any) -> None:
    """`either`: one of the two, never neither."""
    reading = read_sql(statement.sql, statement.dialect)
    assert (reading.spec is None) is not (reading.unreadable is None)
    if expected != "either":
        assert (reading.spec is not None) is expected, reading.unreadable


def parse_note(statement: Statement, _expected: Any) -> None:
    reading = read_sql(statement.sql, statement.dialect)
    assert reading.unreadable is not None
    assert "template" in reading.unreadable.detail


def extracted_sql(statement: Statement, expected: str) -> None:
    assert read_sql(statement.sql, statement.dialect).text.rstrip("; \n") == expected.strip()


def projections(statement: Statement, expected: list[str]) -> None:
    spec = spec_of(statement.sql, statement.dialect)
    assert isinstance(spec, Select)
    assert [bare(one.expr) for one in spec.projections] == [expression(text, statement.dialect) for text in expected]


def aggregations(statement: Statement, expected: list[str]) -> None:
    found = aggregates(spec_of(statement.sql, statement.dialect))
    assert found == {expression(text, statement.dialect) for text in expected}


def filters(statement: Statement, expected: list[list[Any]]) -> None:
    found = {bare(one) for one in clauses(spec_of(statement.sql, statement.dialect))}
    wanted = [conditions(condition(*one), statement.dialect) for one in expected]
    # Bounds of one column are one interval: the parts are read together.
    together = conditions(" AND ".join(condition(*one) for one in expected), statement.dialect) if expected else set()
    assert found in (together, set().union(*wanted))


def filter_tree(statement: Statement, expected: str) -> None:
    found = {bare(one) for one in clauses(spec_of(statement.sql, statement.dialect))}
    assert found == conditions(expected, statement.dialect)


def filters_by_branch(statement: Statement, expected: list[list[list[Any]]]) -> None:
    spec = spec_of(statement.sql, statement.dialect)
    assert isinstance(spec, SetOp)
    for branch, wanted in zip(spec.branches, expected, strict=True):
        tree = " AND ".join(condition(*one) for one in wanted)
        assert {bare(one) for one in clauses(branch)} == (conditions(tree, statement.dialect) if tree else set())


def filters_summary(statement: Statement, _expected: str) -> None:
    """One disjunction over the values 0 to 3999."""
    (clause,) = clauses(spec_of(statement.sql, statement.dialect))
    (predicate,) = clause.predicates
    assert predicate.op is Op.IN
    assert sorted(one.value for one in predicate.values) == list(range(4000))


def filter_meaning(statement: Statement, _expected: str) -> None:
    """The underscore is a wildcard, so the pattern is no plain prefix."""
    (clause,) = clauses(spec_of(statement.sql, statement.dialect))
    (predicate,) = clause.predicates
    assert predicate.pattern is not None
    assert predicate.pattern.kind is PatternKind.WILDCARD


def group_by(statement: Statement, expected: list[str]) -> None:
    spec = spec_of(statement.sql, statement.dialect)
    assert isinstance(spec, Select)
    assert {bare(one) for one in spec.group_by} == {expression(text, statement.dialect) for text in expected}


def order_by(statement: Statement, expected: list[list[str]]) -> None:
    spec = spec_of(statement.sql, statement.dialect)
    order = spec.order or (spec.tops[0].order if spec.tops else ())
    assert [(bare(one.expr), one.descending) for one in order] == [
        (expression(text, statement.dialect), way == "desc") for text, way in expected
    ]


def limit(statement: Statement, expected: int | None) -> None:
    assert spec_of(statement.sql, statement.dialect).limit == expected


def set_operation(statement: Statement, expected: str) -> None:
    spec = spec_of(statement.sql, statement.dialect)
    assert isinstance(spec, SetOp)
    assert spec.kind.value == expected.lower().replace(" ", "_")


def limit_applies_to(statement: Statement, _expected: str) -> None:
    """To the whole union, not to its last branch."""
    spec = spec_of(statement.sql, statement.dialect)
    assert isinstance(spec, SetOp)
    assert spec.limit is not None
    assert [branch.limit for branch in spec.branches] == [None] * len(spec.branches)


def base_tables(statement: Statement, expected: list[str]) -> None:
    assert tables(spec_of(statement.sql, statement.dialect)) == {name.rpartition(".")[2] for name in expected}


def row_selection(statement: Statement, _expected: str) -> None:
    """The first one per store."""
    (top,) = spec_of(statement.sql, statement.dialect).tops
    assert top.k == 1
    assert len(top.per) == 1
    assert top.order[0].descending


def one_statement(statement: Statement, _expected: int) -> None:
    """Comments after the semicolon and empty statements do not count."""
    assert read_sql(statement.sql, statement.dialect).spec is not None


CHECKS: dict[str, Check] = {"statements": one_statement} | {
    check.__name__: check
    for check in (
        parse_ok,
        parse_note,
        extracted_sql,
        projections,
        aggregations,
        filters,
        filter_tree,
        filters_by_branch,
        filters_summary,
        filter_meaning,
        group_by,
        order_by,
        limit,
        set_operation,
        limit_applies_to,
        base_tables,
        row_selection,
    )
}


def checks_of(statement: Statement) -> Iterator[tuple[str, Check, Any]]:
    """What is to be checked of one statement: a name, the check, what it expects."""
    for name, check in CHECKS.items():
        if name in statement.expect:
            yield f"{statement.name}/{name}", check, statement.expect[name]
