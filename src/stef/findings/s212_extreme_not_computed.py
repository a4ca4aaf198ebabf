"""A maximum or minimum is asked, and the SQL neither computes it nor sorts.

What it sees: "the maximum X", "the lowest X" as a value to show; no MAX or MIN, no order, no top-k.

Why it is bad: every value is shown, or another aggregate.

Example: "What is the maximum load of the lifts?" → `SELECT AVG(load) FROM lift`

Right: `SELECT MAX(load) FROM lift`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import EXTREMES
from stef.question.words import name_stems
from stef.records.assessment import Finding

CODE = "S212"
TITLE = "maximum or minimum asked, none computed"
NEEDS = ("maximum_asked", "minimum_asked")


def find(context: Context) -> Iterator[Finding]:
    """One finding for an extreme that is nowhere computed."""
    if not context.asked_codes & _ASKED or context.done.tops or context.done.order:
        return
    have = {agg.name for agg in context.done.aggregates}
    for agg in context.sides.asked_aggregates:
        if agg.name in EXTREMES and agg.name not in have and not _is_held(agg.name, context):
            yield Finding(CODE, TITLE, f"no {agg.name}", question_span=agg.span)
            return


_ASKED = frozenset(("maximum_asked", "minimum_asked"))
_HELD = {"MAX": frozenset(("max", "maximum", "highest", "largest")), "MIN": frozenset(("min", "minimum", "lowest"))}


def _is_held(name: str, context: Context) -> bool:
    return any(_HELD[name] & set(name_stems(column.name)) for column in context.done.columns)
