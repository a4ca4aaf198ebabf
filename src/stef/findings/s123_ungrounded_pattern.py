"""A text pattern that nothing in the turn mentions.

What it sees: LIKE with a text that neither question, enriched question nor rules mention.

Why it is bad: the filter was made up.

Example: "Which flights were cancelled?" answered by `SELECT id FROM flights WHERE remark LIKE '%fog%'`

Right: `SELECT id FROM flights WHERE status = 'cancelled'`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.predicates import Op

CODE = "S123"
TITLE = "pattern grounded nowhere"
NEEDS = ("patterns",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each pattern."""
    for predicate, span in context.tests:
        if predicate.op is not Op.LIKE or predicate.pattern is None:
            continue
        text = predicate.pattern.text.replace("%", " ").replace("_", " ")
        if text.strip() and not context.ground.mentions_text(text):
            yield Finding(CODE, TITLE, f"nothing mentions {text.strip()!r}", sql_span=span)
