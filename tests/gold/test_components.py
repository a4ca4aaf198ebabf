"""The component family, by pairs of queries."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.gold.components import compare_components
from stef.records.gold import Components, Share
from stef.records.live import LiveColumn, LiveSchema, LiveTable
from stef.rules import AgentAdds
from stef.sql.resolve import Resolved, matched, resolve

HERE = Path(__file__).parent
CASES = yaml.safe_load((HERE / "components.yaml").read_text())
TABLES = yaml.safe_load((HERE.parent / "sql" / "resolve.yaml").read_text())["schema"]
SCHEMA = LiveSchema(
    "sqlite", {name: LiveTable(name, tuple(LiveColumn(item) for item in items)) for name, items in TABLES.items()}
)
SETS = ("tables", "joins", "projections", "filters", "filters_without_values", "aggregations", "grouping")


def _resolve(sql: str, adds: AgentAdds | None = None, row_cap: int | None = None) -> Resolved:
    found = resolve(sql, "sqlite", SCHEMA, adds, row_cap=row_cap)
    assert found is not None, sql
    return found


def _imperfect(found: Components) -> dict[str, tuple[float | None, float | None]]:
    shares: dict[str, Share] = {name: getattr(found, name) for name in SETS}
    return {
        name: (share.precision, share.recall)
        for name, share in shares.items()
        if (share.precision, share.recall) not in ((1, 1), (None, None))
    }


def _check(found: Components, case: dict[str, Any]) -> None:
    wanted = {name: pytest.approx(tuple(pair), abs=1e-4) for name, pair in case.get("shares", {}).items()}
    assert _imperfect(found) == wanted
    assert found.order_equal is not False or case.get("order_equal") is False
    assert found.limit_equal is not False or case.get("limit_equal") is False
    for name in ("order_equal", "limit_equal"):
        if name in case:
            assert getattr(found, name) is case[name]


@pytest.mark.parametrize(("name", "queries"), CASES["same"].items(), ids=CASES["same"])
def test_spelling_makes_no_difference(name: str, queries: list[str]) -> None:
    """Spellings of one query have the same components, and the same origins, each against each."""
    del name
    for first, second in product(queries, queries):
        reference, candidate = _resolve(first), _resolve(second)
        assert _imperfect(compare_components(reference, candidate)) == {}, (first, second)
        assert matched(reference, candidate).origins == reference.origins, (first, second)
        assert compare_components(reference, candidate).order_equal is not False


@pytest.mark.parametrize("case", CASES["differ"], ids=lambda case: str(case["why"]))
def test_differences_show_in_their_component(case: dict[str, Any]) -> None:
    """A difference lowers the component that it belongs to, and no other."""
    _check(compare_components(_resolve(case["reference"]), _resolve(case["candidate"])), case)


@pytest.mark.parametrize("case", CASES["adds"], ids=lambda case: str(case.get("why", case["adds"])))
def test_the_candidate_loses_what_the_agent_adds(case: dict[str, Any]) -> None:
    """What the agent adds by design costs it nothing, everything else does."""
    adds = AgentAdds.model_validate(case["adds"])
    candidate = _resolve(case["candidate"], adds, case.get("row_cap"))
    _check(compare_components(_resolve(case["reference"]), candidate), case)


def test_a_candidate_that_cannot_be_read() -> None:
    """It has no members: recall is 0 where the reference has some, precision is undefined."""
    reference = _resolve("SELECT name FROM teams WHERE id = 1 ORDER BY name LIMIT 2")
    found = compare_components(reference, None)
    assert found.tables == Share(None, 0)
    assert found.filters == Share(None, 0)
    assert found.joins == Share(None, None)
    assert found.grouping == Share(None, None)
    assert (found.order_equal, found.limit_equal) == (False, False)


def test_nothing_on_either_side_is_undefined() -> None:
    """Two queries without joins, filters or an order say nothing about them."""
    found = compare_components(_resolve("SELECT name FROM teams"), _resolve("SELECT name FROM teams"))
    assert found.joins == Share(None, None)
    assert (found.order_equal, found.limit_equal) == (None, None)
    assert found.projections == Share(1, 1)


def test_many_instances_are_still_compared() -> None:
    """A query that reads one table ten times is compared in bounded work."""
    joins = " ".join(f"JOIN employees e{i} ON e{i - 1}.manager_id = e{i}.id" for i in range(1, 10))
    sql = f"SELECT e0.name FROM employees e0 {joins}"
    found = compare_components(_resolve(sql), _resolve(sql))
    assert _imperfect(found) == {}


def test_long_chains_meet_in_reverse() -> None:
    """Instances beyond what is tried one by one are exchanged until more of them meet, in bounded work."""
    up = "SELECT e0.name FROM employees e0 " + " ".join(
        f"JOIN employees e{i} ON e{i - 1}.manager_id = e{i}.id" for i in range(1, 8)
    )
    down = "SELECT e7.name FROM employees e0 " + " ".join(
        f"JOIN employees e{i} ON e{i}.manager_id = e{i - 1}.id" for i in range(1, 8)
    )
    found = compare_components(_resolve(up), _resolve(down))
    assert found.tables == Share(1, 1)
    assert (found.joins.recall or 0) >= 0.5
