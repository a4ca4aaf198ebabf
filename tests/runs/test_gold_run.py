"""A gold run: what stands in the RUN, what is held out, whose errors are whose, and that nothing secret is kept."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import gold_kit as kit
import pytest

from stef.agents import agent_of, retriever_of
from stef.databases import Limits
from stef.errors import InputError, RunExistsError, UserError
from stef.gold.cases import CaseSet
from stef.rules import RuleBook
from stef.runs.gold import run as running
from stef.runs.gold import work
from stef.runs.gold.job import GoldFinished, GoldJob
from stef.runs.gold.rescore import rescore_gold
from stef.runs.gold.run import run_gold
from stef.runs.gold.settings import settings_of
from stef.runs.gold.summary import summarise_gold
from stef.version import VERSION

ASKED_FOR = {
    *("id", "case_id", "agent", "category", "difficulty", "executable", "correct", "answer_shape", "set_precision"),
    *("set_recall", "exact_match", "exact_match_positional", "bird_ex", "columns_precision", "columns_recall"),
    *("cells_precision", "cells_recall", "ceilings", "symptom", "gold_index", "scorer_fault", "error"),
    *(
        f"{name}_{which}"
        for name in ("tables", "joins", "projections", "filters", "aggregations", "grouping", "retrieval")
        for which in ("precision", "recall")
    ),
}


@pytest.fixture
def job(tmp_path: Path) -> GoldJob:
    """Two agents of one log on the shop."""
    return GoldJob(
        cases=(str(kit.cases(tmp_path / "cases.yaml")),),
        database=f"sqlite:///{kit.shop(tmp_path / 'shop.sqlite')}",
        agents=(f"replay:{kit.log(tmp_path / 'turns.jsonl')}",),
        out=tmp_path / "run",
    )


def changed(job: GoldJob, **fields: Any) -> GoldJob:
    """The job with other fields."""
    return GoldJob(**{**{name: getattr(job, name) for name in job.__slots__}, **fields})


def verdicts(finished: GoldFinished) -> dict[str, bool | None]:
    """Turn to verdict."""
    return {row["id"]: row["correct"] for row in kit.rows_of(finished.run.path)}


def test_verdicts(job: GoldJob) -> None:
    """Each turn against its case's gold; an empty or broken gold leaves its turns undefined; a tie is right."""
    assert verdicts(run_gold(job)) == {
        "good-count": True,
        "bad-count": True,  # as many orders as customers: a coincidence that no result can tell
        "good-oslo": True,
        "bad-oslo": False,
        "good-best": True,
        "bad-best": False,
        "good-per-city": True,
        "bad-per-city": False,
        "good-nobody": None,
        "good-broken": None,
        "good-salary": True,
        "bad-salary": False,
    }


def test_parquet(job: GoldJob) -> None:
    """The columns that were promised are there, rows stand in the order of cases and agents, ids are the turns'."""
    finished = run_gold(job)
    rows = kit.rows_of(finished.run.path)
    assert rows[0].keys() >= ASKED_FOR
    order = [entry["id"] for entry in kit.CASES]
    assert [row["case_id"] for row in rows] == sorted((row["case_id"] for row in rows), key=order.index)
    assert [row["id"] for row in rows][:2] == ["good-count", "bad-count"]
    oslo = next(row for row in rows if row["id"] == "bad-oslo")
    assert (oslo["answer_shape"], oslo["set_precision"], oslo["set_recall"]) == ("id_set", 0.5, 1.0)
    assert oslo["symptom"] == "too_many_rows"
    best = next(row for row in rows if row["id"] == "bad-best")
    assert (best["executable"], best["columns_precision"], best["columns_recall"]) == (False, None, 0.0)
    assert best["error_whose"] == "agent"
    assert {path.suffix for path in finished.run.path.rglob("*.parquet")} == {".parquet"}
    assert [path.parent.name for path in finished.run.path.rglob("*.parquet")] == ["results"]


def test_a_gap_in_a_log_is_no_turn(job: GoldJob) -> None:
    """Cases that a log holds no turn for are counted, and are no rows."""
    finished = run_gold(job)
    assert finished.run.about["counts"]["without_turn"] == {"bad": 2}
    assert len(kit.rows_of(finished.run.path)) == 12


def test_turns_that_answer_no_case(job: GoldJob, tmp_path: Path) -> None:
    """They are counted; a log that answers no case at all is the user's mistake, and no RUN is begun."""
    turns = [kit.said("count", "SELECT 4", "bot"), {"question": "How are you?", "sql": "SELECT 1", "agent": "bot"}]
    finished = run_gold(changed(job, agents=(f"replay:{kit.log(tmp_path / 'bot.jsonl', turns)}",)))
    assert finished.run.about["counts"]["turns_without_case"] == 1
    stranger = changed(job, agents=(f"replay:{kit.log(tmp_path / 'none.jsonl', turns[1:])}",), out=tmp_path / "none")
    with pytest.raises(InputError, match="matched by `case_id`"):
        run_gold(stranger)
    assert not stranger.out.exists()


def test_what_is_held_out(job: GoldJob) -> None:
    """Cases without a usable gold are named, and are in no mean."""
    overview = summarise_gold(run_gold(job).run).overview
    assert set(overview.held_out) == {"nobody", "broken"}
    good = next(agent for agent in overview.agents if agent.agent == "good")
    assert (good.whole.correct.count, good.whole.correct.n, good.whole.held_out) == (5, 5, 2)
    assert good.whole.means["output"]["exact_match"].n == 4


def test_agents_that_agree_against_a_gold(job: GoldJob, tmp_path: Path) -> None:
    """More than half of them, with one and the same other answer: the gold is worth a look."""
    turns = [kit.said("per-city", "SELECT city, 7 FROM customer GROUP BY city", agent) for agent in ("a", "b", "c")]
    turns += [kit.said("per-city", "SELECT city, COUNT(*) FROM customer GROUP BY city", "d")]
    again = changed(job, agents=(f"replay:{kit.log(tmp_path / 'four.jsonl', turns)}",))
    (one,) = summarise_gold(run_gold(again).run).agreements
    assert (one.case_id, one.agents, one.asked, one.example) == ("per-city", 3, 4, "a-per-city")


def test_two_versions_of_one_agent_do_not_doubt_a_gold(job: GoldJob, tmp_path: Path) -> None:
    """They are one agent."""
    wrong = "SELECT city, 7 FROM customer GROUP BY city"
    turns = [kit.said("per-city", wrong, "bot", agent_version=version, id=version) for version in ("1", "2")]
    again = changed(job, agents=(f"replay:{kit.log(tmp_path / 'two.jsonl', turns)}",))
    assert summarise_gold(run_gold(again).run).agreements == ()


def test_paraphrases(job: GoldJob) -> None:
    """Every phrasing is asked; a log must hold that very question."""
    finished = run_gold(changed(job, paraphrases=True))
    assert finished.run.about["counts"]["without_turn"] == {"good": 1, "bad": 3}


def test_slices_and_limits(job: GoldJob) -> None:
    """`fast`, a category, a difficulty; a slice without a case is the user's mistake and names those there are."""
    for chosen, ids in (("fast", {"count"}), ("aggregate", {"count", "per-city"}), ("hard", {"best"})):
        finished = run_gold(changed(job, chosen=chosen, out=job.out.with_name(chosen)))
        assert {row["case_id"] for row in kit.rows_of(finished.run.path)} == ids
    finished = run_gold(changed(job, limit=2, out=job.out.with_name("two")))
    assert {row["case_id"] for row in kit.rows_of(finished.run.path)} == {"count", "oslo"}
    with pytest.raises(UserError, match=r"no case belongs to it; there are fast, answerable, unanswerable"):
        run_gold(changed(job, chosen="fats"))


def test_bad_cases_are_counted(job: GoldJob, tmp_path: Path) -> None:
    """A case without gold, two with one id, a gold that writes: each under its own name, and the run goes on."""
    bad = [
        *kit.CASES[:2],
        {"id": "none", "question": "What?"},
        {"id": "count", "question": "Again?", "gold_sql": "SELECT 1"},
        {"id": "drop", "question": "Drop it", "gold_sql": "DROP TABLE customer"},
    ]
    finished = run_gold(changed(job, cases=(str(kit.cases(tmp_path / "bad.yaml", bad)),)))
    assert set(finished.run.about["case_fault_kinds"]) == {"no_gold", "duplicate_id", "gold_writes"}
    assert all("bad.yaml:" in fault for fault in finished.run.about["case_faults"])
    assert {row["case_id"] for row in kit.rows_of(finished.run.path)} == {"count", "oslo"}


def test_no_usable_case(job: GoldJob, tmp_path: Path) -> None:
    """Where nothing is left, it is the user's mistake, told with the first fault."""
    with pytest.raises(InputError, match=r"no usable case; the first: .*none.yaml:1"):
        run_gold(changed(job, cases=(str(kit.cases(tmp_path / "none.yaml", [{"question": "What?"}])),)))


def test_a_database_that_is_down(job: GoldJob) -> None:
    """Every turn is undefined, the errors are the database's, and no password stands anywhere in the RUN."""
    url = "postgresql://reader:s3cret@127.0.0.1:1/shop?password=s3cret"
    finished = run_gold(changed(job, database=url, limit=2))
    rows = kit.rows_of(finished.run.path)
    assert {row["correct"] for row in rows} == {None}
    assert {row["executable"] for row in rows} == {None}
    assert {row["error_whose"] for row in rows} == {"database"}
    assert [*summarise_gold(finished.run).unreachable.values()] == [len(rows)]
    everything = b"".join(path.read_bytes() for path in finished.run.path.rglob("*") if path.is_file())
    assert b"s3cret" not in everything
    assert "s3cret" not in json.dumps(rows)


def test_many_databases(job: GoldJob, tmp_path: Path) -> None:
    """`{database}` stands for a case's own; one that is missing costs its own cases only."""
    kit.shop(tmp_path / "one.sqlite")
    entries = [{**kit.CASES[0], "database": "one"}, {**kit.CASES[1], "database": "two"}]
    path = kit.cases(tmp_path / "many.yaml", entries)
    url = f"sqlite:///{tmp_path}/{{database}}.sqlite"
    rows = kit.rows_of(run_gold(changed(job, cases=(str(path),), database=url)).run.path)
    assert {(row["database"], row["error_whose"]) for row in rows} == {("one", None), ("two", "database")}


def test_results_that_are_cut(job: GoldJob) -> None:
    """A row limit is a ceiling: what it leaves open is undefined."""
    rows = kit.rows_of(run_gold(changed(job, limits=Limits(rows=1), limit=2)).run.path)
    oslo = next(row for row in rows if row["id"] == "good-oslo")
    assert {"gold_cut", "candidate_cut"} & set(oslo["ceilings"])
    assert oslo["correct"] is None


def test_a_living_agent(job: GoldJob, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked once a case, with its ids to hide; its ids are the case's and its name; calls are written down."""
    asked: list[tuple[str | None, tuple[str, ...]]] = []

    def answer(question: str, case_id: str | None, hide: tuple[str, ...]) -> str:
        asked.append((case_id, hide))
        if case_id == "best":
            raise RuntimeError("out of memory")
        return "SELECT COUNT(*) FROM customer"

    monkeypatch.setattr(running, "open_agents", lambda *_, **__: (agent_of(answer),))
    finished = run_gold(changed(job, agents=("python:shop:answer",), limit=4))
    rows = kit.rows_of(finished.run.path)
    assert [row["case_id"] for row in rows] == ["count", "oslo", "best", "per-city"]
    assert sorted(str(case) for case, _ in asked) == ["best", "count", "oslo", "per-city"]
    assert dict(asked)["count"] == ("count", "count#p1")
    assert [row["correct"] for row in rows] == [True, False, False, False]
    best = rows[2]
    assert (best["outcome"], best["executable"], best["error_whose"], best["error_kind"]) == (
        *("failed", None),
        *("agent", "crash"),
    )
    calls = [json.loads(line) for line in (job.out / "calls.jsonl").read_text().splitlines()]
    assert {call["case_id"]: call["error"] for call in calls}["best"] == "crash"
    assert not (job.out / "replies.jsonl").exists()


def test_what_was_answered_is_not_asked_again(job: GoldJob, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that breaks off in the middle of a part asks for the rest only."""
    asked: list[str | None] = []
    stops = {"per-city"}

    def answer(question: str, case_id: str | None) -> str:
        if case_id in stops:
            raise KeyboardInterrupt
        asked.append(case_id)
        return "SELECT COUNT(*) FROM customer"

    monkeypatch.setattr(running, "open_agents", lambda *_, **__: (agent_of(answer),))
    living = changed(job, agents=("python:shop:answer",), concurrency=1)
    with pytest.raises(KeyboardInterrupt):
        run_gold(living)
    before = list(asked)
    stops.clear()
    finished = run_gold(living)
    assert sorted(map(str, asked)) == sorted(entry["id"] for entry in kit.CASES)
    assert before
    assert len(kit.rows_of(finished.run.path)) == len(kit.CASES)


def test_other_settings_are_refused(job: GoldJob) -> None:
    """The same command again does nothing; with other settings it says which, and writes nothing."""
    run_gold(job)
    assert run_gold(job).already
    with pytest.raises(RunExistsError, match="row_limit was 1000000, now 7"):
        run_gold(changed(job, limits=Limits(rows=7)))


def test_rescoring_gives_the_same(job: GoldJob, tmp_path: Path) -> None:
    """Every column and every record, without agent or database, part by part; also with ties at a LIMIT."""
    finished = run_gold(changed(job, part_rows=5))
    (tmp_path / "shop.sqlite").unlink()
    (tmp_path / "turns.jsonl").unlink()
    again = rescore_gold(finished.run, RuleBook.load(None), tmp_path / "again")
    assert len(again.run.parts()) == 3
    assert kit.rows_of(again.run.path) == kit.rows_of(finished.run.path)


def test_two_runs_are_the_same(job: GoldJob) -> None:
    """But for the times that queries took."""
    first, second = run_gold(job), run_gold(changed(job, out=job.out.with_name("again")))
    timed = {"query_seconds", "gold_seconds", "record"}
    for one, other in zip(kit.rows_of(first.run.path), kit.rows_of(second.run.path), strict=True):
        assert {name: one[name] for name in one.keys() - timed} == {name: other[name] for name in one.keys() - timed}


def test_a_bug_costs_its_own_turn(job: GoldJob, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever raises, the turn is kept, undefined and counted as stef's own fault; the others are as they were."""
    resolve = work.resolve

    def buggy(sql: str, *rest: Any, **named: Any) -> Any:
        if "COUNT(id)" in sql:
            raise ZeroDivisionError("a bug")
        return resolve(sql, *rest, **named)

    monkeypatch.setattr(work, "resolve", buggy)
    finished = run_gold(job)
    rows = {row["id"]: row for row in kit.rows_of(finished.run.path)}
    assert len(rows) == 12
    lost = rows["good-count"]
    assert (lost["correct"], lost["error_whose"], lost["error_kind"]) == (None, "harness", "harness_fault")
    assert "ZeroDivisionError: a bug" in lost["scorer_fault"]
    assert "in buggy" in json.loads(lost["record"])["report"]["faults"][0]["traceback"]
    assert rows["bad-count"]["correct"] is True
    (fault,) = summarise_gold(finished.run).overview.scorer_faults
    assert fault.case_id == "count"


def test_a_retriever(job: GoldJob, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked directly once a question, told what to hide, and what it gives is the retrieval family; one that
    fails is counted under its own name."""
    asked: list[str] = []

    def retrieve(question: str, case_id: str, hide: tuple[str, ...]) -> dict[str, Any]:
        asked.append(case_id)
        if case_id == "best":
            raise RuntimeError("no index")
        return {"ddl": ["CREATE TABLE customer (id INT)", "CREATE TABLE pets (id INT)"], "examples": ["count"]}

    monkeypatch.setattr(running, "open_retriever", lambda *_, **__: retriever_of(retrieve))
    finished = run_gold(changed(job, retriever="python:shop:retrieve", limit=3))
    assert sorted(asked) == ["best", "count", "oslo"]
    assert "no_retriever" not in finished.run.about["ceilings"]
    rows = {row["id"]: row for row in kit.rows_of(finished.run.path)}
    oslo = rows["good-oslo"]
    assert (oslo["retrieval_recall"], oslo["retrieval_precision"], oslo["retrieval_spurious"]) == (1.0, 0.5, 1)
    assert (rows["good-count"]["leaks"], oslo["leaks"]) == (["count"], [])
    assert (rows["good-best"]["retrieval_recall"], rows["good-best"]["error_whose"]) == (None, "retriever")
    assert rows["good-best"]["correct"] is True


def test_no_command_line_is_kept(job: GoldJob) -> None:
    """An agent's command may hold a key: it is known by a hash."""
    secret = changed(job, agents=("command:./ask.sh --key s3cret",))
    settings = settings_of(secret, CaseSet(), (), RuleBook.load(None))
    assert "s3cret" not in json.dumps(settings)
    other = settings_of(changed(job, agents=("command:./ask.sh",)), CaseSet(), (), RuleBook.load(None))
    assert settings["agents"] != other["agents"]


def test_a_run_of_before_versions_were_kept(job: GoldJob, tmp_path: Path) -> None:
    """run.json names the stef that made it; a RUN without that goes on, finished or not, is rescored, and stays so."""
    run = run_gold(job).run
    assert run.settings["stef_version"] == VERSION
    about = json.loads((job.out / "run.json").read_text())
    del about["settings"]["stef_version"]
    for state in ("complete", "running"):
        (job.out / "run.json").write_text(json.dumps({**about, "state": state}))
        again = run_gold(job)
        assert (again.already, again.run.complete) == (state == "complete", True)
        assert "stef_version" not in again.run.settings
    rescored = rescore_gold(again.run, RuleBook.load(None), tmp_path / "rescored").run
    assert (rescored.settings["rescored"], "stef_version" in rescored.settings) == (VERSION, False)


def test_a_turn_that_is_there_twice(job: GoldJob, tmp_path: Path) -> None:
    """Turns of a log under one id are counted: only the first is replayed."""
    log = Path(job.agents[0].removeprefix("replay:"))
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.strip()]
    first = next(one for one in lines if one.get("sql"))
    twice = tmp_path / "twice.jsonl"
    twice.write_text("".join(json.dumps({**one, "id": f"t{n}"}) + "\n" for n, one in enumerate(lines)))
    assert (
        "repeated_ids"
        not in run_gold(replace(job, agents=(f"replay:{twice}",), out=tmp_path / "one")).run.about["counts"]
    )
    with twice.open("a") as file:
        file.write(json.dumps({**first, "id": f"t{lines.index(first)}"}) + "\n")
    run = run_gold(replace(job, agents=(f"replay:{twice}",), out=tmp_path / "two")).run
    assert run.about["counts"]["repeated_ids"] == 1
