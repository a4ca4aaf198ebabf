"""The answer's wording: what stands in the rows, what follows from them, and what rests on nothing."""

import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pytest_httpserver import HTTPServer
from verify_kit import Model, asked, verified
from werkzeug import Response

from stef.records.turn import Turn
from stef.verify import Means
from stef.verify.wording.check import MOST_CLAIMS, check_wording
from stef.verify.wording.claims import MOST_CHARACTERS
from stef.verify.wording.records import ClaimKind, Ground
from stef.verify.wording.table import MOST_ROWS, Table, table_of_rows

GROUPS = yaml.safe_load((Path(__file__).parent / "wording.yaml").read_text("utf-8"))
CASES = [(group, answer) for group in GROUPS for answer in group["answers"]]


def table(names: list[str], rows: list[list[Any]]) -> Table:
    """A table of rows."""
    return table_of_rows([dict(zip(names, row, strict=True)) for row in rows])


@pytest.mark.parametrize(("group", "answer"), CASES, ids=[answer["text"][:60] for _, answer in CASES])
def test_wording(group: dict, answer: dict) -> None:
    """Each number, date and name is found, and rests on what it should."""
    turn = Turn(question=group["question"], sql="SELECT", answer=answer["text"])
    found = check_wording(turn, table(group["names"], group["rows"]))
    assert [claim.text for claim in found.unsupported] == answer["loose"]
    grounds = {claim.text: claim.ground.value for claim in found.claims}
    assert {text: grounds.get(text) for text in answer.get("grounds", {})} == answer.get("grounds", {})


def test_typed_values() -> None:
    """Decimals, dates and timestamps are what they are."""
    rows = table_of_rows([{"a": Decimal("12.50"), "b": date(2024, 3, 5), "c": datetime(2023, 1, 1, 12)}])
    turn = Turn(question="?", sql="x", answer="It was 12.5 on 5 March 2024, and on January 1, 2023.")
    assert check_wording(turn, rows).unsupported == ()


def test_the_nearest_name() -> None:
    """A name that is nearly one of the rows says which."""
    turn = Turn(question="Who is it?", sql="x", answer="The winner is Ada Lovelce.")
    (claim,) = check_wording(turn, table(["name"], [["Ada Lovelace"]])).claims
    assert (claim.kind, claim.ground) == (ClaimKind.NAME, Ground.NOTHING)
    assert "ada lovelace" in claim.how


def test_a_name_over_several_cells() -> None:
    """First and last name stand in two columns of one row."""
    rows = table(["first", "last"], [["Ada", "Lovelace"], ["Alan", "Turing"]])
    right, wrong = (
        check_wording(Turn(question="Who?", sql="x", answer=f"The winner is {name}."), rows)
        for name in ("Ada Lovelace", "Ada Turing")
    )
    assert right.unsupported == ()
    assert [claim.text for claim in wrong.unsupported] == ["Ada Turing"]


def test_what_the_query_says() -> None:
    """A value that the query filters by, and a name of a column, are no inventions."""
    turn = Turn(
        question="Who lives there?",
        sql="SELECT name FROM t WHERE city = 'Oslo' AND age > 30",
        answer="The Names of all above 30 in Oslo: Ada.",
    )
    found = check_wording(turn, table(["name"], [["Ada"]]))
    assert found.unsupported == ()
    assert {claim.text: claim.ground for claim in found.claims}["Oslo"] is Ground.QUERY


def test_cut_rows_say_so() -> None:
    """Where rows are missing, no sum and no count is made of those that are there, and the check says so."""
    rows = table_of_rows([{"n": 2}] * (MOST_ROWS + 1))
    found = check_wording(Turn(question="?", sql="x", answer=f"There are {MOST_ROWS}, {2 * MOST_ROWS} in total."), rows)
    assert len(found.unsupported) == 2
    assert "cut" in found.why


def test_two_of_many_are_not_paired() -> None:
    """A difference between any two of many rows is no ground: the sentence must name them."""
    rows = table(["name", "n"], [[f"Item {chr(65 + n)}", 10 * n * n] for n in range(26)])
    turn = Turn(question="?", sql="x", answer="The difference is 390.")
    assert [claim.text for claim in check_wording(turn, rows).unsupported] == ["390"]
    named = Turn(question="?", sql="x", answer="The difference between Item I and Item F is 390.")
    assert check_wording(named, rows).unsupported == ()


@given(
    st.text(max_size=300),
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.floats()), max_size=4),
)
def test_no_text_makes_it_raise(text: str, rows: list[dict[str, Any]]) -> None:
    """Whatever an answer and its rows hold."""
    found = check_wording(Turn(question="?", sql="x", answer=text), table_of_rows(rows))
    assert all(text[slice(*claim.span)] for claim in found.claims)


def test_a_long_answer_is_bounded() -> None:
    """What follows the first 20,000 characters, and the first 300 numbers, is not looked at, and that is said."""
    turn = Turn(question="?", sql="x", answer="12 " * MOST_CHARACTERS)
    found = check_wording(turn, table([], []))
    assert max(claim.span[1] for claim in found.claims) <= MOST_CHARACTERS
    assert len(found.claims) == MOST_CLAIMS
    assert "first 20,000 characters" in found.why


def test_rows_that_the_user_saw_go_first(shop: str) -> None:
    """The rows of the turn count, where it holds them; else those that its query gives now."""
    turn = asked("How many customers?", "SELECT COUNT(*) FROM customers", answer="There are 7 customers.")
    now = verified(shop, turn).wording
    shown = verified(shop, turn.model_copy(update={"rows": ({"n": 7},)})).wording
    assert now is not None
    assert shown is not None
    assert [claim.text for claim in now.unsupported] == ["7"]
    assert shown.unsupported == ()


def test_no_rows_no_check(shop: str) -> None:
    """An answer without rows is not checked, which is not the same as right."""
    found = verified(shop, asked("How many?", "SELECT nonsense FROM customers", answer="There are 7.")).wording
    assert found is not None
    assert (found.checked, found.claims) == (False, ())


def test_a_model_looks_at_the_rest(shop: str, httpserver: HTTPServer) -> None:
    """Only what rests on nothing is asked about, with the rows as data; what the model calls grounded is marked so."""
    judged = [
        {"number": 1, "reason": "4 is a third of 12", "follows": True},
        {"number": 2, "reason": "no", "follows": False},
    ]
    model = Model(httpserver, wording=json.dumps({"claims": judged}))
    answer = "A third of 12; the best is Bob Dylan."
    turn = asked("How many customers?", "SELECT COUNT(*) FROM customers", answer=answer)
    found = verified(shop, turn, Means(client=model.client(), wording=True, rungs=())).wording
    assert found is not None
    assert found.calls == 1
    assert [claim.ground for claim in found.claims].count(Ground.JUDGE) == 1
    assert "Bob Dylan" in [claim.text for claim in found.unsupported]
    (prompt,) = model.seen["wording"]
    assert '<data name="rows"' in prompt


@pytest.mark.parametrize("bad", ["no", '{"claims": [{"number": 0, "reason": "", "follows": true}]}'])
def test_a_model_that_fails_changes_nothing(bad: str, shop: str, httpserver: HTTPServer) -> None:
    """What was loose stays loose, and the reason is told."""
    model = Model(httpserver, wording=bad)
    turn = asked("How many customers?", "SELECT COUNT(*) FROM customers", answer="There are 99.")
    found = verified(shop, turn, Means(client=model.client(), wording=True, rungs=())).wording
    assert found is not None
    assert [claim.text for claim in found.unsupported] == ["99"]
    assert found.why.startswith("not judged")


def test_a_model_that_is_down_changes_nothing(shop: str, httpserver: HTTPServer) -> None:
    """An outage grounds nothing."""
    model = Model(httpserver, wording=Response("{}", status=500, content_type="application/json"))
    turn = asked("How many customers?", "SELECT COUNT(*) FROM customers", answer="There are 99.")
    found = verified(shop, turn, Means(client=model.client(), wording=True, rungs=())).wording
    assert found is not None
    assert len(found.unsupported) == 1
