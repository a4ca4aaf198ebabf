"""What kind of case an entry of a public set states."""

from collections.abc import Mapping
from typing import Any

from stef.gold.cases.formats.base import Draft
from stef.records.case import CaseKind

_KINDS = frozenset(CaseKind)


def adapt_kind(draft: Draft, held: Mapping[str, Any]) -> None:
    """`answerable: false` makes an unanswerable case; a `kind` in other words than stef's is a category."""
    if held.get("answerable") is False:
        draft.put("kind", CaseKind.UNANSWERABLE.value, "answerable")
    elif "answerable" in held:
        draft.used.add("answerable")
    kind = draft.fields.get("kind")
    if isinstance(kind, str) and kind not in _KINDS:
        del draft.fields["kind"], draft.names["kind"]
        draft.fields.setdefault("category", kind)
