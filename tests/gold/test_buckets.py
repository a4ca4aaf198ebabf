"""Each turn that is not right has exactly one cause: the first that applies of an ordered list."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.gold.behaviour import gives_query, outcome_of, runnable_sql
from stef.gold.buckets import BUCKETS, Failing, bucket_of
from stef.gold.evaluate import Asked, evaluate
from stef.gold.reading import ReportRow, overview_of, settled
from stef.gold.sides import Ran, golds_of
from stef.records.asking import AgentFault, AgentReply
from stef.records.case import Case, Expected
from stef.records.gold import Bucket, CaseFault, CaseReport, Outcome, Retrieval, Symptom, Whose
from stef.records.result import Executed, Failure, FailureKind, Result
from stef.records.turn import Turn
from stef.sql.resolve import resolve

GOLD_SQL = "SELECT name, city FROM shop ORDER BY name"
SQL = "SELECT name, city FROM shop WHERE open = 1 ORDER BY name"
SHOPS = tuple((f"shop {number:02}", "Rome" if number % 3 else "Oslo") for number in range(30))


def table(*rows: tuple[Any, ...], names: str = "name city") -> Result:
    """A result by its rows."""
    columns = tuple(map(list, zip(*rows, strict=True))) if rows else tuple([] for _ in names.split())
    return Result(tuple(names.split())[: len(columns)], columns, len(rows))


def report(
    given_: Executed | None = None,
    *,
    gold: Executed | None = None,
    sql: str = SQL,
    fault: AgentFault | None = None,
    row_cap: int | None = None,
    turn: dict[str, Any] | None = None,
    **case: Any,
) -> CaseReport:
    """The report of a turn whose query gave `given_`."""
    fields = {"gold_sql": (GOLD_SQL,), **case}
    if fields.get("kind") == "unanswerable":
        fields["gold_sql"] = ()
    the_case = Case(id="c", question="Which shops?", **fields)
    reply = AgentReply(Turn(question="Which shops?", **(turn or {"sql": sql})), fault)
    query = runnable_sql(reply, "sqlite")
    outcome = outcome_of(reply, query)
    golds = [ran(one, gold or table(*SHOPS)) for one in the_case.gold_sql]
    candidate = ran(query, given_ or table(*SHOPS)) if query and gives_query(outcome) else None
    asked = Asked(reply, outcome, dialect="sqlite", row_cap=row_cap)
    return evaluate(the_case, asked, golds_of(the_case, golds), candidate)


def ran(sql: str, executed: Executed) -> Ran:
    """A query that gave this."""
    return Ran(sql, executed, resolve(sql, "sqlite", None))


def failing(kind: FailureKind) -> Failure:
    """A query that the database refused."""
    return Failure(kind, "no")


HALF = SHOPS[:15]
DDL = ("CREATE TABLE staff (id INT)",)
CASES: dict[str, tuple[Bucket | None, CaseReport]] = {
    "right": (None, report(table(*SHOPS))),
    "right refusal": (None, report(turn={"answer": "I cannot answer that."}, kind="unanswerable")),
    "database is away": (Bucket.DATABASE_DOWN, report(failing(FailureKind.DATABASE_DOWN))),
    "agent broke": (Bucket.AGENT_CRASH, report(turn={"outcome": "failed"}, fault=AgentFault.CRASH)),
    "agent took too long": (Bucket.AGENT_CRASH, report(turn={"outcome": "failed"}, fault=AgentFault.TIMEOUT)),
    "agent said nothing": (Bucket.AGENT_CRASH, report(turn={"sql": ""})),
    "a crash is no refusal": (Bucket.AGENT_CRASH, report(turn={"outcome": "failed"}, kind="unanswerable")),
    "gold does not run": (Bucket.BROKEN_GOLD, report(gold=failing(FailureKind.SYNTAX))),
    "gold is empty": (Bucket.BROKEN_GOLD, report(gold=table())),
    "words alone": (Bucket.ANSWERED_WITHOUT_QUERY, report(turn={"answer": "There are 30 shops."})),
    "words alone, unanswerable": (
        Bucket.ANSWERED_WITHOUT_QUERY,
        report(turn={"answer": "It is 42."}, kind="unanswerable"),
    ),
    "a constant": (Bucket.ANSWERED_WITHOUT_QUERY, report(table((42,), names="n"), sql="SELECT 42")),
    "declined": (Bucket.OVER_REFUSAL, report(turn={"answer": "I cannot answer that."})),
    "declined in SQL": (Bucket.OVER_REFUSAL, report(turn={"sql": "SELECT 'no data'"})),
    "declined what needs clearing up": (
        Bucket.OVER_REFUSAL,
        report(turn={"answer": "I cannot answer that."}, expect="clarify"),
    ),
    "asked back": (Bucket.NEEDLESS_CLARIFICATION, report(turn={"answer": "Which year do you mean?"})),
    "asked back, unanswerable": (
        Bucket.NEEDLESS_CLARIFICATION,
        report(turn={"answer": "Which year do you mean?"}, kind="unanswerable"),
    ),
    "answered what cannot be": (Bucket.MISSED_REFUSAL, report(kind="unanswerable")),
    "answered what is unsupported": (Bucket.MISSED_REFUSAL, report(expect="unsupported")),
    "answered what needs clearing up": (Bucket.MISSED_CLARIFICATION, report(expect="clarify")),
    "syntax": (Bucket.DOES_NOT_PARSE, report(failing(FailureKind.SYNTAX))),
    "not even SQL": (Bucket.DOES_NOT_PARSE, report(failing(FailureKind.NOT_ONE_QUERY), sql="SELEC a FROM b WHERE c")),
    "two statements": (Bucket.NOT_ONE_QUERY, report(failing(FailureKind.NOT_ONE_QUERY))),
    "no such table": (Bucket.UNKNOWN_TABLE_OR_COLUMN, report(failing(FailureKind.UNKNOWN_TABLE))),
    "no such column": (Bucket.UNKNOWN_TABLE_OR_COLUMN, report(failing(FailureKind.UNKNOWN_COLUMN))),
    "too slow": (Bucket.TIMES_OUT, report(failing(FailureKind.TIMEOUT))),
    "ambiguous name": (Bucket.DOES_NOT_RUN, report(failing(FailureKind.EXECUTION))),
    "cut at 10": (Bucket.DISPLAY_CAP, report(table(*SHOPS[:10]), sql=f"{GOLD_SQL} LIMIT 10")),
    "cut at the row cap": (Bucket.DISPLAY_CAP, report(table(*SHOPS[:5]), sql=f"{GOLD_SQL} LIMIT 5", row_cap=5)),
    "a LIMIT that picks": (Bucket.TOO_FEW_ROWS, report(table(*SHOPS[:3]), sql=f"{GOLD_SQL} LIMIT 3")),
    "fewer than the LIMIT": (Bucket.TOO_FEW_ROWS, report(table(*HALF), sql=f"{GOLD_SQL} LIMIT 100")),
    "nothing": (Bucket.EMPTY_RESULT, report(table())),
    "one column": (Bucket.MISSING_COLUMNS, report(table(*[row[:1] for row in SHOPS], names="name"))),
    "more rows": (Bucket.TOO_MANY_ROWS, report(table(*SHOPS, ("shop 99", "Lima")))),
    "fewer rows": (Bucket.TOO_FEW_ROWS, report(table(*HALF))),
    "other values": (Bucket.WRONG_VALUES, report(table(*SHOPS[:29], ("shop 29", "Nice")))),
    "backwards": (
        Bucket.WRONG_ORDER,
        report(table(*reversed(SHOPS)), sql="SELECT name, city FROM shop ORDER BY name DESC", compare_on="ranking"),
    ),
    "a column more": (
        Bucket.EXTRA_COLUMNS,
        report(
            table(*[(*row, number) for number, row in enumerate(SHOPS)], names="name city id"),
            sql="SELECT name, city, id FROM shop ORDER BY name",
            compare_on="table",
        ),
    ),
    "tables that were not offered": (
        Bucket.TABLES_NOT_OFFERED,
        report(failing(FailureKind.UNKNOWN_TABLE), turn={"sql": "SELECT a FROM b", "ddl_offered": DDL}),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_cause_of_a_turn(name: str) -> None:
    """A right turn has none; every other has the one that comes first."""
    bucket, found = CASES[name]
    assert found.bucket is bucket


def test_every_cause_has_its_place() -> None:
    """The list holds each cause once, in the order of the vocabulary, and ends with one that always applies."""
    assert [bucket for bucket, _ in BUCKETS] == list(Bucket)
    assert BUCKETS[-1][1](Failing(CASES["right"][1]))


def test_a_bug_of_stefs_own_comes_before_all() -> None:
    """Whatever the agent did."""
    broken = replace(CASES["declined"][1], faults=(CaseFault(Whose.HARNESS, "harness_fault", "a bug"),))
    assert bucket_of(Failing(broken)) is Bucket.HARNESS_FAULT


def test_what_no_number_tells_is_named_too() -> None:
    """A turn that is wrong without any symptom, and one of which nothing can be said."""
    wrong = CaseReport("c", Outcome.ANSWERED, correct=False)
    assert bucket_of(Failing(wrong)) is Bucket.UNEXPLAINED
    assert bucket_of(Failing(replace(wrong, correct=None))) is Bucket.UNDECIDED


REPORTS = st.builds(
    CaseReport,
    case_id=st.just("c"),
    outcome=st.sampled_from(Outcome),
    correct=st.sampled_from([True, False, None]),
    held_out=st.booleans(),
    symptom=st.sampled_from([None, *Symptom]),
    expected=st.sampled_from(Expected),
    scorer_fault=st.sampled_from([None, "a bug"]),
    faults=st.lists(
        st.builds(CaseFault, st.sampled_from(Whose), st.sampled_from(FailureKind), st.just("")), max_size=2
    ),
)


@given(REPORTS, st.sampled_from(["", SQL, "SELECT 42", "N/A"]), st.booleans())
def test_exactly_one_cause(found: CaseReport, query: str, empty: bool) -> None:
    """Any report that is not right gets one, and one that is right gets none."""
    bucket = bucket_of(Failing(found, query, empty_field=empty))
    assert (bucket is None) == (found.correct is True)


def rows(agent: str, *reports: CaseReport, sql: bool = False) -> list[ReportRow]:
    """Turns of one agent."""
    return [ReportRow(one, agent, has_sql=sql) for one in reports]


def test_a_field_that_no_turn_has_is_the_cause() -> None:
    """Answers in words on every turn that should hold SQL: nobody looks where the SQL stands."""
    words, declined = CASES["words alone"][1], CASES["declined"][1]
    found, empty = settled(rows("bot", words, words, words, declined))
    assert [row.report.bucket for row in found] == [Bucket.EMPTY_EXTRACTOR] * 3 + [Bucket.OVER_REFUSAL]
    assert [(one.agent, one.field, one.turns, one.failures) for one in empty] == [("bot", "sql", 3, 3)]


def test_one_turn_that_has_the_field_shows_that_it_is_read() -> None:
    """Then an answer in words is the agent's own doing; so it is where too few turns could show it."""
    words = CASES["words alone"][1]
    mixed = [*rows("bot", words, words, words), *rows("bot", CASES["fewer rows"][1], sql=True)]
    for held in (mixed, rows("bot", words, words)):
        found, empty = settled(held)
        assert not empty
        assert found[0].report.bucket is Bucket.ANSWERED_WITHOUT_QUERY


def test_tables_that_are_never_offered_are_an_empty_field() -> None:
    """The agent may well have offered some; what reads them does not find them."""
    offered = CASES["tables that were not offered"][1]
    nothing = replace(offered, agent_retrieval=Retrieval(required=("shop",), missing=("shop",)))
    found, empty = settled(rows("bot", nothing, nothing, nothing, sql=True))
    assert {row.report.bucket for row in found} == {Bucket.EMPTY_EXTRACTOR}
    assert [one.field for one in empty] == ["tables_offered"]


def test_two_counts_stand_on_top() -> None:
    """Turns that stef itself failed on, and failures that an empty field explains; no turn is counted twice."""
    broken = replace(CASES["declined"][1], scorer_fault="a bug", bucket=Bucket.HARNESS_FAULT)
    words = CASES["words alone"][1]
    found = overview_of([*rows("a", broken), *rows("b", words, words, words), *rows("c", CASES["right"][1], sql=True)])
    assert (found.own_bugs, found.empty_extractor_failures) == (1, 3)
    assert list(found.to_json())[:2] == ["own_bugs", "empty_extractor_failures"]
    assert sum(sum(agent.buckets.values()) for agent in found.agents) == 4
