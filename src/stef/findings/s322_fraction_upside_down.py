"""The two sides of a hinted division or subtraction are swapped.

What it sees: a formula of a hint whose sides differ in a value or column, and an operation of the SQL that has them on
the other sides.

Why it is bad: the reciprocal, or the negative, of what is asked.

Example: ratio = DIVIDE(SUM(kind = 'cat'), SUM(kind = 'dog')) → `SELECT 1.0 * SUM(kind = 'dog') / SUM(kind = 'cat')
FROM pet`

Right: `SELECT 1.0 * SUM(kind = 'cat') / SUM(kind = 'dog') FROM pet`
"""

from collections.abc import Iterator
from typing import TypeAlias

from stef.findings.context import Context
from stef.findings.parts import bounds, formulas, opened, operations
from stef.records.assessment import Finding
from stef.records.expressions import Agg, Case, Column, Expr, Subquery
from stef.records.predicates import Clause
from stef.records.spec import SetOp

CODE = "S322"
TITLE = "a fraction or difference the wrong way round"
NEEDS = ("hints",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for the first operation whose sides are swapped."""
    if not context.done.operators & {"/", "-"}:
        return
    for formula in formulas(context):
        for asked in operations(formula.expr, ("/", "-")):
            left, right = _marks(asked.left), _marks(asked.right)
            for projection in context.done.projections:
                for done in operations(projection.expr, (asked.op,)):
                    if _swapped(left, right, _marks(done.left), _marks(done.right)):
                        yield Finding(CODE, TITLE, formula.text, sql_span=projection.span)
                        return


_Marks: TypeAlias = frozenset[object]


def _marks(expr: Expr) -> _Marks:
    """The values that an expression tests, and its columns where it tests none."""
    values: set[object] = set()
    columns: set[object] = set()
    for part in opened(expr):
        if isinstance(part, Column):
            columns.add(part.name)
        elif isinstance(part, Agg):
            values.update(_tested(part.filter))
        elif isinstance(part, Case):
            for clauses, _ in part.whens:
                values.update(_tested(clauses))
        elif isinstance(part, Subquery) and not isinstance(part.query, SetOp):
            values.update(_tested(part.query.filters))
    return frozenset(values or columns)


def _tested(clauses: tuple[Clause, ...]) -> Iterator[object]:
    for clause in clauses:
        for predicate in clause.predicates:
            yield from (value.value for value in predicate.values)
            yield from ((end, bound.value) for end, bound in bounds(predicate))


def _swapped(left: _Marks, right: _Marks, done_left: _Marks, done_right: _Marks) -> bool:
    only_left, only_right = left - right, right - left
    if not (only_left or only_right):
        return False
    return only_left <= done_right - done_left and only_right <= done_left - done_right
