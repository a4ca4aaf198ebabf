"""Distinctness: "different", "unique" against DISTINCT."""

from stef.alignment.sides import Sides
from stef.records.alignment import Dimension, DimensionAligned, Matched, Unmatched
from stef.records.expressions import Agg


def align_distinct(sides: Sides) -> DimensionAligned:
    """Asked distinctness against DISTINCT on rows or in an aggregate; grouping makes rows distinct too."""
    note = sides.noted("distinct_asked")
    asked = sides.asked.distinct or any(agg.distinct for agg in sides.asked_aggregates) or note is not None
    counted = any(agg.distinct for agg in sides.done.aggregates)
    done = sides.done.distinct or counted or bool(sides.done.group_by)
    span = None if note is None else note.span
    if asked and done:
        return DimensionAligned(Dimension.DISTINCT, (Matched("distinct", "DISTINCT", 1.0, span),))
    if asked:
        return DimensionAligned(Dimension.DISTINCT, missing=(Unmatched("distinct", "repeated rows stay", span),))
    if sides.done.distinct and sides.done.answer.distinct and not _harmless(sides):
        return DimensionAligned(Dimension.DISTINCT, extra=(Unmatched("DISTINCT", "nobody asked for it"),))
    if counted:
        return DimensionAligned(Dimension.DISTINCT, extra=(Unmatched("COUNT(DISTINCT)", "nobody asked for it"),))
    return DimensionAligned(Dimension.DISTINCT)


def _harmless(sides: Sides) -> bool:
    """DISTINCT over one aggregate, or over a single row, changes nothing."""
    shown = sides.done.projections
    return bool(shown) and not sides.done.group_by and all(isinstance(p.expr, Agg) for p in shown)
