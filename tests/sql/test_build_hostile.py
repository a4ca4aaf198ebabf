"""Texts that would take forever, or a stack without end, are read within bounds, and their Specs can be walked."""

import pytest
import sqlglot

from stef.records.predicates import Op
from stef.records.spec import Select
from stef.sql.build import build_spec
from stef.sql.compare import same_spec

N = 10_000


def chain(join: str, unit: str, count: int = N) -> str:
    return join.join(unit.format(i=i, j=i - 1) for i in range(1, count + 1))


def ctes(body: str, count: int = 60) -> str:
    return (
        "WITH c0 AS (SELECT a FROM t)"
        + "".join(f", c{i + 1} AS ({body.format(c=f'c{i}')})" for i in range(count))
        + f" SELECT a FROM c{count}"
    )


TEXTS = {
    "a flat OR of one column": "SELECT a FROM t WHERE " + chain(" OR ", "b = {i}"),
    "a flat OR of many columns": "SELECT a FROM t WHERE " + chain(" OR ", "b{i} = {i}"),
    "a flat OR of ranges": "SELECT a FROM t WHERE " + chain(" OR ", "b > {i}"),
    "a flat AND": "SELECT a FROM t WHERE " + chain(" AND ", "b <> {i}"),
    "an AND of ORs": "SELECT a FROM t WHERE " + chain(" AND ", "(b{i} = 1 OR c{i} = 2)", 2000),
    "an OR of ANDs": "SELECT a FROM t WHERE " + chain(" OR ", "(b{i} = 1 AND c{i} = 2)", 2000),
    "a sum": "SELECT " + chain(" + ", "a{i}") + " FROM t",
    "a product": "SELECT " + chain(" * ", "a{i}") + " FROM t",
    "a concatenation": "SELECT " + chain(" || ", "a{i}") + " FROM t",
    "a chain of another operator": "SELECT " + chain(" % ", "a{i}") + " FROM t",
    "a flat union": chain(" UNION ALL ", "SELECT a{i} FROM t", 3000),
    "a mixed union": chain(" ", "SELECT a{i} FROM t UNION SELECT 1 EXCEPT", 1500) + " SELECT 2",
    "CTEs that double an expression": ctes("SELECT a + a AS a FROM {c}"),
    "CTEs that double a join": ctes("SELECT x.a FROM {c} x JOIN {c} y ON x.a = y.a"),
    "CTEs that double an aggregate": ctes("SELECT MAX(x.a) AS a FROM {c} x JOIN {c} y ON x.a = y.a"),
    "CTEs that double a union": ctes("SELECT a FROM {c} WHERE a > 1 UNION ALL SELECT a FROM {c}"),
    "CTEs that double a subquery": ctes("SELECT a FROM t WHERE a IN (SELECT a FROM {c}) OR b IN (SELECT a FROM {c})"),
    "a long chain of CTEs": ctes("SELECT a + 1 AS a FROM {c}", 400),
    "a long chain of aggregates": ctes("SELECT a, COUNT(*) AS n FROM {c} GROUP BY a", 400),
    "nested derived tables": "SELECT b FROM (" * 80 + "SELECT a FROM t" + ") x" * 80,
    "nested correlated subqueries": chain("", "SELECT a FROM t t{i} WHERE EXISTS (", 60) + "SELECT 1" + ")" * 60,
    "nested functions": "SELECT " + "f(" * 200 + "a" + ")" * 200 + " FROM t",
    "nested NOTs": "SELECT a FROM t WHERE " + "NOT (" * 150 + "a = 1 AND b = 2 OR c = 3" + ")" * 150,
    "many joins": "SELECT 1 FROM t0 " + chain(" ", "JOIN t{i} ON t{i}.a = t{j}.a", 2000),
    "many self-joins": "SELECT x FROM t a0 " + chain(" ", "LEFT JOIN t a{i} ON a{i}.a = a{j}.a", 1000),
    "numbers that no machine holds": f"SELECT {'9' * 5000}, 1e999 FROM t WHERE a > -1e999 LIMIT {'9' * 30}",
    "dates of no calendar": "SELECT a FROM t WHERE YEAR(d) = 99999999 AND d <= '9999-12-31' AND e = '2024-13-9'",
}


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_text_is_read_within_bounds(name: str) -> None:
    sql = TEXTS[name]
    spec, notes = build_spec(sqlglot.parse_one(sql), sql, None)
    assert same_spec(spec, spec)
    assert isinstance(hash(spec), int)
    assert len(repr(spec)) > 0
    assert len(notes) < 1000


def test_thousands_of_equals_are_one_set() -> None:
    sql = "SELECT COUNT(*) FROM r WHERE " + " OR ".join(f"r.id = {i}" for i in range(4000))
    spec, _ = build_spec(sqlglot.parse_one(sql), sql, None)
    assert isinstance(spec, Select)
    (clause,) = spec.filters
    (predicate,) = clause.predicates
    assert predicate.op is Op.IN
    assert [value.value for value in predicate.values] == list(range(4000))


def test_stars_over_stars_are_the_inner_query() -> None:
    sql = "SELECT * FROM (" * 150 + "SELECT a FROM t WHERE b = 1" + ") q" * 150
    inner = "SELECT a FROM t WHERE b = 1"
    assert same_spec(
        build_spec(sqlglot.parse_one(sql), sql, None)[0], build_spec(sqlglot.parse_one(inner), inner, None)[0]
    )
