"""The verification ladder on each engine."""

import asyncio

import pytest
from databases_kit import Engines

from stef.databases import Databases, Limits
from stef.records.turn import Turn
from stef.verify import Means, Outcome, Places, Verification
from stef.verify.candidate import Candidate
from stef.verify.check import check


def _verified(engine: Engines, sql: str, question: str = "List the names of customers.", **more: str) -> Verification:
    turn = Turn(id="t", question=question, sql=sql, **more)
    with Databases(engine.url) as databases:
        return asyncio.run(check(Candidate(turn, Places(databases, Limits(20, 1_000)).get(None)), Means()))


@pytest.mark.parametrize(
    ("sql", "outcome", "codes"),
    [
        ("SELECT name FROM customer", Outcome.UNOPPOSED, []),
        ("SELECT nam FROM customer", Outcome.REFUTED, ["unknown_column"]),
        ("SELECT name FROM custmer", Outcome.REFUTED, ["unknown_table"]),
        ("SELECT name FROM customer WHERE city = 'Lyons'", Outcome.DOUBTFUL, ["empty", "literal"]),
        ("SELECT c.name FROM customer c JOIN purchase p ON p.customer_id = c.id", Outcome.DOUBTFUL, ["repeated_rows"]),
        ("DROP TABLE purchase", Outcome.REFUTED, ["not_one_query"]),
    ],
)
def test_the_free_rungs(engine: Engines, sql: str, outcome: Outcome, codes: list[str]) -> None:
    """Each engine's own errors, names and values lead to the same outcome, and nothing on it changes."""
    before = engine.content()
    found = _verified(engine, sql)
    assert found.outcome is outcome
    assert sorted(sign.code for sign in found.signs) == codes
    assert engine.content() == before


def test_wording(engine: Engines) -> None:
    """Decimals and dates of each engine are compared by value."""
    answer = "The purchases come to 260.50 in total; the last was on February 29, 2024, and the 99th is missing."
    sql = "SELECT amount, bought FROM purchase WHERE amount IS NOT NULL"
    wording = _verified(engine, sql, "What was bought?", answer=answer).wording
    assert wording is not None
    assert [claim.text for claim in wording.unsupported] == ["99th"]
