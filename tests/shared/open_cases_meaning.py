"""Expectations of `open.yaml` that need a question's meaning or a column's type: each holds or not, and is counted."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from jinja2 import Template
from open_cases_kit import MAIN, Statement

from stef import AppRules, Evaluator, Turn
from stef.records.alignment import Alignment, Dimension, EnrichmentVerdict, FilterState
from stef.records.assessment import Assessment, Unscored

PLAIN = Evaluator()
# The rules of o23, which the case states in words.
RULED = Evaluator(
    AppRules.model_validate(
        {
            "extends": None,
            "benign_filters": [
                {"column": "accounts.deleted_at", "op": "is_null", "why": "soft-deleted accounts are left out"},
                {"column": "accounts.is_test", "op": "=", "value": False, "why": "test accounts are left out"},
            ],
        }
    )
)
APPLIED = {FilterState.APPLIED}


@dataclass(frozen=True)
class Outcome:
    """Whether one expectation holds, and what was found in its place."""

    id: str
    holds: bool
    found: str


def assess(statement: Statement, evaluator: Evaluator | None = None, ddl: tuple[str, ...] | None = None) -> Assessment:
    """One statement scored as a turn, with the DDL of its case as its schema."""
    case = statement.case
    turn = Turn(
        question=case["question"],
        enriched_question=case.get("enriched_question"),
        sql=statement.sql,
        dialect=case["dialect"],
        ddl_offered=statement.ddl if ddl is None else ddl,
    )
    return (evaluator or (RULED if case.get("app_rules") else PLAIN)).assess_sync(turn)


def _snake(name: str) -> str:
    return name.lower().replace(" ", "_")


def _class(assessment: Assessment) -> str:
    return assessment.alignment.filters.alignment.value if assessment.alignment else "unscored"


def _class_is(assessment: Assessment, expected: str) -> tuple[bool, str]:
    return _class(assessment) == _snake(expected), _describe(assessment)


def _class_is_not(assessment: Assessment, expected: list[str]) -> tuple[bool, str]:
    return _class(assessment) not in {_snake(one) for one in expected}, _describe(assessment)


def _describe(assessment: Assessment) -> str:
    if assessment.alignment is None:
        return f"unscored: {assessment.outcome}"
    filters = assessment.alignment.filters
    required = ", ".join(f"{one.text} {one.state.value}" for one in filters.required) or "nothing"
    extras = ", ".join(one.text + (" (benign)" if one.benign else "") for one in filters.extras) or "nothing"
    return f"{filters.alignment.value}: required {required}; extra {extras}"[:300]


def _verdict(assessment: Assessment, expected: str) -> tuple[bool, str]:
    judgement = assessment.judgement
    if expected == "cannot_judge":
        return isinstance(assessment.outcome, Unscored), str(assessment.outcome)
    if judgement is None:
        return False, str(assessment.outcome)
    right = judgement.verdict.on_right_side
    return right is (expected == "correct"), f"{judgement.verdict.value}, p {judgement.p_correct:.2f}"


def _texts_hold(texts: list[str], expected: list[list[Any]]) -> bool:
    """Whether each expected filter has its text: one that names its value (a flag: its column)."""
    left = [_words(text) for text in texts]
    for column, _op, value in expected:
        flag = value is None or isinstance(value, bool)
        wanted = (
            _words(str(column)) if flag else set().union(*map(_words, value if isinstance(value, list) else [value]))
        )
        match = next((words for words in left if wanted & words), None)
        if match is None:
            return False
        left.remove(match)
    return True


def _words(text: object) -> set[str]:
    folded = unicodedata.normalize("NFC", str(text)).lower()
    return set(re.findall(r"[^\W_]+", folded)) | set(re.findall(r"\w+", folded))


def _alignment(assessment: Assessment) -> Alignment:
    assert assessment.alignment is not None, assessment.outcome
    return assessment.alignment


def _required(assessment: Assessment, expected: list[list[Any]]) -> tuple[bool, str]:
    texts = [one.text for one in _alignment(assessment).filters.required]
    return len(texts) == len(expected) and _texts_hold(texts, expected), _describe(assessment)


def _missing(assessment: Assessment, expected: list[list[Any]]) -> tuple[bool, str]:
    texts = [one.text for one in _alignment(assessment).filters.required if one.state not in APPLIED]
    return len(texts) == len(expected) and _texts_hold(texts, expected), _describe(assessment)


def _extra(assessment: Assessment, expected: list[list[Any]]) -> tuple[bool, str]:
    texts = [one.text for one in _alignment(assessment).filters.extras if not one.benign]
    return len(texts) == len(expected) and _texts_hold(texts, expected), _describe(assessment)


def _benign(assessment: Assessment, expected: list[list[Any]]) -> tuple[bool, str]:
    texts = [one.text for one in _alignment(assessment).filters.extras if one.benign]
    return len(texts) == len(expected) and _texts_hold(texts, expected), _describe(assessment)


def _tolerated(dimension: Dimension) -> Callable[[Assessment, Any], tuple[bool, str]]:
    def check(assessment: Assessment, expected: bool) -> tuple[bool, str]:
        found = [one for one in _alignment(assessment).dimensions if one.dimension is dimension]
        blamed = [item.text for one in found for item in (*one.missing, *one.extra)]
        return (not blamed) is expected, f"{dimension.value}: {blamed}"

    return check


def _enriched(assessment: Assessment, expected: dict[str, Any]) -> tuple[bool, str]:
    enrichment = assessment.enrichment
    assert enrichment is not None
    ok = enrichment.verdict in (EnrichmentVerdict.FAITHFUL, EnrichmentVerdict.ADDS)
    holds = ok is expected["ok"] and len(enrichment.dropped) == len(expected["dropped"])
    return holds and len(enrichment.added) == len(expected["added"]), str(enrichment)


def _without_rules(statement: Statement, expected: str) -> tuple[bool, str]:
    return _class_is(assess(statement, PLAIN), expected)


def _as_date(statement: Statement, expected: dict[str, Any]) -> tuple[bool, str]:
    assessment = assess(statement, ddl=tuple(one.replace("TIMESTAMP", "DATE") for one in statement.ddl))
    holds, found = _class_is(assessment, expected["filter_alignment"])
    right, verdict = _verdict(assessment, expected["verdict"])
    return holds and right, f"{found}; {verdict}"


def _rendered(statement: Statement, expected: dict[str, Any]) -> tuple[bool, str]:
    values = expected["vars"]
    sql = Template(statement.sql).render(
        values, ref=lambda name: name, var=lambda name, default=None: values.get(name, default)
    )
    return _class_is(assess(Statement(statement.name, statement.case, sql, expected)), expected["filter_alignment"])


def _gold_check(statement: Statement, expected: dict[str, Any]) -> tuple[bool, str]:
    gold = Statement(statement.name, statement.case, statement.case["gold_sql"], expected)
    return _class_is(assess(gold), expected["gold_filter_alignment"])


OF_ASSESSMENT: dict[str, Callable[[Assessment, Any], tuple[bool, str]]] = {
    "filter_alignment": _class_is,
    "filter_alignment_not": _class_is_not,
    "verdict": _verdict,
    "required_filters": _required,
    "missing_filters": _missing,
    "extra_filters": _extra,
    "benign_extras": _benign,
    "limit_ok": _tolerated(Dimension.LIMIT),
    "limit_benign": _tolerated(Dimension.LIMIT),
    "group_by_ok": _tolerated(Dimension.GROUPING),
    "order_ok": _tolerated(Dimension.ORDERING),
    "enriched_quality": _enriched,
}
OF_STATEMENT: dict[str, Callable[[Statement, Any], tuple[bool, str]]] = {
    "filter_alignment_without_app_rules": _without_rules,
    "if_column_is_date": _as_date,
    "if_rendered": _rendered,
    "golden_check": _gold_check,
}


def outcomes(statement: Statement) -> Iterator[Outcome]:
    """Every expectation of one statement that needs more than the SQL's text."""
    names = [name for name in OF_ASSESSMENT if name in statement.expect]
    if statement.name.endswith(MAIN) or names:
        assessment = assess(statement)
        for name in names:
            # An unreadable query has no alignment: a wrong class is then no class, and the rest cannot be asked.
            if assessment.alignment is None and name not in ("filter_alignment", "filter_alignment_not", "verdict"):
                yield Outcome(f"{statement.name}/{name}", False, str(assessment.outcome))
                continue
            yield Outcome(f"{statement.name}/{name}", *OF_ASSESSMENT[name](assessment, statement.expect[name]))
    for name, check in OF_STATEMENT.items():
        if name in statement.expect:
            yield Outcome(f"{statement.name}/{name}", *check(statement, statement.expect[name]))
