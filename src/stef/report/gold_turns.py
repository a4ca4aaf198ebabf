"""The turns of gold RUNs as a page shows them: both queries side by side, and what the families say."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stef.records.case import Case
from stef.records.gold import CaseReport, Share
from stef.report.details import Detail, Names, Packed, pack
from stef.report.explanation import Mark
from stef.report.gold import GoldReport, gold_name
from stef.report.text import DASH, visible, words
from stef.report.turns import cut, packed_head
from stef.runs.gold.record import GoldRecord
from stef.runs.gold.summary import record_of

_COLUMNS = ("row", "record")
_MARKS = {mark: number for number, mark in enumerate(Mark)}


def packed_gold_turns(reports: Sequence[GoldReport], most: int) -> Packed:
    """The turns of all reports, the wrong ones first where there are more than `most`."""
    names = {key: Names() for key in ("agent", "band", "cause")}
    texts = {key: Names() for key in ("question", "sql")}
    share = max(1, most // max(1, len(reports)))
    details = [
        _detail(number, record, report.cases.get(record.case_id), names, texts)
        for number, report in enumerate(reports)
        for record in _records(report, share)
    ]
    return pack(details, names, texts, packed_head([str(report.run.path) for report in reports]))


def _records(report: GoldReport, most: int) -> Iterator[GoldRecord]:
    wanted = None
    if report.overview.turns > most:
        lowest = report.run.query(f"SELECT row FROM turns ORDER BY correct NULLS FIRST, row LIMIT {int(most)}")  # noqa: S608
        wanted = {one["row"] for one in lowest}
    for row in report.run.rows(_COLUMNS):
        if wanted is None or row["row"] in wanted:
            yield record_of(report.run, row)


def state_of(report: CaseReport) -> str:
    """Right, wrong, or why nothing is said."""
    if report.held_out:
        return "held out"
    return {True: "right", False: "wrong", None: "undecided"}[report.correct]


def _detail(
    number: int, record: GoldRecord, case: Case | None, names: Mapping[str, Names], texts: Mapping[str, Names]
) -> Detail:
    report, sql = record.report, record.sql or record.reply.turn.sql or ""
    columns = {
        "run": number,
        "row": record.row,
        "id": visible(record.id),
        "agent": names["agent"].number(visible(gold_name(record.agent, record.agent_version))),
        "score": None,
        "p": None,
        "band": names["band"].number(state_of(report)),
        "cause": names["cause"].number(report.bucket and words(report.bucket.value)),
        "question": texts["question"].number(cut(record.question)),
        "sql": texts["sql"].number(cut(sql)),
    }
    return Detail(record.question, columns, _body(record, case, sql))


def _body(record: GoldRecord, case: Case | None, sql: str) -> dict[str, Any]:
    report = record.report
    answer = record.reply.turn.answer
    return {
        "head": _headline(report),
        "sum": "",
        "about": [visible(text) for text in _about(record, case)],
        "q": [visible(cut(record.question))],
        "e": [visible(cut(answer))] if answer and not sql else [],
        "g": [visible(cut("\n;\n".join(case.gold_sql)))] if case and case.gold_sql else [],
        "s": [visible(cut(sql))] if sql else [],
        "lines": [[title, lines] for title, lines in _sections(report) if lines],
    }


def _headline(report: CaseReport) -> str:
    cause = f": {words(report.bucket.value)}" if report.bucket else ""
    expected, came = report.expected.value, words(report.outcome.value)
    return f"{state_of(report).capitalize()}{cause}. Expected: {expected}, came: {came}"


def _about(record: GoldRecord, case: Case | None) -> Iterator[str]:
    yield f"case {record.case_id}"
    if record.phrasing:
        yield f"phrasing {record.phrasing}"
    if record.database:
        yield f"database {record.database}"
    for text in (case.category, case.difficulty) if case else ():
        if text:
            yield text


def _sections(report: CaseReport) -> Iterator[tuple[str, list[list[Any]]]]:
    faults = [_line(Mark.MISSING, f"{words(one.kind)} ({one.whose.value})", one.message) for one in report.faults]
    yield "Errors", faults
    yield "Output", list(_output(report))
    yield "Components", list(_components(report))
    yield "Retrieval", list(_retrieval(report))
    ceilings = [_line(Mark.UNDECIDED, words(one.value), "") for one in report.ceilings]
    if report.scorer_fault:
        ceilings.append(_line(Mark.UNDECIDED, "scorer fault", report.scorer_fault))
    yield "Ceilings", ceilings


def _output(report: CaseReport) -> Iterator[list[Any]]:
    if report.answer is not None:
        yield _of(f"answer as {words(report.answer.shape.value)}", report.answer.correct)
    if report.output is None:
        return
    output = report.output
    yield _of("exact match", output.exact_match)
    yield _shares("columns", output.columns)
    yield _shares("cells", output.cells)
    if output.reference_size and output.candidate_size:
        gold, candidate = output.reference_size, output.candidate_size
        yield _line(Mark.PLAIN, f"rows {candidate[0]:,}, gold {gold[0]:,}", f"columns {candidate[1]}, gold {gold[1]}")
    if report.symptom:
        yield _line(Mark.ALTERED, words(report.symptom.value), "symptom")


def _components(report: CaseReport) -> Iterator[list[Any]]:
    found = report.components
    if found is None:
        return
    for name in ("tables", "joins", "projections", "filters", "filters_without_values", "aggregations", "grouping"):
        share: Share = getattr(found, name)
        if share != Share():
            yield _shares(words(name), share)
    for name, same in (("order", found.order_equal), ("limit", found.limit_equal)):
        if same is not None:
            yield _of(f"same {name}", same)


def _retrieval(report: CaseReport) -> Iterator[list[Any]]:
    if report.retrieval is None:
        return
    yield _shares("tables", report.retrieval.tables)
    if report.retrieval.missing:
        yield _line(Mark.MISSING, "not offered", ", ".join(report.retrieval.missing))


def _of(name: str, value: bool | None) -> list[Any]:
    mark = Mark.UNDECIDED if value is None else Mark.MATCHED if value else Mark.MISSING
    return _line(mark, name, "" if value is not None else "undefined")


def _shares(name: str, share: Share) -> list[Any]:
    whole = share.precision in {1.0, None} and share.recall in {1.0, None}
    mark = Mark.PLAIN if share == Share() else Mark.MATCHED if whole else Mark.ALTERED
    return _line(mark, name, f"precision {_figure(share.precision)}, recall {_figure(share.recall)}")


def _figure(value: float | None) -> str:
    return DASH if value is None else f"{value:.3f}"


def _line(mark: Mark, text: str, why: str) -> list[Any]:
    return [_MARKS[mark], visible(cut(text)), visible(cut(why))]
