"""Set operations: "both … and", "but not", "either … or"."""

from stef.alignment.sides import Sides
from stef.records.alignment import Dimension, DimensionAligned, Matched, Unmatched
from stef.records.spec import SetKind, SetOp


def align_set_operations(sides: Sides) -> DimensionAligned:
    """Asked set logic against set operations, and against the subqueries and counts that say the same."""
    spec = sides.question.spec
    kinds = sides.done.set_kinds
    if isinstance(spec, SetOp):
        name = spec.kind.value
        if spec.kind in kinds or _said_otherwise(spec.kind, sides):
            return DimensionAligned(Dimension.SET_OPERATIONS, (Matched(name, name),))
        return DimensionAligned(
            Dimension.SET_OPERATIONS, missing=(Unmatched(name, "one set of rows where two are to be combined"),)
        )
    return DimensionAligned(Dimension.SET_OPERATIONS)


def _said_otherwise(kind: SetKind, sides: Sides) -> bool:
    if kind is SetKind.EXCEPT:
        return sides.done.excludes
    if kind is SetKind.INTERSECT:
        return sides.done.subqueries > 0 or len(sides.done.tables) != len(set(sides.done.tables))
    return True
