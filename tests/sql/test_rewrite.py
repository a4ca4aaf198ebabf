"""Queries written a little differently, and small queries that ask a database about its data."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.sql.probes import count_orphans, distinct_values, has_rows, has_value, some_orphans
from stef.sql.rewrite import (
    Link,
    rows_and_keys,
    with_all_grouped,
    with_distinct,
    with_real_division,
    with_tie_breakers,
    without_limit,
    without_orphans,
)
from stef.sql.volatile import draws_lots, reads_clock

LINK = Link("link", ("pid",), "parent", ("id",))
HOW: dict[str, Callable[[str, str | None], str | None]] = {
    "orphans": lambda sql, dialect: without_orphans(sql, dialect, [LINK]),
    "division": with_real_division,
    "limit": without_limit,
    "distinct": with_distinct,
    "ties": with_tie_breakers,
    "keys": lambda sql, dialect: rows_and_keys(sql, dialect, "parent", "id"),
    "grouped": with_all_grouped,
    "clock": reads_clock,
    "chance": draws_lots,
}
GROUPS: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "rewrite.yaml").read_text("utf-8"))


def cases() -> Iterator[Any]:
    for group in GROUPS:
        for case in group["cases"]:
            yield pytest.param(group["how"], case, id=f"{group['how']}: {case.get('about', case['sql'])}"[:80])


@pytest.mark.parametrize(("how", "case"), list(cases()))
def test_a_query_is_rewritten_or_left_alone(how: str, case: dict[str, Any]) -> None:
    """Each way of rewriting gives SQL of the query's own dialect, or nothing."""
    assert HOW[how](case["sql"], case.get("dialect", "sqlite")) == case["gives"]


@given(st.text(max_size=60), st.sampled_from(["sqlite", "postgres", None]))
def test_no_text_makes_rewriting_raise(text: str, dialect: str | None) -> None:
    """SQL is hostile data."""
    for rewrite in HOW.values():
        rewrite(text, dialect)


@pytest.mark.parametrize("dialect", ["sqlite", "postgres", "duckdb", "mysql", "tsql"])
def test_probes_quote_names_and_values(dialect: str) -> None:
    """A name or value of the data never becomes SQL."""
    quote = {"mysql": "`", "tsql": "["}.get(dialect, '"')
    hostile = "x'; DROP TABLE t; --"
    assert hostile.replace("'", "''") in has_value("my t", "order", hostile, dialect, quoted=True)
    probes = [distinct_values("my t", "order", dialect, 3), has_rows("my t", dialect)]
    assert all(f"{quote}my t" in probe for probe in probes)
    assert all(
        f"{quote}link" in probe(LINK, dialect, *more) for probe, more in ((count_orphans, ()), (some_orphans, (3,)))
    )
