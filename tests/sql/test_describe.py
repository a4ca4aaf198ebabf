"""A Spec in words."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.records.expressions import Agg, Binary, Column, Expr, Func, Literal, Opaque, Phrase, Relative
from stef.records.predicates import Bound, Clause, Interval, Op, Pattern, PatternKind, Predicate
from stef.records.spec import Order, Projection, Select, TopK
from stef.sql import describe, describe_clause, describe_expr, describe_predicate, read_sql

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("describe.yaml").read_text(encoding="utf-8"))
REGION = Phrase(("region",), "the region")


@pytest.mark.parametrize("case", CASES, ids=[case["sql"] for case in CASES])
def test_case(case: dict[str, Any]) -> None:
    """SQL reads in words as its case says."""
    spec = read_sql(case["sql"]).spec
    assert spec is not None
    lines = describe(spec)
    if "lines" in case:
        assert list(lines) == case["lines"]
    for part in case.get("contains", ()):
        assert any(part in line for line in lines), lines


@pytest.mark.parametrize(
    ("predicate", "words"),
    [
        (Predicate(REGION, Op.IN, values=(Literal("emea", "EMEA"),)), "the region = 'EMEA'"),
        (Predicate(REGION, Op.IN, negated=True, values=(Literal(1), Literal(2))), "the region NOT IN (1, 2)"),
        (Predicate(REGION, Op.IN, values=(Literal(True),)), "the region = TRUE"),
        (Predicate(REGION, Op.NULL, negated=True), "the region IS NOT NULL"),
        (Predicate(REGION, Op.RANGE, interval=Interval(Bound(3, inclusive=True))), "the region >= 3"),
        (Predicate(REGION, Op.RANGE, interval=Interval(None, Bound(3, inclusive=False))), "the region < 3"),
        (
            Predicate(REGION, Op.RANGE, interval=Interval(Bound(3, inclusive=True), Bound(7, inclusive=True))),
            "the region between 3 and 7",
        ),
        (
            Predicate(
                REGION,
                Op.RANGE,
                interval=Interval(
                    Bound(datetime(2024, 3, 1), inclusive=True), Bound(datetime(2024, 4, 1), inclusive=False)
                ),
            ),
            "the region in 2024-03-01 to 2024-04-01 (exclusive)",
        ),
        (
            Predicate(REGION, Op.RANGE, interval=Interval(Bound(Relative("day", -7, "day"), inclusive=True))),
            "the region >= 7 days ago",
        ),
        (
            Predicate(REGION, Op.LIKE, pattern=Pattern(PatternKind.CONTAINS, "ab"), folded=True),
            "the region contains 'ab' (any case)",
        ),
        (Predicate(REGION, Op.COMPARE, comparator="<", other=Column("b", ("t",))), "the region < t.b"),
    ],
)
def test_predicate(predicate: Predicate, words: str) -> None:
    """Each kind of predicate has its words, and a question's phrases stand in them as a column would."""
    assert describe_predicate(predicate) == words
    assert describe_clause(Clause((predicate,))) == words


def test_top_per_group() -> None:
    """A top-k names its order and its groups."""
    order = (Order(Agg("SUM", Column("qty")), descending=True),)
    spec = Select(projections=(Projection(Column("a")),), tops=(TopK(3, order, per=(Column("store_id"),)),))
    assert describe(spec)[-1] == "top 3 by SUM(qty) descending per store_id"


def test_binary_keeps_its_brackets() -> None:
    """A product of a sum is no sum of a product."""
    total = Binary("+", Column("a"), Column("b"))
    assert describe_expr(Binary("*", total, Column("c"))) == "(a + b) * c"
    assert describe_expr(Binary("+", Column("a"), Binary("*", Column("b"), Column("c")))) == "a + (b * c)"


def test_one_line_a_fact() -> None:
    """Line ends in a value or in opaque text start no line of their own."""
    clause = Clause((Predicate(Opaque("x\ny"), Op.IN, values=(Literal("p\nq", "p\nq"),)),))
    assert describe(Select(filters=(clause,))) == ("filter: x y = 'p q'",)


def test_it_ends() -> None:
    """An expression that names one part again and again is cut, and so is a long list."""
    expr: Expr = Column("a")
    for _ in range(100):
        expr = Func("F", (expr, expr))
    assert len(describe_expr(expr)) < 100_000
    many = Select(projections=tuple(Projection(Column(f"c{number}")) for number in range(5_000)))
    assert describe(many)[-1] == "… 4940 more columns"
