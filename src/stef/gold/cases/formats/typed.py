"""Sets of questions with a type: answerable, ambiguous, unanswerable for some reason, or no question at all."""

from collections.abc import Mapping
from typing import Any

from stef.gold.cases.formats.base import Draft, Format
from stef.records.case import CaseKind, Expected

_KINDS: Mapping[str, tuple[CaseKind, Expected | None]] = {
    "answerable": (CaseKind.ANSWERABLE, None),
    "ambiguous": (CaseKind.AMBIGUOUS, Expected.CLARIFY),
    "unanswerable": (CaseKind.UNANSWERABLE, None),
    "unanswerable by sql": (CaseKind.UNANSWERABLE, None),
    "lack data": (CaseKind.UNANSWERABLE, None),
    "improper": (CaseKind.UNANSWERABLE, Expected.UNSUPPORTED),
    "small talk": (CaseKind.UNANSWERABLE, Expected.UNSUPPORTED),
}


def _adapt(draft: Draft, held: Mapping[str, Any]) -> None:
    """The kind that a type means. An answerable question without a query is a control: it must simply be answered."""
    word = str(held.get("type", "")).strip().casefold().replace("_", " ").replace("-", " ")
    draft.fields.setdefault("category", word or None)
    if word not in _KINDS:
        return
    kind, expect = _KINDS[word]
    draft.put("kind", kind.value, "type")
    if expect is not None:
        draft.put("expect", expect.value, "type")
    if kind is CaseKind.ANSWERABLE and not draft.fields.get("gold_sql"):
        draft.put("control", True, "type")
    elif kind is CaseKind.UNANSWERABLE:
        # Some sets give a query all the same: what the asker was thought to mean.
        draft.fields.pop("gold_sql", None)


TYPED = Format(
    name="typed",
    about="question, type (answerable, ambiguous, unanswerable, lack data, improper, small talk, …), gold_sql",
    marks=(frozenset({"question", "type"}),),
    names={"database": ("db_id", "db", "source_db"), "hint": ("evidence",)},
    gold=("gold_sql",),
    adapt=_adapt,
)
