"""Formulas of an enriched question ("percentage = DIVIDE(…)", "tallest refers to MAX(height)") against the SQL."""

from collections.abc import Iterator

from stef.alignment.match import tie_expr
from stef.alignment.sides import Sides
from stef.records.alignment import Matched, Unmatched
from stef.records.expressions import Agg, Binary, Expr, Func
from stef.records.reading import Formula
from stef.sql.describe import describe_expr

_TIED = 0.45
_AVERAGES = frozenset(("/", "AVG"))


def align_formulas(sides: Sides) -> tuple[list[Matched], list[Unmatched]]:
    """What the SQL computes of each formula, and what it does not."""
    matched: list[Matched] = []
    missing: list[Unmatched] = []
    for formula in () if sides.enriched is None else sides.enriched.formulas:
        fault = _fault(formula.expr, sides)
        if fault is None:
            matched.append(Matched(_text(formula), "computed", 1.0))
        else:
            missing.append(Unmatched(_text(formula), fault))
    return matched, missing


def _text(formula: Formula) -> str:
    return formula.text.strip() or describe_expr(formula.expr)


def _fault(expr: Expr, sides: Sides) -> str | None:
    """What the SQL lacks of a formula, None where it lacks nothing."""
    if isinstance(expr, Agg) and expr.name in ("MAX", "MIN"):
        return _extreme_fault(expr, sides)
    done = sides.done
    operators = done.operators | {agg.name for agg in done.aggregates}
    for operator in _operators(expr):
        if operator == "/" and not operators & _AVERAGES:
            return "the SQL does not divide"
        if operator == "-" and "-" not in operators and not _subtracts(sides):
            return "the SQL does not subtract"
    for agg in _aggregates(expr):
        if agg.name in ("COUNT", "SUM", "AVG") and not _computes(agg, sides):
            return f"the SQL does not compute {describe_expr(agg)}"
    return None


def _extreme_fault(wanted: Agg, sides: Sides) -> str | None:
    """A maximum or minimum: taken by the aggregate, or by sorting on its column in the right direction."""
    if wanted.arg is None or any(
        agg.name == wanted.name and _same(wanted.arg, agg.arg, sides) for agg in sides.done.aggregates
    ):
        return None
    orders = [*(top.order[0] for top in sides.done.tops if top.order), *sides.done.order[:1]]
    for order in orders:
        if _same(wanted.arg, order.expr, sides):
            if order.descending == (wanted.name == "MAX"):
                return None
            return f"sorted from the other end than {describe_expr(wanted)}"
    return f"the SQL neither computes {describe_expr(wanted)} nor sorts by it"


def _same(wanted: Expr, done: Expr | None, sides: Sides) -> bool:
    if done is None:
        return False
    if isinstance(wanted, Agg) != isinstance(done, Agg):
        return isinstance(done, Agg) and done.arg is not None and _same(wanted, done.arg, sides)
    return tie_expr(wanted, done, sides.ground) >= _TIED


def _computes(wanted: Agg, sides: Sides) -> bool:
    names = {agg.name for agg in sides.done.aggregates}
    if wanted.name == "AVG":
        return "AVG" in names or "/" in sides.done.operators
    return bool(names & {"COUNT", "SUM", "AVG"}) or sides.done.windows > 0


def _subtracts(sides: Sides) -> bool:
    return bool({"DATEDIFF", "DATE_DIFF", "TIMESTAMPDIFF", "JULIANDAY", "AGE"} & sides.done.functions)


def _operators(expr: Expr) -> Iterator[str]:
    if isinstance(expr, Binary):
        yield expr.op
        yield from _operators(expr.left)
        yield from _operators(expr.right)
    elif isinstance(expr, Func):
        for arg in expr.args:
            yield from _operators(arg)
    elif isinstance(expr, Agg) and expr.arg is not None:
        yield from _operators(expr.arg)


def _aggregates(expr: Expr) -> Iterator[Agg]:
    if isinstance(expr, Agg):
        yield expr
    elif isinstance(expr, Binary):
        yield from _aggregates(expr.left)
        yield from _aggregates(expr.right)
    elif isinstance(expr, Func):
        for arg in expr.args:
            yield from _aggregates(arg)
