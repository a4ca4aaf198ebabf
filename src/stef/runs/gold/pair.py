"""One turn of a gold RUN with both of its results, as it was compared; and a pair of queries compared at once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from stef.databases import Database, Limits
from stef.errors import InputError, StefError
from stef.gold.behaviour import runnable_sql
from stef.gold.evaluate import Asked, evaluate
from stef.gold.sides import Golds, Ran, golds_of, with_ranked
from stef.records.asking import AgentReply
from stef.records.case import Case
from stef.records.gold import CaseReport, Ceiling, Outcome
from stef.records.live import LiveSchema
from stef.records.result import Executed, Failure, FailureKind
from stef.records.turn import Turn
from stef.rules import RuleBook
from stef.runs.gold.answers import answer_key, read_answers
from stef.runs.gold.folder import read_cases, read_schemas
from stef.runs.gold.record import GoldRecord
from stef.runs.gold.summary import record_of
from stef.runs.gold.work import read
from stef.runs.run import Run


@dataclass(frozen=True, slots=True)
class Pair:
    """A gold and a candidate as they ran, and what the families say. `gold` is None where no gold could be compared."""

    report: CaseReport
    gold: Ran | None
    candidate: Ran | None
    golds: Golds


@dataclass(frozen=True, slots=True)
class StoredPair:
    """A turn of a RUN: its case, its record, and the pair."""

    case: Case
    record: GoldRecord
    pair: Pair


def stored_pair(run: Run, wanted: str) -> tuple[StoredPair, int]:
    """The turn whose id (else whose row) is `wanted`, and how many have that id.

    Raises InputError where there is none, or where the RUN cannot be read.
    """
    found = run.find(wanted)
    record = record_of(run, found[0])
    cases = read_cases(run.path)
    if record.case_id not in cases:
        raise InputError(f"{run.path}: holds no case {record.case_id!r}, which row {record.row} is about")
    case = cases[record.case_id]
    part = _part_of(run, record.row)
    schema = read_schemas(run.path).get(record.database or "")
    golds, candidate = both_sides(case, record, read_answers(part), schema, RuleBook.load(None))
    index = record.report.gold_index
    gold = golds.runs[index] if index is not None else next(iter(golds.runs), None)
    return StoredPair(case, record, Pair(record.report, gold, candidate, golds)), len(found)


def both_sides(
    case: Case, record: GoldRecord, answers: Mapping[str, Executed], schema: LiveSchema | None, book: RuleBook
) -> tuple[Golds, Ran | None]:
    """The golds and the candidate of a stored turn, from the results that were kept. Raises InputError."""

    def kept(query: str) -> Executed:
        missing = Failure(FailureKind.EXECUTION, "not kept")
        return answers.get(answer_key(case.id, query), missing)

    try:
        runs = [
            with_ranked(Ran(sql, answers[key], read(sql, record.gold_dialect, schema, None)), record.gold_dialect, kept)
            for sql, key in zip(case.gold_sql, record.gold_keys, strict=bool(record.gold_keys))
        ]
        if record.answer_key is None or record.sql is None:
            return golds_of(case, runs), None
        rules = book.for_app(record.reply.turn.app)
        candidate = Ran(record.sql, answers[record.answer_key], read(record.sql, record.dialect, schema, rules))
    except (KeyError, ValueError) as error:
        raise InputError(f"row {record.row}: its results are not in the RUN: {error}") from error
    return golds_of(case, runs), candidate


def _part_of(run: Run, row: int) -> Path:
    size = int(run.settings.get("part_rows") or 1)
    return run.path / "results" / f"part-{row // size:05d}.parquet"


def compare_queries(database: Database, case: Case, sql: str, limits: Limits, dialect: str | None = None) -> Pair:
    """One query against the golds of a case, run now.

    A gold without rows, where the case does not expect that, leaves open whether two empty results are one.
    """
    speaks = dialect or database.dialect
    try:
        schema = database.schema()
    except StefError:
        schema = None
    reply = AgentReply(Turn(question=case.question, sql=sql))

    def run(query: str) -> Executed:
        return database.run(query, limits)

    runs = [with_ranked(Ran(gold, run(gold), read(gold, speaks, schema, None)), speaks, run) for gold in case.gold_sql]
    query = runnable_sql(reply, speaks)
    candidate = Ran(query, run(query), read(query, speaks, schema, None))
    # The user gave these very queries: what is empty is compared all the same.
    golds = golds_of(case.model_copy(update={"expect_empty": True}), runs)
    report = evaluate(case, Asked(reply, Outcome.ANSWERED, dialect=speaks, no_schema=schema is None), golds, candidate)
    index = report.gold_index
    gold = runs[index or 0] if runs else None
    if not case.expect_empty and gold is not None and not isinstance(gold.executed, Failure) and not gold.executed.rows:
        report = _of_empty_gold(report)
    return Pair(report, gold, candidate, golds)


def _of_empty_gold(report: CaseReport) -> CaseReport:
    """Two empty results prove nothing; that one is empty and the other is not, is a difference."""
    output, answer = report.output, report.answer
    if output is not None:
        output = replace(
            output,
            exact_match=output.exact_match and None,
            exact_match_positional=output.exact_match_positional and None,
            bird_ex=output.bird_ex and None,
            spider_ex=output.spider_ex and None,
        )
    return replace(
        report,
        output=output,
        answer=answer and replace(answer, correct=answer.correct and None),
        correct=report.correct and None,
        ceilings=(*report.ceilings, Ceiling.GOLD_IN_DOUBT),
    )
