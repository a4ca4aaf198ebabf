"""Top-k and superlatives against LIMIT, rank, and comparison with the extreme."""

from stef.alignment.excusals import LIMIT_EXCUSALS, excuse
from stef.alignment.match import tie_expr
from stef.alignment.sides import Sides
from stef.records.alignment import Dimension, DimensionAligned, Excused, Matched, Unmatched
from stef.records.expressions import Agg
from stef.records.spec import TopK
from stef.sql.describe import describe_expr


def align_limit(sides: Sides) -> DimensionAligned:
    """Asked top-k against those of the SQL: how many rows, by what, in which direction."""
    matched: list[Matched] = []
    missing: list[Unmatched] = []
    asked, done = sides.asked_tops, sides.done.tops
    for want in asked:
        have = _closest(want, done, sides)
        text = _text(want)
        if have is not None:
            matched_, why = _compare(want, have, sides)
            if matched_:
                matched.append(Matched(text, _text(have), 1.0, want.span, have.span))
            else:
                missing.append(Unmatched(text, why, want.span))
        elif _extreme(want, sides):
            matched.append(Matched(text, "MAX or MIN", 0.7, want.span))
        else:
            missing.append(Unmatched(text, "the SQL keeps no first rows", want.span))
    extra: list[Unmatched] = []
    excused: list[Excused] = []
    limit = sides.done.limit
    if limit is not None and not asked and not _is_asked(limit, sides) and not takes_extreme(sides):
        found = excuse(LIMIT_EXCUSALS, limit, sides)
        if found is None:
            extra.append(Unmatched(f"LIMIT {limit}", "nobody asked for so few rows"))
        else:
            excused.append(found)
    return DimensionAligned(Dimension.LIMIT, tuple(matched), tuple(missing), tuple(extra), tuple(excused))


def takes_extreme(sides: Sides) -> bool:
    """Whether the SQL sorts and keeps one row where the question asks for a maximum or minimum: the same value."""
    asked = {agg.name for agg in sides.asked_aggregates} & {"MAX", "MIN"}
    return bool(asked) and any(
        top.k == 1 and bool(top.order) and ("MAX" if top.order[0].descending else "MIN") in asked
        for top in sides.done.tops
    )


def _is_asked(limit: int, sides: Sides) -> bool:
    return float(limit) in sides.ground.numbers and limit > 1


def _closest(want: TopK, done: list[TopK], sides: Sides) -> TopK | None:
    if not done:
        return None
    return max(done, key=lambda have: (_by(want, have, sides), want.k == have.k))


def _by(want: TopK, have: TopK, sides: Sides) -> float:
    if not want.order or not have.order:
        return 0.1
    return tie_expr(want.order[0].expr, have.order[0].expr, sides.ground)


def _compare(want: TopK, have: TopK, sides: Sides) -> tuple[bool, str]:
    if want.k is not None and have.k is not None and want.k != have.k and not (want.k == 1 and have.k == 1):
        return False, f"{want.k} rows asked, {have.k} kept"
    if want.order and have.order:
        asked, done = want.order[0], have.order[0]
        same_thing = tie_expr(asked.expr, done.expr, sides.ground)
        if asked.descending != done.descending and same_thing >= 0.5:
            return False, f"the other end: sorted by {describe_expr(done.expr)} {_way(done.descending)}"
    return True, ""


def _extreme(want: TopK, sides: Sides) -> bool:
    """`SELECT MAX(x)` answers "the highest x" as well."""
    if not want.order:
        return False
    name = "MAX" if want.order[0].descending else "MIN"
    return any(isinstance(agg, Agg) and agg.name == name for agg in sides.done.aggregates)


def _text(top: TopK) -> str:
    by = ", ".join(f"{describe_expr(key.expr)} {_way(key.descending)}" for key in top.order)
    per = f" per {', '.join(map(describe_expr, top.per))}" if top.per else ""
    return f"top {top.k or 1} by {by or 'the given order'}{per}"


def _way(descending: bool) -> str:
    return "descending" if descending else "ascending"
