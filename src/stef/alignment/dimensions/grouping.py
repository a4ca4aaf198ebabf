"""Grouping: "per", "each", "by" against GROUP BY."""

from stef.alignment.excusals import GROUPING_EXCUSALS, excuse
from stef.alignment.match import tie_expr
from stef.alignment.sides import Sides
from stef.records.alignment import Dimension, DimensionAligned, Excused, Matched, Unmatched
from stef.records.expressions import Expr
from stef.sql.describe import describe_expr


def align_grouping(sides: Sides) -> DimensionAligned:
    """Asked groups against grouping keys; a key that production SQL needs is excused."""
    keys = [*sides.done.group_by, *(part for top in sides.done.tops for part in top.per)]
    matched: list[Matched] = []
    missing: list[Unmatched] = []
    used: set[int] = set()
    for want in sides.asked_groups:
        place = _closest(want, keys, sides)
        if place is not None:
            used.add(place)
            matched.append(Matched(describe_expr(want), describe_expr(keys[place]), 1.0, getattr(want, "span", None)))
        elif keys and not used and sides.ground.names_expr(keys[0], tables=False) >= 0.5:
            used.add(0)
            matched.append(Matched(describe_expr(want), describe_expr(keys[0]), 0.3, getattr(want, "span", None)))
        else:
            missing.append(Unmatched(describe_expr(want), "the SQL does not group by it", getattr(want, "span", None)))
    extra: list[Unmatched] = []
    excused: list[Excused] = []
    for place, key in enumerate(keys):
        if place in used:
            continue
        found = excuse(GROUPING_EXCUSALS, key, sides)
        if found is not None:
            excused.append(found)
        elif sides.ground.names_expr(key) < 0.5:
            extra.append(Unmatched(describe_expr(key), "nobody asked to group by it", getattr(key, "span", None)))
    return DimensionAligned(Dimension.GROUPING, tuple(matched), tuple(missing), tuple(extra), tuple(excused))


def _closest(want: Expr, keys: list[Expr], sides: Sides) -> int | None:
    best, best_strength = None, 0.4
    for place, key in enumerate(keys):
        strength = tie_expr(want, key, sides.ground)
        if strength > best_strength:
            best, best_strength = place, strength
    return best
