"""Derived tables that compute something, merged into the query around them where that means the same."""

from dataclasses import replace

from sqlglot import exp

from stef.records.expressions import Agg, Func, Star
from stef.records.predicates import Clause, Scope
from stef.records.spec import Projection, Select, SetKind, SetOp
from stef.sql.blocks import Block, canonical
from stef.sql.cuts import is_cut, others, recut, recut_tops
from stef.sql.scopes import Built
from stef.sql.trees import aggregated
from stef.sql.walk import Node, Walk

MAX_PUSHED = 16
"""Branches of a set operation that a query around it is pushed into."""


def merged(walk: Walk, node: exp.Select, block: Block, built: Built) -> Built:
    """A block over one derived table that could not be merged before, as one block where that means the same."""
    relation = block.frame.relations[0]
    inner = relation.built
    outer = built.spec
    if inner is None or not isinstance(outer, Select):
        return built
    computes = block.frame.aggregates or outer.group_by
    if isinstance(inner.spec, SetOp):
        return _pushed(walk, node, block, built, inner) if not computes else built
    spec = inner.spec
    if computes and spec.distinct:
        counted = _counted(outer, spec)
        if counted is not None:
            result = Built(counted)
            result.level = built.level
            result.correlated = built.correlated or inner.correlated
            return result
    if computes or not _transparent(spec, outer, inner):
        return built
    scope = Scope.HAVING if spec.group_by or any(aggregated(item.expr) for item in spec.projections) else Scope.WHERE
    if inner.windowed:
        scope = Scope.QUALIFY
    filters = [*spec.filters, *(Clause(clause.predicates, scope, clause.span) for clause in outer.filters)]
    cut = recut(spec, outer.order, outer.limit, outer.offset)
    one = Select(
        projections=outer.projections,
        distinct=outer.distinct or spec.distinct,
        sources=spec.sources,
        joins=spec.joins,
        filters=canonical(walk, filters),
        group_by=spec.group_by,
        order=cut.order,
        limit=cut.limit,
        offset=cut.offset,
        tops=(*spec.tops, *outer.tops) if outer.order else (*recut_tops(spec, cut, ()), *outer.tops),
    )
    result = Built(one)
    result.open = built.open
    result.weights = built.weights
    result.correlated = built.correlated or inner.correlated
    result.windowed = built.windowed or inner.windowed
    result.level = built.level
    return result


def _counted(outer: Select, spec: Select) -> Select | None:
    """`COUNT(*)` over a DISTINCT query is COUNT(DISTINCT …)."""
    if outer.filters or outer.group_by or outer.tops or len(outer.projections) != 1:
        return None
    item = outer.projections[0]
    expr = item.expr
    found = [projection.expr for projection in spec.projections]
    if type(expr) is not Agg or expr.name != "COUNT" or expr.filter or spec.limit is not None or spec.tops:
        return None
    if not found or any(type(part) is Star for part in found) or (expr.arg is not None and [expr.arg] != found):
        return None
    arg = found[0] if len(found) == 1 else Func("ROW", tuple(found))
    counted = Projection(Agg("COUNT", arg, True, span=expr.span), item.name, item.span)
    return replace(spec, projections=(counted,), distinct=False, order=())


def _transparent(spec: Select, outer: Select, inner: Built) -> bool:
    """Whether a query over `spec` can be said as one block."""
    first = is_cut(spec) or any(not top.per for top in spec.tops)
    if first and (outer.filters or outer.distinct or outer.tops):
        return False
    if first and is_cut(outer) and (outer.order or any(not top.per for top in others(spec))):
        return False
    if outer.distinct and not spec.distinct and (spec.group_by or inner.windowed):
        return False
    if spec.distinct or outer.distinct:
        return {item.expr for item in outer.projections} == {item.expr for item in spec.projections}
    return True


def _pushed(walk: Walk, node: exp.Select, block: Block, built: Built, inner: Built) -> Built:
    """A block over a set operation as a set operation over blocks."""
    spec, outer = inner.spec, built.spec
    if not isinstance(spec, SetOp) or not isinstance(outer, Select) or not inner.branches:
        return built
    if outer.distinct or built.windowed or len(inner.branches) > MAX_PUSHED:
        return built
    whole = {item.expr for item in outer.projections} == {item.expr for item in inner.projections()}
    if spec.kind is not SetKind.UNION_ALL and not whole:
        return built
    if is_cut(spec) and (outer.filters or outer.order or not whole):
        return built
    if outer.filters and any(top for top in outer.tops if top.per):
        return built
    if not outer.filters and whole and len(outer.projections) == len(inner.projections()):
        branches = inner.branches
    else:
        found = node.args.get("from_")
        target = found.args["this"] if isinstance(found, exp.From) else None
        if not isinstance(target, exp.Table | exp.Subquery):
            return built
        branches = tuple(_branch(walk, node, target, branch, block) for branch in inner.branches)
    cut = recut(spec, outer.order, outer.limit, outer.offset)
    tops = outer.tops if outer.order else recut_tops(spec, cut, ())
    result = Built(SetOp(spec.kind, tuple(branch.spec for branch in branches), cut.order, cut.limit, cut.offset, tops))
    result.branches = branches
    result.weights = built.weights
    result.correlated = built.correlated
    result.level = built.level
    return result


def _branch(walk: Walk, node: exp.Select, target: Node, branch: Built, block: Block) -> Built:
    frame = walk.frame
    notes = len(walk.notes)
    args = {key: value for key, value in node.args.items() if key not in ("with_", "order", "limit", "offset")}
    bare = exp.Select()
    bare.args.update(args)
    before = walk.overrides.pop(id(target), None)
    walk.overrides[id(target)] = branch
    walk.frame = block.frame.parent
    built = walk.dispatch.query(walk, bare, block.frame.env, block.frame.avoid)
    walk.frame = frame
    del walk.overrides[id(target)]
    if before is not None:
        walk.overrides[id(target)] = before
    del walk.notes[notes:]
    return built
