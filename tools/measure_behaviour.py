"""How a model's replies on public typed questions behave, and how well stef reads how a turn ended.

    python tools/measure_behaviour.py ../shared/data [--out FOLDER]

Replays GPT-5's replies to CoSQL's turns through a whole gold run, holds the outcomes that stef reads against those that
the sets name, and measures which of two acceptable readings five models take. Prints Markdown.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stef.gold.cases import load_cases
from stef.gold.reading import ReportRow, behaviour_of, rate_of, readings_of, reliability_of
from stef.gold.reading.figures import Rate
from stef.records.case import Case, CaseKind
from stef.records.gold import CaseReport, GoldState, Outcome
from stef.records.turn import Turn
from stef.runs.gold.job import GoldJob
from stef.runs.gold.run import run_gold
from stef.runs.gold.summary import report_rows, summarise_gold
from stef.sql.clean import clean
from stef.sql.replies import outcome_of_turn
from stef.sql.resolve import Resolved, resolve

TURNS, REPLIES = "cosql_dev_turn_types.jsonl", "cosql_dev_gpt5_predictions.jsonl"
MEANT = {
    "answerable": Outcome.ANSWERED,
    "ambiguous": Outcome.CLARIFIED,
    "unanswerable": Outcome.DECLINED,
    "improper": Outcome.SMALL_TALK,
}


@dataclass(frozen=True, slots=True)
class Read:
    """Outcomes as stef reads them beside those that are meant."""

    name: str
    pairs: tuple[tuple[Outcome, Outcome], ...]

    def precision(self, outcome: Outcome) -> Rate:
        """Of the turns that are read so, those that are meant so."""
        return rate_of(meant is outcome for meant, read in self.pairs if read is outcome)

    def recall(self, outcome: Outcome) -> Rate:
        """Of the turns that are meant so, those that are read so."""
        return rate_of(read is outcome for meant, read in self.pairs if meant is outcome)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def read(sql: str | None = None, answer: str | None = None) -> Outcome:
    """How a turn with this SQL, or this text, ended."""
    turn = Turn(question="q", sql=sql, answer=answer)
    return outcome_of_turn(turn, clean(sql).text if sql else "")


def outcomes(data: Path) -> Iterator[Read]:
    """Every set whose replies have a type of their own."""
    folder = data / "behaviour"
    replies = [(MEANT[one["predicted_type"]], one["predicted"]) for one in lines(folder / REPLIES)]
    yield Read("GPT-5 on CoSQL, its own types", tuple((meant, read(text)) for meant, text in replies))
    people = [one for one in lines(folder / TURNS) if one["gold_reply_text"] and one["type"] != "answerable"]
    yield Read("people on CoSQL", tuple((MEANT[one["type"]], read(None, one["gold_reply_text"])) for one in people))
    refusals = [one["expected_sql"] for one in lines(folder / "defog_idk_unanswerable.jsonl")]
    yield Read("defog's refusals in SQL", tuple((Outcome.DECLINED, read(sql)) for sql in refusals))
    broken = tuple((Outcome.DECLINED, read(sql.replace("''", "'"))) for sql in refusals)
    yield Read("the same, apostrophes not doubled", broken)
    queries = (one["sql"] for path in sorted((data / "turns").glob("*.jsonl")) for one in lines(path) if one["sql"])
    yield Read("all logged SQL", tuple((Outcome.ANSWERED, read(sql)) for sql in queries))


def run_cosql(data: Path, out: Path) -> "list[ReportRow]":
    """GPT-5's replies through a gold run: the typed turns as cases, the replies as a log."""
    out.mkdir(parents=True, exist_ok=True)
    log = out / "replies.jsonl"
    with log.open("w", encoding="utf-8") as file:
        for one in lines(data / "behaviour" / REPLIES):
            turn = {"question": one["question"], "sql": one["predicted"], "agent": "gpt-5", "case_id": one["turn_id"]}
            file.write(json.dumps(turn) + "\n")
    job = GoldJob(
        cases=(str(data / "behaviour" / TURNS),),
        database=f"sqlite:///{data.resolve()}/databases/spider/{{database}}.sqlite",
        agents=(f"replay:{log}",),
        out=out / "run",
    )
    finished = run_gold(job)
    overview = summarise_gold(finished.run).overview
    (agent,) = overview.agents
    print(f"\n{overview.cases} cases, {overview.turns} turns with a reply, {agent.whole.held_out} held out.")
    print(f"Right: {shown(agent.whole.correct)}; executable: {shown(agent.whole.executable)}\n")
    print("| cause | turns |\n|---|---|")
    for bucket, count in agent.buckets.items():
        print(f"| {bucket.value.replace('_', ' ')} | {count} |")
    print("\n| penalty | reliability |\n|---|---|")
    for penalty in (0, 0.5, 1, 2, 10):
        found = reliability_of(agent.tally, penalty)
        print(f"| {penalty} | {found.score:.3f} ({found.low:.2f} to {found.high:.2f}, n {found.n}) |")
    return list(report_rows(finished.run))


def show_behaviour(name: str, rows: Iterable[ReportRow]) -> None:
    """Both pairs, and each direction."""
    found = behaviour_of(list(rows))
    if found is None:
        return
    pairs = {
        "decline precision": found.decline.precision,
        "decline recall": found.decline.recall,
        "clarification precision": found.clarification.precision,
        "clarification recall": found.clarification.recall,
        "answers where it should": found.answering,
        "over-refusal": found.over_refusal,
        "needless clarification": found.needless_clarification,
    }
    print(f"\n**{name}**\n\n| figure | share (right/n; 95 % interval) |\n|---|---|")
    for figure, rate in pairs.items():
        print(f"| {figure} | {shown(rate)} |")


def ambiguous_rows(data: Path) -> Iterator[ReportRow]:
    """Which of two acceptable readings each of five models takes in its five best queries, by their components."""
    for one in lines(data / "behaviour" / "ambiqt_model_topk.jsonl"):
        acceptable = [signature(sql) for sql in one["acceptable_sqls"]]
        for sql in one["predicted_sqls"]:
            found = signature(sql)
            index = acceptable.index(found) if found is not None and found in acceptable else None
            report = CaseReport(
                case_id=one["id"],
                outcome=Outcome.ANSWERED,
                correct=index is not None,
                gold_index=index,
                golds=tuple(GoldState() for _ in acceptable),
            )
            yield ReportRow(report, one["model"], kind=CaseKind.AMBIGUOUS)


def signature(sql: str) -> tuple[Any, ...] | None:
    """What a query means, as far as its components tell."""
    found: Resolved | None = resolve(sql, "sqlite", None)
    if found is None:
        return None
    return (
        *(found.tables, found.joins, found.projections, found.filters, found.aggregations, found.grouping),
        *(found.ordering, found.limit),
    )


def shown(rate: Rate) -> str:
    """A share with what it is made of."""
    if rate.share is None or rate.low is None or rate.high is None:
        return "–"
    return f"{rate.share * 100:.1f} % ({rate.count}/{rate.n}; {rate.low * 100:.1f}–{rate.high * 100:.1f})"


def loaded(path: Path) -> str:
    """How a set reads as cases."""
    found = load_cases(path)
    kinds = Counter(case.kind.value for case in found.cases)
    controls = sum(is_control(case) for case in found.cases)
    said = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    return f"| `{path.stem}` | {len(found.cases)} | {said} | {controls} | {len(found.faults)} |"


def is_control(case: Case) -> bool:
    """A question that must simply be answered."""
    return case.control


def main() -> None:
    """Print everything."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("data", type=Path, help="the folder with behaviour/, turns/ and databases/")
    arguments.add_argument("--out", type=Path, help="keep the run here")
    given = arguments.parse_args()
    print("| set | cases | kinds | controls | left out |\n|---|---|---|---|---|")
    for path in sorted((given.data / "behaviour").glob("*.jsonl")):
        print(loaded(path))
    print("\n| outcomes read | outcome | precision | recall |\n|---|---|---|---|")
    for one in outcomes(given.data):
        for outcome in dict.fromkeys(meant for meant, _ in one.pairs):
            print(f"| {one.name} | {outcome.value} | {shown(one.precision(outcome))} | {shown(one.recall(outcome))} |")
    with tempfile.TemporaryDirectory() as temporary:
        rows = run_cosql(given.data, given.out or Path(temporary))
    show_behaviour("All turns", rows)
    show_behaviour("Questions only: without thanks and greetings", [row for row in rows if row.category != "improper"])
    print("\n| model | first reading | another | neither | covered in five queries |\n|---|---|---|---|---|")
    by_model: dict[str, list[ReportRow]] = {}
    for row in ambiguous_rows(given.data):
        by_model.setdefault(row.agent or "", []).append(row)
    for model, turns in by_model.items():
        found = readings_of(turns)
        if found is not None and found.covered.value is not None:
            covered = f"{found.covered.value * 100:.1f} % (n {found.covered.n})"
            print(f"| {model} | {found.first} | {found.others} | {found.neither} | {covered} |")


if __name__ == "__main__":
    main()
