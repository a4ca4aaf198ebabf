"""What is computed or sorted by is not the column that goes by the words, though the SQL reads that column.

What it sees: "the average height", "the heaviest", an aggregate or top-k over a column that ties to none of them,
and another column of the SQL that does.

Why it is bad: the value, or the row, is that of another quantity.

Example: "What is the average height of the trees?" → `SELECT AVG(age) FROM tree WHERE height IS NOT NULL`

Right: `SELECT AVG(height) FROM tree`
"""

from collections.abc import Iterator

from stef.alignment.match import tie_expr
from stef.findings.context import Context
from stef.findings.parts import columns_of, is_aggregate
from stef.records.assessment import Finding
from stef.records.expressions import Agg, Column, Expr, Phrase
from stef.sql.describe import describe_expr

CODE = "S235"
TITLE = "another column computed than the words name"
NEEDS = ("aggregates", "tops_asked")


def find(context: Context) -> Iterator[Finding]:
    """One finding for the first computed column that another one fits better."""
    for asked, done in _pairs(context):
        if is_aggregate(done) or any(_tied(asked, column, context) >= _LOOSE for column in columns_of(done)):
            continue
        for column in context.done.columns:
            if _tied(asked, column, context) >= _SURE:
                detail = f"{describe_expr(done)}, not {column.name}"
                yield Finding(CODE, TITLE, detail, question_span=asked.span)
                return


def _pairs(context: Context) -> Iterator[tuple[Phrase, Expr]]:
    """Asked quantities, each with the only thing in the SQL that can be meant by it."""
    for projection in context.sides.asked.projections:
        agg = projection.expr
        if isinstance(agg, Agg) and agg.name != "COUNT" and isinstance(agg.arg, Phrase) and agg.arg.stems:
            same = [one.arg for one in context.done.aggregates if one.name == agg.name and one.arg is not None]
            if len(same) == 1:
                yield agg.arg, same[0]
    asked, done = context.sides.asked_tops, [top.order[0].expr for top in context.done.tops if top.order]
    if len(asked) == 1 and len(done) == 1 and asked[0].order and isinstance(asked[0].order[0].expr, Phrase):
        yield asked[0].order[0].expr, done[0]


def _tied(asked: Phrase, column: Column, context: Context) -> float:
    """How surely the words name the column, its table left aside: all columns of a table share that."""
    return tie_expr(asked, Column(column.name), context.ground)


_LOOSE, _SURE = 0.25, 0.65
