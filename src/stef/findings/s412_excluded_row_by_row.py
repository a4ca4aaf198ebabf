""" "Without" is tested row by row, and not for all rows of a thing.

What it sees: the question negates, and the SQL tests `<>`, NOT IN or NOT LIKE on a table that has many rows for each of
the things that are shown, with no NOT IN (SELECT …), NOT EXISTS or EXCEPT.

Why it is bad: who owns a dog and a cat has a row that is no dog, and is listed among those without a dog.

The plain case, a value on a joined table where names are listed, is S312's.

Example: "How many owners have no dog?" answered by
`SELECT COUNT(DISTINCT o.id) FROM owners o JOIN pets p ON p.owner_id = o.id WHERE p.kind <> 'dog'`

Right: `SELECT COUNT(*) FROM owners WHERE id NOT IN (SELECT owner_id FROM pets WHERE kind = 'dog')`
"""

from collections.abc import Iterator

from stef.findings import s312_negation_on_joined_rows
from stef.findings.context import Context
from stef.findings.shapes import ties_of
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.records.predicates import Op, Predicate
from stef.records.spec import Select
from stef.sql.trees import columns

CODE = "S412"
TITLE = "exclusion tested row by row"
NEEDS = ("negation_asked",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such test."""
    if "negation_asked" not in context.asked_codes or context.done.excludes:
        return
    if any(True for _ in s312_negation_on_joined_rows.find(context)):
        return  # said there
    for block, _ in context.done.blocks:
        if not block.joins:
            continue
        tests = [one for clause in block.filters for one in clause.predicates if _excludes(one)]
        if tests:
            near = _looked_up(block)
            for one in tests:
                subject = one.subject
                if (
                    near
                    and isinstance(subject, Column)
                    and len(subject.sources) == 1
                    and subject.sources[0] not in near
                ):
                    detail = "other rows of the same thing can still pass; use NOT IN (SELECT …)"
                    yield Finding(CODE, TITLE, detail, context.asked_span("negation_asked"), one.span)


def _excludes(predicate: Predicate) -> bool:
    return predicate.negated and predicate.op in (Op.IN, Op.LIKE)


def _looked_up(block: Select) -> set[str]:
    """The sources that have one row for each row that is shown: those shown, and what they name."""
    near = {key for one in block.projections for column in columns(one.expr) for key in column.sources}
    ties = list(ties_of(block))
    for _ in ties:
        near.update(tie.one.sources[0] for tie in ties if tie.many.sources[0] in near)
    return near
