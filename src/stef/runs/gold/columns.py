"""The columns of `results/`, and how one record fills them."""

from typing import TYPE_CHECKING, Any

from stef.records.case import Case
from stef.records.gold import CaseReport, Components, Output, Retrieval, Share
from stef.records.result import Executed
from stef.runs.columns import NUMBER, TEXT, TEXTS, TRUTH, WHOLE, arrow_schema
from stef.runs.gold.record import GoldRecord, record_to_json

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

COMPONENTS = ("tables", "joins", "projections", "filters", "filters_without_values", "aggregations", "grouping")
SHARES = ("set", "columns", "cells", *COMPONENTS, "retrieval", "agent_retrieval")


def _two(name: str) -> dict[str, str]:
    return {f"{name}_precision": NUMBER, f"{name}_recall": NUMBER}


COLUMNS: dict[str, str] = {
    "row": WHOLE,
    "id": TEXT,
    "case_id": TEXT,
    "agent": TEXT,
    "agent_version": TEXT,
    "phrasing": WHOLE,
    "sample": WHOLE,
    "category": TEXT,
    "difficulty": TEXT,
    "tags": TEXTS,
    "kind": TEXT,
    "control": TRUTH,
    "database": TEXT,
    "dialect": TEXT,
    "question": TEXT,
    "sql": TEXT,
    "outcome": TEXT,
    "expected": TEXT,
    "bucket": TEXT,
    "executable": TRUTH,
    "correct": TRUTH,
    "answer_shape": TEXT,
    **_two("set"),
    "exact_match": TRUTH,
    "exact_match_positional": TRUTH,
    "bird_ex": TRUTH,
    "spider_ex": TRUTH,
    **_two("columns"),
    **_two("cells"),
    "cells_precision_upper": NUMBER,
    "cells_recall_upper": NUMBER,
    **{name: kind for component in COMPONENTS for name, kind in _two(component).items()},
    "order_equal": TRUTH,
    "limit_equal": TRUTH,
    **_two("retrieval"),
    "retrieval_spurious": WHOLE,
    **_two("agent_retrieval"),
    "shown_exact_match": TRUTH,
    "display_cap": TRUTH,
    "ceilings": TEXTS,
    "held_out": TRUTH,
    "symptom": TEXT,
    "gold_index": WHOLE,
    "scorer_fault": TEXT,
    "error": TEXT,
    "error_kind": TEXT,
    "error_whose": TEXT,
    "leaks": TEXTS,
    "agent_seconds": NUMBER,
    "retrieval_seconds": NUMBER,
    "query_seconds": NUMBER,
    "gold_seconds": NUMBER,
    "answer_rows": WHOLE,
    "answer_fingerprint": TEXT,
    "gold_fingerprints": TEXTS,
    "record": TEXT,
}
"""Name and kind of every column. `row` is the ordinal over cases, phrasings, agents and samples; what a log lacks has
none.

`record` is JSON. NULL is undefined: no denominator, or nothing that could be measured."""


def gold_schema() -> "pa.Schema":
    """The Arrow schema of `results/`."""
    return arrow_schema(COLUMNS)


def result_columns(record: GoldRecord, case: Case, answer: Executed | None) -> dict[str, Any]:
    """One row: the flat columns, and the whole record as JSON. `answer` is what the turn's query gave."""
    report = record.report
    return {
        "row": record.row,
        "id": record.id,
        "case_id": record.case_id,
        "agent": record.agent,
        "agent_version": record.agent_version,
        "phrasing": record.phrasing,
        "sample": record.sample,
        "category": case.category,
        "difficulty": case.difficulty,
        "tags": list(case.tags),
        "kind": case.kind.value,
        "control": case.control,
        "database": record.database,
        "dialect": record.dialect,
        "question": record.question,
        "sql": record.sql,
        **_report(report),
        "agent_seconds": record.reply.seconds,
        "retrieval_seconds": record.retrieved and record.retrieved.seconds,
        "query_seconds": None if answer is None else answer.seconds,
        "answer_rows": getattr(answer, "rows", None),
        "record": record_to_json(record),
    }


def _report(report: CaseReport) -> dict[str, Any]:
    index, answer = report.gold_index, report.answer
    first = report.faults[0] if report.faults else None
    return {
        "outcome": report.outcome.value,
        "expected": report.expected.value,
        "bucket": report.bucket and report.bucket.value,
        "executable": report.executable,
        "correct": report.correct,
        "answer_shape": answer and answer.shape.value,
        **_share("set", answer.set if answer else None),
        **_output(report.output),
        **_components(report.components),
        **_retrieval("retrieval", report.retrieval),
        "retrieval_spurious": report.retrieval and report.retrieval.spurious,
        **_retrieval("agent_retrieval", report.agent_retrieval),
        "shown_exact_match": report.shown and report.shown.exact_match,
        "display_cap": report.display_cap,
        "ceilings": [ceiling.value for ceiling in report.ceilings],
        "held_out": report.held_out,
        "symptom": report.symptom and report.symptom.value,
        "gold_index": index,
        "scorer_fault": report.scorer_fault,
        "error": first and first.message,
        "error_kind": first and first.kind,
        "error_whose": first and first.whose.value,
        "leaks": list(report.leaks),
        "gold_seconds": None if index is None else report.golds[index].seconds,
        "answer_fingerprint": report.fingerprint,
        "gold_fingerprints": [state.fingerprint for state in report.golds],
    }


def _output(output: Output | None) -> dict[str, Any]:
    if output is None:
        return {}
    upper = output.cells_upper
    return {
        "exact_match": output.exact_match,
        "exact_match_positional": output.exact_match_positional,
        "bird_ex": output.bird_ex,
        "spider_ex": output.spider_ex,
        **_share("columns", output.columns),
        **_share("cells", output.cells),
        "cells_precision_upper": upper and upper.precision,
        "cells_recall_upper": upper and upper.recall,
    }


def _components(components: Components | None) -> dict[str, Any]:
    if components is None:
        return {}
    shares = {name: value for one in COMPONENTS for name, value in _share(one, getattr(components, one)).items()}
    return {**shares, "order_equal": components.order_equal, "limit_equal": components.limit_equal}


def _retrieval(name: str, retrieval: Retrieval | None) -> dict[str, Any]:
    return _share(name, retrieval.tables if retrieval else None)


def _share(name: str, share: Share | None) -> dict[str, Any]:
    return {} if share is None else {f"{name}_precision": share.precision, f"{name}_recall": share.recall}
