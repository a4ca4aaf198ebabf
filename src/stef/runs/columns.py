"""The columns of a RUN's Parquet, and how one turn with its Assessment fills them."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stef.records.alignment import FilterState
from stef.records.assessment import Assessment, Scored, Unscored
from stef.records.judgement import Judgement
from stef.records.serialise import assessment_to_json
from stef.records.turn import Turn
from stef.runs.goldlog import gold_columns

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

TEXT, NUMBER, WHOLE, TRUTH, TEXTS, TIME = "text", "number", "whole", "truth", "texts", "time"

COLUMNS: dict[str, str] = {
    "row": WHOLE,
    "id": TEXT,
    "place": TEXT,
    "agent": TEXT,
    "agent_version": TEXT,
    "app": TEXT,
    "timestamp": TIME,
    "session": TEXT,
    "question": TEXT,
    "enriched_question": TEXT,
    "sql": TEXT,
    "has_sql": TRUTH,
    "database": TEXT,
    "dialect": TEXT,
    "status": TEXT,
    "score": NUMBER,
    "band": TEXT,
    "filter_alignment": TEXT,
    "filter_score": NUMBER,
    "verdict": TEXT,
    "verdict_score": NUMBER,
    "laxity": NUMBER,
    "confidence": NUMBER,
    "p_correct": NUMBER,
    "p_correct_raw": NUMBER,
    "multiplier": NUMBER,
    "base": NUMBER,
    "enrichment": TEXT,
    "missing_filters": TEXTS,
    "extra_filters": TEXTS,
    "benign_filters": TEXTS,
    "findings": TEXTS,
    "unscored_reason": TEXT,
    "unscored_kind": TEXT,
    "unscored_detail": TEXT,
    "latency": NUMBER,
    "cost": NUMBER,
    "judge": TEXT,
    "judge_cost": NUMBER,
    "judge_input_tokens": WHOLE,
    "judge_output_tokens": WHOLE,
    "spread": NUMBER,
    "refuted": TRUTH,
    "symbolic_p": NUMBER,
    "rules_hash": TEXT,
    "prompts_hash": TEXT,
    "source": TEXT,
    "case_id": TEXT,
    "gold_correct": TRUTH,
    "metadata": TEXT,
    "assessment": TEXT,
}
"""Name and kind of every column. `row` counts from 0; `sql` is the cleaned SQL, `has_sql` whether the log held any.

`source`, `metadata` and `assessment` are JSON; `case_id` and `gold_correct` are there where the log was a gold run. A
column without a value is NULL, and so are the lists of a turn that was not aligned (without any: an empty list).
"""


def schema() -> "pa.Schema":
    """The Arrow schema of `turns/`. Timestamps are in UTC, with microseconds; naive ones are stored as UTC."""
    return arrow_schema(COLUMNS)


def arrow_schema(columns: Mapping[str, str]) -> "pa.Schema":
    """The Arrow schema of columns by name and kind; only `row` is never NULL."""
    import pyarrow as pa  # noqa: PLC0415  heavy

    types = {
        TEXT: pa.string(),
        NUMBER: pa.float64(),
        WHOLE: pa.int64(),
        TRUTH: pa.bool_(),
        TEXTS: pa.list_(pa.string()),
        TIME: pa.timestamp("us", tz="UTC"),
    }
    return pa.schema([pa.field(name, types[kind], nullable=name != "row") for name, kind in columns.items()])


def turn_columns(row: int, place: str, turn: Turn) -> dict[str, Any]:
    """What the turn itself says."""
    return {
        "row": row,
        "id": turn.id,
        "place": place,
        "agent": turn.agent,
        "agent_version": turn.agent_version,
        "app": turn.app,
        "timestamp": turn.timestamp,
        "session": turn.session,
        "question": turn.question,
        "has_sql": bool(turn.sql and turn.sql.strip()),
        "database": turn.database,
        "latency": turn.latency,
        "cost": turn.cost,
        "source": _json(turn.source),
        **gold_columns(turn.metadata),
        "metadata": _json(turn.metadata),
    }


def assessment_columns(assessment: Assessment) -> dict[str, Any]:
    """What the Assessment says: the flat columns, and the whole record as JSON."""
    judgement = assessment.judgement
    return {
        "enriched_question": assessment.enriched_question,
        "sql": assessment.sql,
        "dialect": assessment.dialect,
        **_outcome(assessment.outcome),
        **_filters(assessment),
        "enrichment": assessment.enrichment.verdict.value if assessment.enrichment else None,
        "findings": [finding.code for finding in assessment.findings],
        "verdict": judgement.verdict.value if judgement else None,
        "confidence": judgement.confidence if judgement else None,
        "p_correct": judgement.p_correct if judgement else None,
        "p_correct_raw": judgement.uncalibrated.p_correct if judgement and judgement.uncalibrated else None,
        "judge": judgement.judge if judgement else None,
        **_asked(judgement),
        "prompts_hash": judgement.prompts_hash if judgement else None,
        "rules_hash": assessment.rules_hash,
        "assessment": assessment_to_json(assessment),
    }


def _asked(judgement: Judgement | None) -> dict[str, Any]:
    """What a model was asked for its judgement, and what came of it."""
    if judgement is None:
        return {}
    usage = judgement.usage
    return {
        "judge_cost": usage and usage.cost,
        "judge_input_tokens": usage and usage.input_tokens,
        "judge_output_tokens": usage and usage.output_tokens,
        "spread": judgement.spread,
        "refuted": judgement.refuted,
        "symbolic_p": judgement.symbolic_p,
    }


def _outcome(outcome: Scored | Unscored) -> dict[str, Any]:
    if isinstance(outcome, Scored):
        return {
            "status": "scored",
            "score": outcome.score,
            "band": outcome.band.value,
            "filter_score": outcome.filter_score,
            "verdict_score": outcome.verdict_score,
            "laxity": outcome.laxity,
            "base": outcome.base,
            "multiplier": outcome.multiplier,
        }
    return {
        "status": "unscored",
        "unscored_reason": outcome.reason.value,
        "unscored_kind": outcome.kind.value,
        "unscored_detail": outcome.detail,
    }


def _filters(assessment: Assessment) -> dict[str, Any]:
    if assessment.alignment is None:
        return {}
    filters = assessment.alignment.filters
    settled = (FilterState.APPLIED, FilterState.UNDECIDED)
    return {
        "filter_alignment": filters.alignment.value,
        "missing_filters": [required.text for required in filters.required if required.state not in settled],
        "extra_filters": [extra.text for extra in filters.extras],
        "benign_filters": [extra.text for extra in filters.extras if extra.benign],
    }


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False, default=str, sort_keys=True)
