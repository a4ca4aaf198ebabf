"""One turn on one case, end to end: what is right, whose an error is, which gold counts, and what is held out."""

import itertools
import json
import os
import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.gold import best
from stef.gold.behaviour import outcome_of, right_outcome, runnable_sql
from stef.gold.doubt import gold_states
from stef.gold.evaluate import Asked, evaluate
from stef.gold.fingerprint import fingerprint
from stef.gold.shown import is_display_cap, shown_result
from stef.gold.sides import Ran, golds_of
from stef.records.asking import AgentFault, AgentReply, Retrieved
from stef.records.case import Case, RecordedAnswer
from stef.records.gold import Ceiling, Doubt, Outcome, Whose
from stef.records.result import Executed, Failure, FailureKind, Result
from stef.records.turn import Turn
from stef.sql.resolve import resolve


def table(names: str, *rows: tuple[Any, ...]) -> Result:
    """A result by its rows."""
    columns = tuple(map(list, zip(*rows, strict=True))) if rows else tuple([] for _ in names.split())
    return Result(tuple(names.split()), columns, len(rows))


BROKEN = Failure(FailureKind.UNKNOWN_COLUMN, "no such column: nmae", ("name",))
DOWN = Failure(FailureKind.DATABASE_DOWN, "cannot connect")
ONE, TWO = table("n", (1,)), table("n", (2,))


def ran(executed: Executed, sql: str = "SELECT n FROM t") -> Ran:
    """A query that gave this."""
    return Ran(sql, executed, resolve(sql, "sqlite", None))


def report(case: Case, golds: list[Executed], given: Executed | None, **more: Any) -> Any:
    """The report of a turn whose query gave `given`."""
    sql = None if given is None else "SELECT n FROM t"
    turn = more.pop("turn", Turn(question=case.question, sql=sql, answer="some words"))
    reply = AgentReply(turn, **{name: more.pop(name) for name in ("fault", "detail") if name in more})
    outcome = outcome_of(reply, runnable_sql(reply, "sqlite"))
    asked = Asked(reply, outcome, **more)
    runs = [ran(gold) for gold in golds]
    return evaluate(case, asked, golds_of(case, runs), None if given is None else ran(given))


def case(**fields: Any) -> Case:
    """A case with a gold."""
    return Case(**{"id": "c", "question": "How many?", "gold_sql": ("SELECT n FROM t",), **fields})


EXPECTED = {
    # what the case says: the outcomes that are right, and those that the answer decides
    "answerable": ({}, set(), {"answered", "fell_back"}),
    "answerable, asking back is right": ({"expect": "clarify"}, {"clarified"}, set()),
    "answerable, declining is right": ({"expect": "decline"}, {"declined", "fell_back"}, set()),
    "ambiguous": ({"kind": "ambiguous"}, set(), {"answered", "fell_back"}),
    "ambiguous, asking back accepted": (
        {"kind": "ambiguous", "expect": "clarify"},
        {"clarified"},
        {"answered", "fell_back"},
    ),
    "unanswerable": ({"kind": "unanswerable"}, {"declined", "fell_back"}, set()),
    "unanswerable, asking back accepted": (
        {"kind": "unanswerable", "expect": "clarify"},
        {"declined", "fell_back", "clarified"},
        set(),
    ),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_right(name: str) -> None:
    """An outcome is right, wrong, or left to the answer, as the kind of case has it; a failure is never right."""
    fields, right, open_ = EXPECTED[name]
    found = {outcome.value: right_outcome(case(**fields), outcome) for outcome in Outcome}
    assert {outcome for outcome, verdict in found.items() if verdict} == right
    assert {outcome for outcome, verdict in found.items() if verdict is None} == open_


OUTCOMES = [
    ({"sql": "SELECT 1"}, Outcome.ANSWERED),
    ({"sql": "```sql\nSELECT 1\n```"}, Outcome.ANSWERED),
    ({"sql": "I'm sorry, I cannot answer that."}, Outcome.DECLINED),
    ({"answer": "Sorry, there is no such table."}, Outcome.DECLINED),
    ({"answer": "There are 17."}, Outcome.NO_QUERY),
    ({"answer": "Which year?", "outcome": "clarified"}, Outcome.CLARIFIED),
    ({"sql": "SELECT 'no data'", "outcome": "Refused"}, Outcome.DECLINED),
    ({"sql": ""}, Outcome.FAILED),
    ({"outcome": "failed"}, Outcome.FAILED),
]


@pytest.mark.parametrize(("fields", "outcome"), OUTCOMES)
def test_outcome_of_a_turn(fields: dict[str, Any], outcome: Outcome) -> None:
    """The agent's own word comes first, then its SQL, then its text."""
    reply = AgentReply(Turn(question="q", **fields))
    assert outcome_of(reply, runnable_sql(reply, None)) is outcome


def test_right_and_wrong() -> None:
    """Equal answers are right; a turn that differs is wrong, and its symptom is named."""
    assert report(case(), [ONE], ONE).correct is True
    wrong = report(case(), [ONE], TWO)
    assert (wrong.correct, wrong.executable, wrong.symptom) == (False, True, "wrong_values")


def test_any_acceptable_gold_counts() -> None:
    """Of several golds the one whose answer was given counts, even where it scores like another."""
    several = case(gold_sql=("SELECT a", "SELECT b", "SELECT c"), kind="ambiguous")
    found = report(several, [ONE, TWO, BROKEN], TWO)
    assert (found.correct, found.gold_index, found.output.exact_match) == (True, 1, True)
    assert Ceiling.GOLD_FAILED in found.ceilings
    assert not found.held_out


def test_of_wrong_answers_the_nearest_gold_counts() -> None:
    """Else the gold with the highest mean of the four output numbers, then the first."""
    far = table("a b", (1, "x"), (2, "y"))
    near = table("a b", (7, "p"), (8, "q"), (9, "r"))
    found = report(case(gold_sql=("SELECT 1", "SELECT 2")), [far, near], table("a b", (7, "p"), (8, "q"), (9, "z")))
    assert (found.correct, found.gold_index) == (False, 1)


def test_a_candidate_that_fails() -> None:
    """It is not executable, exact match is false, recall is 0 and precision undefined; the error is the agent's."""
    found = report(case(), [ONE], BROKEN)
    output = found.output
    assert (found.correct, found.executable, output.exact_match) == (False, False, False)
    assert (output.columns.precision, output.columns.recall) == (None, 0.0)
    assert (output.cells.precision, output.cells.recall) == (None, 0.0)
    (fault,) = found.faults
    assert (fault.whose, fault.kind) == (Whose.AGENT, "unknown_column")
    assert "near it: name" in fault.message


def test_a_gold_that_fails_is_not_the_agents() -> None:
    """Everything is undefined: a ceiling, attributed to the gold, and held out."""
    found = report(case(), [BROKEN], ONE)
    assert (found.correct, found.output, found.components, found.held_out) == (None, None, None, True)
    assert found.ceilings == (Ceiling.GOLD_FAILED,)
    assert [fault.whose for fault in found.faults] == [Whose.GOLD]


def test_two_broken_queries_are_not_equal() -> None:
    """Where both fail, nothing is said."""
    assert report(case(), [BROKEN], BROKEN).correct is None


def test_a_database_that_is_down_is_nobodys_answer() -> None:
    """Neither right nor wrong, neither executable nor not; the error is the database's."""
    found = report(case(), [ONE], DOWN)
    assert (found.correct, found.executable, found.output) == (None, None, None)
    assert [fault.whose for fault in found.faults] == [Whose.DATABASE]
    assert {fault.whose for fault in report(case(), [DOWN], DOWN).faults} == {Whose.DATABASE}


@pytest.mark.parametrize("fault", [fault for fault in AgentFault if fault is not AgentFault.NO_TURN])
def test_an_agent_that_fails(fault: AgentFault) -> None:
    """It is wrong, nothing was executed, and the fault is counted under its own name."""
    turn = Turn(question="How many?", outcome="failed")
    found = report(case(), [ONE], None, turn=turn, fault=fault, detail="<html>")
    assert (found.correct, found.executable, found.outcome) == (False, None, Outcome.FAILED)
    assert [(one.whose, one.kind) for one in found.faults] == [(Whose.AGENT, fault.value)]


def test_declining_an_answerable_question_is_wrong() -> None:
    """Also a turn in words alone, without a query behind it."""
    declined = Turn(question="How many?", answer="I cannot answer that.")
    assert report(case(), [ONE], None, turn=declined).correct is False
    assert report(case(), [ONE], None, turn=Turn(question="How many?", answer="It is 1.")).correct is False


def test_asking_back_where_that_is_right_has_no_answer_to_compare() -> None:
    """Its output is undefined, not 0."""
    vague = case(kind="ambiguous", expect="clarify", gold_sql=("SELECT 1", "SELECT 2"))
    found = report(vague, [ONE, TWO], None, turn=Turn(question="How many?", outcome="clarified"))
    assert (found.correct, found.output) == (True, None)


def test_an_empty_gold_is_in_doubt() -> None:
    """Two empty results prove nothing, unless the case says that nothing is right."""
    empty = table("n")
    doubted = report(case(), [empty], empty)
    assert (doubted.correct, doubted.output, doubted.held_out) == (None, None, True)
    assert doubted.ceilings == (Ceiling.GOLD_IN_DOUBT,)
    assert doubted.golds[0].doubts == (Doubt.EMPTY,)
    assert report(case(expect_empty=True), [empty], empty).correct is True
    assert report(case(expect_empty=True), [empty], ONE).correct is False


MOVES = [
    ({"value": 1}, ONE, None),
    ({"value": 1.0}, ONE, None),
    ({"value": 2}, ONE, "2 was recorded, now it is 1"),
    ({"value": "2024-02-01"}, table("d", (date(2024, 2, 1),)), None),
    ({"value": "9.90"}, table("d", (Decimal("9.90"),)), None),
    ({"value": 1}, table("n", (1,), (2,)), "1 was recorded, now there are 2 rows of 1 columns"),
    ({"rows": 2}, table("n", (1,), (2,)), None),
    ({"rows": 3}, table("n", (1,), (2,)), "3 rows were recorded, now there are 2"),
    ({"ids": [2, 1]}, table("n", (1,), (2,)), None),
    ({"ids": ["b", "a"]}, table("n id", (1, "a"), (2, "b")), None),
    ({"ids": [1, 3]}, table("n", (1,), (2,)), "of the 2 ids recorded 1 are gone and 1 are new, such as '2'"),
]


@pytest.mark.parametrize(("recorded", "now", "words"), MOVES)
def test_an_answer_that_moved(recorded: dict[str, Any], now: Result, words: str | None) -> None:
    """A gold that no longer gives the recorded answer is in doubt, and what moved is said."""
    (state,) = gold_states(case(recorded_answer=RecordedAnswer(**recorded)), [now])
    assert state.doubts == (() if words is None else (Doubt.MOVED,))
    assert state.detail == (words or "")


def test_a_gold_beside_the_recorded_one_is_no_doubt() -> None:
    """One answer is recorded; the other acceptable golds may give another."""
    states = gold_states(case(recorded_answer=RecordedAnswer(value=2)), [ONE, TWO])
    assert [state.usable for state in states] == [True, True]


def test_a_scorer_that_raises_is_a_counted_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs its own family only: the others, and the turn, are there; the traceback is kept."""

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(best, "compare_results", broken)
    found = report(case(), [ONE], ONE)
    assert (found.correct, found.output) == (True, None)
    assert found.components is not None
    assert "ZeroDivisionError: a bug" in str(found.scorer_fault)
    (fault,) = found.faults
    assert fault.whose is Whose.HARNESS
    assert "in broken" in str(fault.traceback)


def test_leaks_are_counted() -> None:
    """Hidden ids that the agent or the retriever used all the same."""
    retrieved = Retrieved(ddl=("CREATE TABLE t (n INT)", "CREATE TABLE u (m INT)"), examples=("c", "x"))
    found = report(case(), [ONE], ONE, retrieved=retrieved, hidden=("c", "c#p1"), dialect="sqlite")
    assert found.leaks == ("c",)
    assert found.retrieval.tables.recall == 1.0
    assert found.retrieval.tables.precision == 0.5


def test_what_the_user_saw_is_compared_too() -> None:
    """Rows that are missing only because the agent cuts its answers are a flag of their own, and the query is right."""
    gold = table("n d", *((number, date(2024, 1, number)) for number in range(1, 10)))
    shown = tuple({"n": number, "d": f"2024-01-0{number}"} for number in range(1, 4))
    found = report(case(), [gold], gold, turn=Turn(question="How many?", sql="SELECT n FROM t", rows=shown))
    assert (found.correct, found.display_cap, found.shown.exact_match) == (True, True, False)


def test_rows_that_the_query_does_not_give_are_no_display_cap() -> None:
    """Neither are all rows, or rows with another column."""
    full = table("n", (1,), (2,), (3,))
    assert is_display_cap(shown_result(({"n": 2},)), full)
    assert not is_display_cap(shown_result(({"n": 4},)), full)
    assert not is_display_cap(shown_result(({"n": 2}, {"n": 2})), full)
    assert not is_display_cap(shown_result(tuple({"n": number} for number in (1, 2, 3))), full)
    assert not is_display_cap(shown_result(({"n": 2, "m": 1},)), full)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.decimals(allow_nan=False, allow_infinity=False, places=2),
    st.datetimes(),
    st.lists(st.integers(), max_size=3),
)
ROWS = st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[VALUES] * width), min_size=1, max_size=5))


@given(ROWS, st.randoms(use_true_random=False))
def test_a_fingerprint_does_not_depend_on_the_order_of_rows(rows: list[tuple[Any, ...]], shuffle: Any) -> None:
    """And a row more or less changes it."""
    names = " ".join("abc"[: len(rows[0])])
    other = list(rows)
    shuffle.shuffle(other)
    assert fingerprint(table(names, *rows)) == fingerprint(table(names, *other))
    assert fingerprint(table(names, *rows)) != fingerprint(table(names, *rows, rows[0]))


def test_fingerprints_follow_the_equality_of_values() -> None:
    """1 = 1.0 = 1.00, midnight is its date; True, '1', NULL and '' are others; a float's last digit does not count."""
    one = fingerprint(table("n", (1,)))
    assert one == fingerprint(table("m", (1.0,))) == fingerprint(table("n", (Decimal("1.00"),)))
    others = [fingerprint(table("n", (value,))) for value in (True, "1", None, "", 2)]
    assert len({one, *others}) == 6
    assert fingerprint(table("d", (date(2024, 1, 1),))) == fingerprint(table("d", (datetime(2024, 1, 1),)))
    assert fingerprint(table("x", (0.1 + 0.2,))) == fingerprint(table("x", (0.3,)))
    assert fingerprint(table("a b", (1, 4), (2, 3))) != fingerprint(table("a b", (1, 3), (2, 4)))


def test_fingerprints_do_not_depend_on_the_process() -> None:
    """Not on the seed of Python's hashes either."""
    program = (
        "from stef.gold.fingerprint import fingerprint; from stef.records.result import Result;"
        "print(fingerprint(Result(('a',), ([{'k': 1, 'l': {'x', 'y', 'z'}}, 'b', None],), 3)))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(found) == 1


def test_golds_against_themselves_are_right_in_every_shape() -> None:
    """Whatever the shape, a gold's own answer is right."""
    results = [ONE, table("id", (1,), (2,)), table("k v", ("a", 1), ("b", 2))]
    shapes = (None, "scalar", "table", "grouped", "ranking", "id_set:id")
    for result, shape in itertools.product(results, shapes):
        if shape != "id_set:id" or "id" in result.names:
            assert report(case(compare_on=shape), [result], result).correct is True, json.dumps([shape, result.names])
