"""Resolving queries against a live schema: origins, order, kinds of columns, tables."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.records.live import LiveColumn, LiveSchema, LiveTable
from stef.sql.resolve import Resolved, key_text, matched, resolve

CASES = yaml.safe_load(Path(__file__).with_name("resolve.yaml").read_text())


def _schema(tables: dict[str, list[str]], dialect: str = "sqlite") -> LiveSchema:
    return LiveSchema(
        dialect, {name: LiveTable(name, tuple(LiveColumn(item) for item in items)) for name, items in tables.items()}
    )


SCHEMA = _schema(CASES["schema"])


def _resolved(case: dict[str, Any]) -> Resolved:
    found = resolve(case["sql"], case.get("dialect", "sqlite"), SCHEMA)
    assert found is not None
    return found


def _id(case: dict[str, Any]) -> str:
    return str(case["sql"])[:60]


@pytest.mark.parametrize("case", CASES["origins"], ids=_id)
def test_origins(case: dict[str, Any]) -> None:
    """Every output column has the base columns that it comes from, or says that this cannot be told."""
    assert [None if item is None else key_text(item) for item in _resolved(case).origins] == case["origins"]


@pytest.mark.parametrize("case", CASES["ordered"], ids=_id)
def test_ordered(case: dict[str, Any]) -> None:
    """Only the outermost query's ORDER BY and LIMIT are the query's."""
    found = _resolved(case)
    assert found.ordered is case["ordered"]
    assert list(found.order_columns) == case.get("order", [])
    assert found.order_shown is case.get("shown", False)
    assert (found.limit, found.offset) == (case.get("limit"), case.get("offset"))


@pytest.mark.parametrize("case", CASES["kinds"], ids=_id)
def test_kinds(case: dict[str, Any]) -> None:
    """Group keys, aggregates and queries that give one row by their form are known."""
    found = _resolved(case)
    assert [str(kind) for kind in found.kinds] == case["kinds"]
    assert (found.scalar, found.grouped) == (case.get("scalar", False), case.get("grouped", False))


@pytest.mark.parametrize("case", CASES["tables"], ids=_id)
def test_tables(case: dict[str, Any]) -> None:
    """Base tables count wherever they are read; the names of CTEs, functions and unused CTEs do not."""
    assert sorted(_resolved(case).tables) == case["tables"]


@pytest.mark.parametrize("text", ["", "no idea", "DROP TABLE orders", "SELECT 1; SELECT 2", "SELECT FROM WHERE", "("])
def test_unreadable(text: str) -> None:
    """What is no single query gives None, and never raises."""
    assert resolve(text, "sqlite", SCHEMA) is None


def test_hostile_depth() -> None:
    """A query too deep to be read through is None or resolved in part; it does not raise."""
    deep = "SELECT " + "(" * 5000 + "1" + ")" * 5000
    assert resolve(deep, "sqlite", SCHEMA) is None
    nested = "SELECT id FROM orders"
    for _ in range(60):
        nested = f"SELECT id FROM ({nested}) t"
    resolve(nested, "sqlite", SCHEMA)


def test_a_chain_of_ctes_stays_small() -> None:
    """CTEs that each read the one before twice do not double the work without a bound."""
    ctes = ["c0 AS (SELECT amount AS x FROM orders)"]
    ctes += [f"c{i} AS (SELECT a.x + b.x AS x FROM c{i - 1} a, c{i - 1} b)" for i in range(1, 30)]
    found = resolve(f"WITH {', '.join(ctes)} SELECT x FROM c29", "sqlite", SCHEMA)
    assert found is None or len(found.origins) <= 1


def test_without_schema() -> None:
    """Without a schema a column has an origin where only one table can have it."""
    one = resolve("SELECT item FROM orders", "sqlite", None)
    two = resolve("SELECT item, o.id FROM orders o, customers", "sqlite", None)
    star = resolve("SELECT * FROM orders", "sqlite", None)
    assert one is not None
    assert two is not None
    assert star is not None
    assert [item and key_text(item) for item in one.origins] == ["orders.item"]
    assert [item and key_text(item) for item in two.origins] == [None, "orders.id"]
    assert star.origins == ()
    assert star.tables == {"orders"}


def test_names_compare_without_case() -> None:
    """Names of tables and columns are folded on both sides."""
    schema = _schema({"orders": ["ID", "Amount"]})
    found = resolve("SELECT id, AMOUNT FROM ORDERS", None, schema)
    assert found is not None
    assert [item and key_text(item) for item in found.origins] == ["orders.id", "orders.amount"]


def test_a_self_join_whose_instances_are_exchanged_is_the_same() -> None:
    """After matching, origins speak of the same instance whichever alias came first."""
    first = resolve("SELECT a.name FROM employees a JOIN employees b ON a.manager_id = b.id", "sqlite", SCHEMA)
    second = resolve("SELECT w.name FROM employees m JOIN employees w ON w.manager_id = m.id", "sqlite", SCHEMA)
    other = resolve("SELECT m.name FROM employees m JOIN employees w ON w.manager_id = m.id", "sqlite", SCHEMA)
    assert first is not None
    assert second is not None
    assert other is not None
    assert matched(first, second).origins == first.origins
    assert matched(first, second).joins == first.joins
    assert matched(first, other).origins != first.origins


def test_constants_keep_case_and_space() -> None:
    """'USA' and 'usa' are two values on a database; 5 and '5' are one, 2.0 and 2 as well."""

    def filters(condition: str) -> frozenset[object]:
        found = resolve(f"SELECT id FROM customers WHERE {condition}", "sqlite", SCHEMA)
        assert found is not None
        return found.filters

    assert filters("city = 'USA'") != filters("city = 'usa'")
    assert filters("city = ' x'") != filters("city = 'x'")
    assert filters("LOWER(city) = 'usa'") == filters("UPPER(city) = 'USA'")
    assert filters("LOWER(city) = 'usa'") != filters("city = 'usa'")
    assert filters("id = 5") == filters("id = '5'") == filters("id = 5.0")
    assert filters("id = 5") != filters("id = '05'")
