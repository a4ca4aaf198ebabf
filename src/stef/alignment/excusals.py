"""The production normalisation rules: differences that right production SQL has, and what excuses each.

Each rule is a function of one difference and the two sides, and gives what it excused, or None. Each can be switched
off by the application's rules.
"""

from typing import TYPE_CHECKING, TypeVar

from stef.alignment.sides import Sides
from stef.records.alignment import Excused
from stef.records.expressions import Agg, Column, Expr
from stef.records.predicates import Op
from stef.records.spec import Order
from stef.sql.describe import describe_expr

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


def excuse(rules: "tuple[Callable[[T, Sides], Excused | None], ...]", difference: T, sides: Sides) -> Excused | None:
    """What the first rule that applies says of a difference, None where it stands."""
    for rule in rules:
        found = rule(difference, sides)
        if found is not None:
            return found
    return None


def benign_group_by(key: Expr, sides: Sides) -> Excused | None:
    """Grouping on a column that a filter fixes to one value makes no groups."""
    if not sides.policy.benign_group_by or not isinstance(key, Column):
        return None
    for placed in sides.done.placed:
        for predicate in placed.clause.predicates:
            fixed = predicate.op is Op.IN and not predicate.negated and len(predicate.values) == 1
            if fixed and isinstance(predicate.subject, Column) and predicate.subject.name == key.name:
                why = f"a filter fixes {key.name} to one value"
                return Excused(describe_expr(key), "benign_group_by", why, key.span)
    return None


def required_group_by(key: Expr, sides: Sides) -> Excused | None:
    """A selected column has to be grouped as soon as the SELECT or HAVING or ORDER BY mixes it with aggregates."""
    if not sides.policy.required_group_by or not sides.done.aggregates:
        return None
    for projection in sides.done.projections:
        if projection.expr == key or _same_name(projection.expr, key):
            return Excused(describe_expr(key), "required_group_by", "selected beside an aggregate", None)
    if any(_same_name(agg.arg, key) for agg in sides.done.aggregates if agg.arg is not None):
        return None
    identifies = isinstance(key, Column) and (key.name.endswith("id") or key.name in ("code", "key", "uuid"))
    if identifies and len(sides.done.group_by) > 0:
        return Excused(describe_expr(key), "required_group_by", "keeps apart rows that the selected columns name")
    return None


def default_order(key: Order, sides: Sides) -> Excused | None:
    """An order that nobody asked for is accepted, unless it decides which rows a small LIMIT keeps."""
    limit = sides.done.limit
    if not sides.policy.order_tolerance:
        return None
    picks = limit is not None and not _is_safety(limit, sides) and not _is_page(sides)
    if picks and not _returns_one_row(sides):
        return None
    text = f"{describe_expr(key.expr)} {'descending' if key.descending else 'ascending'}"
    return Excused(text, "order_tolerance", "an order that picks no rows")


def safety_limit(limit: int, sides: Sides) -> Excused | None:
    """A high LIMIT is a safety measure and no top-k; so is any limit on an answer of one row."""
    if not sides.policy.limit_tolerance:
        return None
    if _is_safety(limit, sides):
        return Excused(f"LIMIT {limit}", "limit_tolerance", "a safety limit, not a selection")
    if _is_page(sides):
        return Excused(f"LIMIT {limit}", "limit_tolerance", "a page, as the agent adds by design")
    if _returns_one_row(sides):
        return Excused(f"LIMIT {limit}", "limit_tolerance", "the answer has one row anyway")
    return None


def _is_safety(limit: int, sides: Sides) -> bool:
    return limit >= sides.policy.safety_limit or limit == sides.policy.row_cap


def _is_page(sides: Sides) -> bool:
    return sides.policy.pagination and (sides.done.offset is not None or bool(sides.done.order))


def _returns_one_row(sides: Sides) -> bool:
    shown = sides.done.projections
    return bool(shown) and not sides.done.answer.group_by and all(isinstance(p.expr, Agg) for p in shown)


def _same_name(a: Expr | None, b: Expr) -> bool:
    return isinstance(a, Column) and isinstance(b, Column) and a.name == b.name


GROUPING_EXCUSALS = (benign_group_by, required_group_by)
ORDERING_EXCUSALS = (default_order,)
LIMIT_EXCUSALS = (safety_limit,)
