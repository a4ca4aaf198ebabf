"""One computed value is asked, and the SQL shows it beside columns of rows.

What it sees: a single count, total, average, share or difference to show, nothing else, no "each"; and more than one
column, one of them no aggregate.

Why it is bad: where rows are listed or grouped beside the value, it is no longer one value of all of them.

Example: "How many lamps are broken?" → `SELECT room, COUNT(*) FROM lamp WHERE broken = 1 GROUP BY room`

Right: `SELECT COUNT(*) FROM lamp WHERE broken = 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import COMPUTED, GROUPED, is_aggregate
from stef.records.assessment import Finding
from stef.records.expressions import Agg, Column

CODE = "S219"
TITLE = "one number asked, more shown"
NEEDS = ("several_shown",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where one value is asked and columns stand beside it."""
    sides, done = context.sides, context.done
    if len(done.projections) < 2 or not context.asked_codes & COMPUTED or context.asked_codes & _MORE:
        return
    asked = sides.asked.projections
    if len(asked) != 1 or not isinstance(asked[0].expr, Agg) or sides.asked_groups or "?" in sides.question.text[:-2]:
        return
    text = context.ground.text
    if any(word in text for word in _JOINED) or not any(is_aggregate(one.expr) for one in done.projections):
        return
    beside = [one for one in done.projections if isinstance(one.expr, Column)]
    if beside:
        detail = ", ".join(one.expr.name for one in beside if isinstance(one.expr, Column))
        yield Finding(CODE, TITLE, detail, question_span=asked[0].span, sql_span=beside[0].span)


_MORE = GROUPED | {"list_asked", "compare_asked", "superlative_asked", "entity_asked"}
_JOINED = (" and what", " and which", " and the ", " and its ", " by ", " also ", " along with ", " list ", " monthly ")
