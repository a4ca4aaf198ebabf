"""UNION ALL over the same table lists a row twice.

What it sees: UNION ALL whose branches read the same table.

Why it is bad: a row that both branches keep comes twice, and is counted twice.

Example: `SELECT name FROM pilots WHERE age > 60 UNION ALL SELECT name FROM pilots WHERE hours > 9000`

Right: `SELECT name FROM pilots WHERE age > 60 OR hours > 9000`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding
from stef.records.spec import Select, SetKind, SetOp

CODE = "S611"
TITLE = "UNION ALL over the same table"
NEEDS = ("set_operation",)


def find(context: Context) -> Iterator[Finding]:
    """One finding where the answer is such a union."""
    spec = context.sides.sql.spec
    if not isinstance(spec, SetOp) or spec.kind is not SetKind.UNION_ALL:
        return
    blocks = [branch for branch in spec.branches if isinstance(branch, Select) and not branch.tops]
    plain = [tuple(source.table for source in block.sources) for block in blocks if not block.group_by]
    if len(plain) > 1 and len(set(plain)) < len(plain):
        span = blocks[1].projections[0].span if blocks[1].projections else None
        yield Finding(CODE, TITLE, "a row that both branches keep comes twice", sql_span=span)
