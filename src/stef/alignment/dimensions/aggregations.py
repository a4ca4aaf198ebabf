"""Aggregates and arithmetic: count, total, average, share, difference."""

from stef.alignment.dimensions.formulas import align_formulas
from stef.alignment.match import tie_expr
from stef.alignment.sides import Sides
from stef.question.words import name_stems
from stef.records.alignment import Dimension, DimensionAligned, Matched, Unmatched
from stef.records.expressions import Agg
from stef.sql.describe import describe_expr

# What may stand for an asked aggregate: a count is also a sum over a column that counts; a maximum is also a sort.
_STANDS_FOR = {
    "COUNT": frozenset(("COUNT", "SUM", "APPROX_COUNT_DISTINCT")),
    "SUM": frozenset(("SUM", "COUNT")),
    "AVG": frozenset(("AVG",)),
    "MAX": frozenset(("MAX",)),
    "MIN": frozenset(("MIN",)),
}
_HOLDS = 0.5
"""From this tie on, a column named like the thing counted may hold the count itself (`number_products`)."""
_ARITHMETIC = (("percentage_asked", "/"), ("ratio_asked", "/"), ("difference_asked", "-"))


def align_aggregations(sides: Sides) -> DimensionAligned:
    """Asked aggregates against those of the SQL, and asked arithmetic against its operators."""
    matched: list[Matched] = []
    missing: list[Unmatched] = []
    used: set[int] = set()
    done = sides.done.aggregates
    for want in sides.asked_aggregates:
        place = _answering(want, done, used, sides)
        text = describe_expr(want)
        if place is not None:
            used.add(place)
            matched.append(Matched(text, describe_expr(done[place]), 1.0, want.span, done[place].span))
        elif _answered_otherwise(want, sides):
            matched.append(Matched(text, "a sort, an average of sums, or a column that holds it", 0.5, want.span))
        else:
            missing.append(Unmatched(text, "the SQL does not compute it", want.span))
    for code, operator in _ARITHMETIC:
        note = sides.noted(code)
        if note is not None:
            if operator in sides.done.operators or _computes(code, sides):
                matched.append(Matched(note.text, operator, 1.0, note.span))
            else:
                missing.append(Unmatched(note.text, f"the SQL has no {operator}", note.span))
    computed, lacking = align_formulas(sides)
    matched += computed
    missing += lacking
    extra = tuple(
        Unmatched(describe_expr(agg), "nobody asked for it", agg.span) for agg in _shown_unasked(done, used, sides)
    )
    return DimensionAligned(Dimension.AGGREGATIONS, tuple(matched), tuple(missing), extra)


def _answering(want: Agg, done: list[Agg], used: set[int], sides: Sides) -> int | None:
    best, best_key = None, (-1.0, 0)
    for place, have in enumerate(done):
        if have.name not in _STANDS_FOR.get(want.name, frozenset((want.name,))):
            continue
        strength = 0.5 if have.name != want.name else 1.0
        if want.arg is not None and have.arg is not None:
            strength += tie_expr(want.arg, have.arg, sides.ground)
        key = (strength - (0.75 if place in used else 0.0), -place)
        if key > best_key:
            best, best_key = place, key
    return best


def _answered_otherwise(want: Agg, sides: Sides) -> bool:
    """A maximum by sorting, an average by division, a count or total that a column holds."""
    if want.name in ("MAX", "MIN"):
        return bool(sides.done.tops or sides.done.order)
    if want.name == "AVG":
        if "/" in sides.done.operators and any(agg.name in ("SUM", "COUNT") for agg in sides.done.aggregates):
            return True
        return any(
            "averag" in name_stems(column.name) or "avg" in name_stems(column.name) for column in sides.done.columns
        )
    return want.arg is not None and any(
        tie_expr(want.arg, column, sides.ground) >= _HOLDS for column in sides.done.columns
    )


def _computes(code: str, sides: Sides) -> bool:
    if code == "difference_asked":
        return bool({"DATEDIFF", "DATE_DIFF", "TIMESTAMPDIFF", "JULIANDAY", "AGE"} & sides.done.functions)
    return any(agg.name == "AVG" for agg in sides.done.aggregates)


def _shown_unasked(done: list[Agg], used: set[int], sides: Sides) -> list[Agg]:
    """Aggregates in the output that answer nothing: not asked, not part of arithmetic, not what rows are sorted by."""
    if sides.noted("superlative_asked") or sides.asked_tops or sides.done.operators & {"/", "-", "*"}:
        return []
    shown = [projection.expr for projection in sides.done.projections if isinstance(projection.expr, Agg)]
    taken = [done[place] for place in used]
    return [agg for agg in shown if agg not in taken and _is_unasked(agg, sides)]


def _is_unasked(agg: Agg, sides: Sides) -> bool:
    """COUNT(*) names nothing: it is unasked where no aggregate is asked."""
    return not sides.asked_aggregates if agg.arg is None else sides.ground.names_expr(agg) < 1.0
