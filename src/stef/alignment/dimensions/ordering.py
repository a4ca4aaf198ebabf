"""Order of the answer's rows, and the direction of superlatives."""

from stef.alignment.dimensions.limits import takes_extreme
from stef.alignment.excusals import ORDERING_EXCUSALS, excuse
from stef.alignment.match import tie_expr
from stef.alignment.sides import Sides
from stef.records.alignment import Dimension, DimensionAligned, Excused, Matched, Unmatched
from stef.records.spec import Order
from stef.sql.describe import describe_expr


def align_ordering(sides: Sides) -> DimensionAligned:
    """Asked sort keys against ORDER BY; an order that nobody asked for and that picks no rows is excused."""
    done = sides.done.order
    matched: list[Matched] = []
    missing: list[Unmatched] = []
    extra: list[Unmatched] = []
    excused: list[Excused] = []
    asked = sides.asked_order
    for want in asked:
        have = _closest(want, done, sides)
        if have is None:
            missing.append(Unmatched(_text(want), "the SQL does not sort by it"))
        elif have.descending != want.descending:
            missing.append(Unmatched(_text(want), f"sorted the other way: {_text(have)}"))
        else:
            matched.append(Matched(_text(want), _text(have)))
    if done and not asked and not sides.asked_tops and not takes_extreme(sides):
        for key in done:
            found = excuse(ORDERING_EXCUSALS, key, sides)
            if found is None:
                extra.append(Unmatched(_text(key), "an order that nobody asked for decides which rows are kept"))
            else:
                excused.append(found)
    return DimensionAligned(Dimension.ORDERING, tuple(matched), tuple(missing), tuple(extra), tuple(excused))


def _closest(want: Order, done: tuple[Order, ...], sides: Sides) -> Order | None:
    if not done:
        return None
    ranked = sorted(done, key=lambda have: -tie_expr(want.expr, have.expr, sides.ground))
    best = ranked[0]
    # With one sort key there is nothing to confuse it with.
    return best if len(done) == 1 or tie_expr(want.expr, best.expr, sides.ground) >= 0.3 else done[0]


def _text(order: Order) -> str:
    return f"{describe_expr(order.expr)} {'descending' if order.descending else 'ascending'}"
