"""An aggregate stands beside what is asked, and nobody asked for it.

What it sees: an aggregate in the output beside other columns, where neither question nor hints ask for anything
computed.

Why it is bad: another column than asked; and where its rows are not grouped, values of different rows mixed into one.

Example: "Which route is the most scenic?" → `SELECT name, MAX(beauty) FROM route`

Right: `SELECT name FROM route ORDER BY beauty DESC LIMIT 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import COMPUTED
from stef.records.assessment import Finding
from stef.records.expressions import Agg
from stef.sql.describe import describe_expr

CODE = "S215"
TITLE = "an aggregate shown that nobody asked for"
NEEDS = ("aggregates",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for the first aggregate in the output, where none is asked."""
    sides, done = context.sides, context.done
    if not done.aggregates or len(done.projections) < 2 or sides.asked_aggregates or context.asked_codes & COMPUTED:
        return
    if sides.enriched is not None and sides.enriched.formulas:
        return
    for projection in done.projections:
        if isinstance(projection.expr, Agg) and not _is_said(projection.expr.name, context):
            yield Finding(CODE, TITLE, describe_expr(projection.expr), sql_span=projection.span)
            return


_SAID = {
    "MAX": (" maximum", " max ", " highest", " largest", " latest", " last", " top"),
    "MIN": (" minimum", " min ", " lowest", " smallest", " earliest", " first"),
    "SUM": (" total", " sum", " amount", " how much"),
    "COUNT": (" count", " number", " tally", " often", " frequen", " times", " many"),
}


def _is_said(name: str, context: Context) -> bool:
    return any(word in context.ground.text for word in _SAID.get(name, ()))
