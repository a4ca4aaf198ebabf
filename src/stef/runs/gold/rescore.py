"""Every figure of a gold RUN anew, from the turns and results that it keeps: no agent, no database."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stef.errors import InputError
from stef.gold.behaviour import gives_query, outcome_of
from stef.gold.evaluate import Asked, evaluate
from stef.records.case import Case
from stef.records.live import LiveSchema
from stef.rules import RuleBook
from stef.runs.folder import COMPLETE, write_whole
from stef.runs.gold.answers import answers_of, read_answers
from stef.runs.gold.columns import result_columns
from stef.runs.gold.folder import GoldFolder, read_cases, read_schemas
from stef.runs.gold.job import GoldFinished
from stef.runs.gold.pair import both_sides
from stef.runs.gold.settle import settle_causes
from stef.runs.gold.summary import record_of
from stef.runs.rescore import hashes_of
from stef.runs.run import Run, open_gold_run
from stef.version import VERSION


@dataclass(frozen=True, slots=True)
class _Known:
    """What a RUN keeps beside its turns, and the rules that hold now."""

    cases: Mapping[str, Case]
    schemas: Mapping[str, LiveSchema]
    book: RuleBook


def rescore_gold(run: Run, book: RuleBook, out: Path) -> GoldFinished:
    """Write to `out` what `run` holds, every figure computed anew; `run` stays as it is.

    `book` says what agents add by design, and how they decline. Raises InputError for a RUN that is not finished or
    cannot be read, RunExistsError for an `out` that holds something else.
    """
    if not run.complete:
        raise InputError(f"{run.path}: this RUN is not finished; finish it with the same stef gold run first")
    settings = {**run.settings, "rules": hashes_of(book), "rescored": VERSION}
    folder = GoldFolder(out, settings)
    if folder.complete:
        return GoldFinished(open_gold_run(out), already=True)
    cases, schemas = read_cases(run.path), read_schemas(run.path)
    folder.make()
    with folder.locked():
        folder.write_cases(cases.values())
        folder.write_schemas(schemas)
        for part in run.parts():
            number = int(part.stem.rpartition("-")[2])
            if not folder.part(number).exists():
                _rescored_part(run, part, folder, number, _Known(cases, schemas, book))
        settle_causes(folder)
        facts = {name: value for name, value in run.about.items() if name not in ("stef_run", "state", "settings")}
        folder.save(COMPLETE, {**facts, "rescored_from": str(run.path)})
    return GoldFinished(open_gold_run(out), already=False)


def _rescored_part(run: Run, part: Path, folder: GoldFolder, number: int, known: _Known) -> None:
    rows = list(_rescored(run, part, known))
    # The answers stand first, as in a run: a part that is there has its answers.
    target = answers_of(folder.part(number))
    target.parent.mkdir(exist_ok=True)
    write_whole(target, answers_of(part).read_bytes())
    folder.write_part(number, rows)


def _rescored(run: Run, part: Path, known: _Known) -> Iterator[dict[str, Any]]:
    answers = read_answers(part)
    for row in run.part_rows(part, ("row", "record")):
        record = record_of(run, row)
        case = known.cases.get(record.case_id)
        if case is None:
            raise InputError(f"{run.path}: holds no case {record.case_id!r}, which row {record.row} is about")
        golds, candidate = both_sides(case, record, answers, known.schemas.get(record.database or ""), known.book)
        rules = known.book.for_app(record.reply.turn.app)
        outcome = outcome_of(record.reply, record.sql or "", rules)
        candidate = candidate if gives_query(outcome) else None
        asked = Asked(
            reply=record.reply,
            outcome=outcome,
            retrieved=record.retrieved,
            hidden=record.hidden,
            dialect=record.gold_dialect,
            row_cap=rules.row_cap,
            no_schema=(record.database or "") not in known.schemas,
        )
        report = replace(evaluate(case, asked, golds, candidate), coincidence=record.report.coincidence)
        answer = None if candidate is None else candidate.executed
        yield result_columns(replace(record, report=report), case, answer)
