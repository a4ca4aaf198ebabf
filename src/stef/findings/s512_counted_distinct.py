"""Different values are counted where things are asked.

What it sees: COUNT(DISTINCT column) over a single table, where nothing in the turn asks for different ones and nothing
that is to be counted goes by the column's name.

Why it is bad: two things with the same value are counted once.

Example: "How many pilots are there?" answered by `SELECT COUNT(DISTINCT name) FROM pilots`

Right: `SELECT COUNT(*) FROM pilots`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import shown_aggregates
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Column, Phrase

CODE = "S512"
TITLE = "COUNT(DISTINCT), not asked"
NEEDS = ("aggregates",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such count."""
    if not context.done.aggregates or "distinct_asked" in context.asked_codes:
        return
    for block, _ in context.done.blocks:
        if block.joins or len(block.sources) != 1:
            continue
        for aggregate in shown_aggregates(block):
            counted = aggregate.arg
            if aggregate.name != "COUNT" or not aggregate.distinct or type(counted) is not Column:
                continue
            if _asked(context).isdisjoint(name_stems(counted.name)):
                yield Finding(CODE, TITLE, "nothing asks for different ones", sql_span=aggregate.span)


def _asked(context: Context) -> frozenset[str]:
    """The stems of all that is to be counted."""
    asked = (one.arg for one in context.sides.asked_aggregates if one.name == "COUNT")
    return frozenset(stem for phrase in asked if isinstance(phrase, Phrase) for stem in phrase.stems)
