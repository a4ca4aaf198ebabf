"""A ratio is multiplied by 100, and no percentage is asked.

What it sees: a division times 100 in the output, and no "percent", "rate", "%" or 100 in question and hints.

Why it is bad: the value is a hundred times the one that is asked for.

Example: "What is the ratio of cats to dogs?" → `SELECT 100.0 * SUM(is_cat) / SUM(is_dog) FROM pet`

Right: `SELECT 1.0 * SUM(is_cat) / SUM(is_dog) FROM pet`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import operations, shown
from stef.records.assessment import Finding
from stef.records.expressions import Expr, Literal

CODE = "S207"
TITLE = "a percentage shown that nobody asked for"
NEEDS = ("operators",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where a share is made a percentage unasked."""
    done = context.done
    if "*" not in done.operators or "/" not in done.operators or "percentage_asked" in context.asked_codes:
        return
    text = context.ground.text
    if any(word in text for word in _SAID):
        return
    for expr in shown(context):
        if any(_is_hundred(side) for one in operations(expr, ("*",)) for side in (one.left, one.right)):
            yield Finding(CODE, TITLE, "multiplied by 100")
            return


_SAID = ("percent", " rate", "%", " 100")


def _is_hundred(expr: Expr) -> bool:
    return isinstance(expr, Literal) and expr.value == _HUNDRED


_HUNDRED = 100
