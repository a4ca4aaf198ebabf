"""Things are counted after a join that repeats them.

What it sees: the question asks how many of something there are, and COUNT without DISTINCT takes a column of that
table, while it is joined to a table that names it.

Why it is bad: who has three flights is counted three times.

Example: "How many pilots flew in 2023?" answered by
`SELECT COUNT(p.id) FROM pilots p JOIN flights f ON f.pilot_id = p.id WHERE f.year = 2023`

Right: `SELECT COUNT(DISTINCT p.id) FROM …`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.shapes import multiplied, shown_aggregates, table_of
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Column, Phrase

CODE = "S408"
TITLE = "counted after a join that repeats"
NEEDS = ("count_asked", "number_of_asked")


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such count."""
    if "count_asked" not in context.asked_codes and "number_of_asked" not in context.asked_codes:
        return
    for block, _ in context.done.blocks:
        if not block.joins or block.group_by:
            continue
        for aggregate in shown_aggregates(block):
            counted = aggregate.arg
            if aggregate.name != "COUNT" or aggregate.distinct or type(counted) is not Column:
                continue
            if len(counted.sources) == 1 and counted.sources[0] in multiplied(block):
                stems = name_stems(table_of(counted.sources[0]))
                if stems and stems[-1] in _asked(context):
                    yield Finding(CODE, TITLE, "count each once: COUNT(DISTINCT …)", sql_span=aggregate.span)


def _asked(context: Context) -> frozenset[str]:
    """The last stem of each thing that is to be counted."""
    asked = (one.arg for one in context.sides.asked_aggregates if one.name == "COUNT")
    return frozenset(phrase.stems[-1] for phrase in asked if isinstance(phrase, Phrase) and phrase.stems)
