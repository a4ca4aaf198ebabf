"""UNION, INTERSECT and EXCEPT."""

from collections.abc import Mapping

from sqlglot import exp

from stef.records.spec import Select, SetKind, SetOp
from stef.sql import tops
from stef.sql.ctes import environment, unused
from stef.sql.scopes import Built, Cte, Frame
from stef.sql.selects import limits, orders
from stef.sql.walk import MAX_DEPTH, SUBQUERY_DEPTH, Node, Walk

_KINDS: dict[type, SetKind] = {exp.Union: SetKind.UNION, exp.Except: SetKind.EXCEPT, exp.Intersect: SetKind.INTERSECT}


def set_operation(walk: Walk, node: exp.SetOperation, env: Mapping[str, Cte], avoid: frozenset[str]) -> Built:
    """Build UNION, INTERSECT or EXCEPT; a chain of one kind has its branches side by side."""
    env = environment(walk, env, node.args.get("with_"))
    kind = _set_kind(node)
    if walk.depth + SUBQUERY_DEPTH > MAX_DEPTH:
        walk.note("query_too_complex")
        return Built(Select())
    if kind is SetKind.UNION_ALL:
        walk.note("union_all")
    walk.depth += SUBQUERY_DEPTH
    branches = [walk.dispatch.query(walk, item, env, avoid) for item in _branches(node, kind)]
    walk.depth -= SUBQUERY_DEPTH
    unused(walk, env, node.args.get("with_"))
    specs = tuple(branch.spec for branch in branches)
    frame = Frame(walk.frame, env, avoid)
    order = orders(walk, frame, node.args, branches[0].projections())
    limit, offset = limits(walk, node.args)
    if limit is not None and not order:
        walk.note("limit_without_order")
    built = Built(SetOp(kind, specs, order, limit, offset, tops.limited(order, limit)))
    built.branches = tuple(branches)
    built.weights = branches[0].weights
    built.open = branches[0].open
    built.correlated = any(branch.correlated for branch in branches)
    built.level = max(branch.level for branch in branches)
    return built


def _set_kind(node: Node) -> SetKind:
    kind = _KINDS.get(type(node), SetKind.UNION)
    if kind is SetKind.UNION and node.args.get("distinct") is False:
        return SetKind.UNION_ALL
    return kind


def _branches(node: exp.SetOperation, kind: SetKind) -> list[Node]:
    """The branches of a left-deep chain of one kind, in order."""
    found: list[Node] = []
    item: Node = node
    while True:
        found.append(item.args["expression"])
        left = item.args["this"]
        while (
            type(left) is exp.Subquery
            and not left.args.get("alias")
            and isinstance(left.args["this"], exp.SetOperation)
            and not any(left.args.get(key) for key in ("with_", "order", "limit", "offset"))
        ):
            left = left.args["this"]
        same = isinstance(left, exp.SetOperation) and _set_kind(left) in (
            (kind, SetKind.UNION_ALL) if kind is SetKind.UNION else (kind,)
        )
        if not same or any(left.args.get(key) for key in ("with_", "order", "limit", "offset")):
            break
        item = left
    found.append(left)
    found.reverse()
    return found
