"""An average is asked, and the SQL computes none.

What it sees: "average" or "mean" as the first thing to show; no AVG, no division, and no
column or hint that holds an average.

Why it is bad: single values, or another aggregate, stand in its place.

Example: "What is the average price of a ticket?" → `SELECT price FROM ticket`

Right: `SELECT AVG(price) FROM ticket`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import divides, ties
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Agg

CODE = "S211"
TITLE = "average asked, none computed"
NEEDS = ("average_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where an average is to be shown and none is computed."""
    if "average_asked" not in context.asked_codes or divides(context.done):
        return
    asked = context.sides.asked.projections[:1]
    if not any(isinstance(one.expr, Agg) and one.expr.name == "AVG" for one in asked):
        return
    if any(_HELD & set(name_stems(column.name)) for column in context.done.columns):
        return
    if any(_HELD & set(tie.phrase.stems) for tie in ties(context)) or _hinted(context):
        return
    yield Finding(CODE, TITLE, "no AVG, no division", question_span=context.asked_span("average_asked"))


_HELD = frozenset(("averag", "avg", "mean"))


def _hinted(context: Context) -> bool:
    """Whether a hint explains the average as a condition or a column."""
    enriched = context.sides.enriched
    return enriched is not None and any("averag" in mention.text for mention in enriched.mentions)
