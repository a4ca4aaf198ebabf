"""A superlative is asked, and the SQL picks no row by it.

What it sees: "the oldest", "the most", "top 5" in the question; in the SQL no ORDER BY with LIMIT, no rank, no MAX or
MIN, and no hint that explains the superlative by a plain condition.

Why it is bad: every row comes back, at best in an order that leaves the choice to the reader.

Example: "Which warehouse is the largest?" → `SELECT name FROM warehouse ORDER BY area DESC`

Right: `SELECT name FROM warehouse ORDER BY area DESC LIMIT 1`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.parts import EXTREMES, mentions, predicates, said
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.predicates import Op
from stef.records.reading import MentionKind

CODE = "S201"
TITLE = "superlative asked, no top-k"
NEEDS = ("tops_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding, where nothing in the SQL picks rows by an extreme."""
    tops = context.sides.asked_tops
    done = context.done
    if not tops or done.tops or done.limit is not None or done.windows:
        return
    if any(agg.name in EXTREMES for agg in done.aggregates) or any(p.op is Op.COMPARE for _, p in predicates(context)):
        return
    words = said(context, tops[0].span)
    if _is_a_column(words, context) or _is_explained(words, context):
        return
    order = " (it only sorts)" if done.order else ""
    yield Finding(CODE, TITLE, f"the SQL keeps no first rows{order}", question_span=tops[0].span)


def _is_a_column(words: str, context: Context) -> bool:
    """ "best finish" as the name of a column picks no rows."""
    first = name_stems(words)[:1]
    return any(first[0] in name_stems(column.name) for column in context.done.columns) if first else False


def _is_explained(words: str, context: Context) -> bool:
    """A hint that says what the superlative means, as a condition."""
    first = words.split()[:1]
    hints = (mention.text.casefold() for mention in mentions(context) if mention.kind is MentionKind.HINT)
    return bool(first) and any(first[0] in hint for hint in hints)
