"""Output columns: what the question wants to see, against what the SQL selects."""

from stef.alignment.match import tie_expr
from stef.alignment.sides import Sides
from stef.question.words import name_stems
from stef.records.alignment import Dimension, DimensionAligned, Excused, Matched, Unmatched
from stef.records.expressions import Agg, Column, Expr, Phrase, Star, Window
from stef.records.spec import Projection
from stef.sql.describe import describe_expr

_TIED = 0.5


def align_projections(sides: Sides) -> DimensionAligned:
    """Asked output against selected columns. A column that the question groups, sorts or filters by is no surprise."""
    asked = [projection for projection in sides.asked_projections if isinstance(projection.expr, Phrase)]
    done = list(sides.done.projections)
    matched: list[Matched] = []
    missing: list[Unmatched] = []
    used: set[int] = set()
    star = any(isinstance(projection.expr, Star) for projection in done)
    for want in asked:
        place, strength = _closest(want.expr, done, used, sides)
        if place is not None and strength >= _TIED:
            used.add(place)
            used.update(_name_parts(want.expr, done))
            matched.append(
                Matched(describe_expr(want.expr), _text(done[place]), round(strength, 3), want.span, done[place].span)
            )
        elif star:
            matched.append(Matched(describe_expr(want.expr), "*", _TIED, want.span))
        else:
            missing.append(Unmatched(describe_expr(want.expr), "no selected column goes by these words", want.span))
    extra, excused = _surplus([column for place, column in enumerate(done) if place not in used], sides)
    return DimensionAligned(Dimension.PROJECTIONS, tuple(matched), tuple(missing), tuple(extra), tuple(excused))


def _closest(want: Expr, done: list[Projection], used: set[int], sides: Sides) -> tuple[int | None, float]:
    best, best_strength = None, 0.0
    for place, column in enumerate(done):
        if place in used:
            continue
        strength = tie_expr(want, column.expr, sides.ground)
        if strength > best_strength:
            best, best_strength = place, strength
    return best, best_strength


_NAME_PARTS = frozenset(("first", "last", "middl", "given", "famili", "fore", "sur", "forenam", "surnam", "f", "l"))


def _name_parts(want: Expr, done: list[Projection]) -> list[int]:
    """A person's name stands in several columns: the places of `first_name`, `last_name` where a name is asked."""
    if not isinstance(want, Phrase) or "name" not in want.stems:
        return []
    return [
        place
        for place, column in enumerate(done)
        if isinstance(column.expr, Column) and _NAME_PARTS & set(name_stems(column.expr.name))
    ]


def _surplus(rest: list[Projection], sides: Sides) -> tuple[list[Unmatched], list[Excused]]:
    """Selected columns that no asked phrase took: excused where the question speaks of them, else extra."""
    extra: list[Unmatched] = []
    excused: list[Excused] = []
    for column in rest:
        expr = column.expr
        if isinstance(expr, Star):
            continue
        if isinstance(expr, Agg | Window):
            continue  # counted as an aggregation
        name = _text(column)
        if any(_same_column(expr, key) for key in sides.done.group_by):
            excused.append(Excused(name, "grouping_key", "shown, as the rows are grouped by it", column.span))
        elif isinstance(expr, Column) and expr.name in sides.policy.agent_columns:
            excused.append(Excused(name, "agent_adds", "a column that the agent always selects", column.span))
        elif sides.ground.names_expr(expr) < _TIED:
            extra.append(Unmatched(name, "nothing in the question goes by this name", column.span))
    return extra, excused


def _same_column(a: Expr, b: Expr) -> bool:
    return a == b or (isinstance(a, Column) and isinstance(b, Column) and a.name == b.name)


def _text(projection: Projection) -> str:
    return describe_expr(projection.expr)
