"""Mutants: one thing changed, where the query and the schema say."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.records.live import ForeignKey, LiveColumn, LiveSchema, LiveTable
from stef.sql import mutate

CASES = yaml.safe_load((Path(__file__).parent / "mutants.yaml").read_text("utf-8"))


def table(name: str, columns: str, *keys: ForeignKey) -> LiveTable:
    """A table from `name:type` words."""
    made = tuple(LiveColumn(*word.split(":")) for word in columns.split())
    return LiveTable(name, made, foreign_keys=keys)


TABLES = (
    table("customer", "id:int name:text city:text born:date died:date"),
    table("orders", "id:int customer_id:int amount:money tax:money", ForeignKey(("customer_id",), "customer", ("id",))),
    table("offer", "product_id:int shop_id:int price:money"),
    table(
        "line",
        "order_id:int product_id:int shop_id:int pieces:number",
        ForeignKey(("product_id", "shop_id"), "offer", ("product_id", "shop_id")),
    ),
)
SCHEMA = LiveSchema("duckdb", {one.name: one for one in TABLES})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_mutants(case: dict[str, Any]) -> None:
    """The mutants of a query are these, in this order."""
    function = getattr(mutate, case["function"])
    more = {"without_filters": (), "cut_short": (2,)}.get(case["function"], (SCHEMA,))
    assert list(function(case["sql"], "duckdb", *more)) == case["mutants"]
