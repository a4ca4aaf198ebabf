"""Query blocks with every name resolved, and otherwise as written.

The Spec of the reference-free side is as canonical as can be: it takes `= (SELECT MAX …)` for a top-k, an anti-join for
NOT IN, merges derived tables into the query around them. Where queries are compared part by part, such a rewrite would
make a part vanish. So blocks are built here with the same readers of names, conditions and expressions, but kept apart:
a derived table stays a source with its query, `*` is written out, DISTINCT and GROUP BY stay what they are.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sqlglot import exp

from stef.records.expressions import Agg, Binary, Expr, Func, Star
from stef.records.predicates import Scope
from stef.records.spec import JoinKind, Projection, Select, SetKind, SetOp, Source
from stef.sql.blocks import Block, canonical
from stef.sql.conditions import BOOLEAN, condition
from stef.sql.ctes import environment
from stef.sql.cuts import recut
from stef.sql.expressions import HANDLERS, other
from stef.sql.logic import to_clauses
from stef.sql.resolve.stars import project
from stef.sql.schema import Schema
from stef.sql.scopes import Built, Cte, Frame, Relation
from stef.sql.selects import limits, orders, read_distinct, read_group, read_having
from stef.sql.setops import set_operation
from stef.sql.sources import read_from
from stef.sql.walk import MAX_DEPTH, Dispatch, Node, Walk

RECURSIVE = "(recursive)"
"""The table of a source that is the CTE being defined: no base table, and its name is spelling."""

EITHER = "EITHER"
"""The function that stands for a column of a set operation whose branches differ in it."""


class Resolver(Walk):
    """A walk that keeps its blocks apart; `aggregating` are those with aggregates of their own, by identity."""

    __slots__ = ("aggregating",)

    def __init__(self, text: str, dialect: str | None, schema: Schema | None) -> None:
        super().__init__(DISPATCH, text, dialect, schema)
        self.aggregating: dict[int, Select] = {}


class _Union(Built):
    """A set operation: a column of it is what all branches agree on, else either of theirs."""

    __slots__ = ("_shown",)

    def __init__(self, built: Built) -> None:
        super().__init__(built.spec)
        self.branches = built.branches
        self.weights = built.weights
        self.open = built.open
        self.correlated = built.correlated
        self.level = built.level
        self._shown = _shown(built)

    def projections(self) -> tuple[Projection, ...]:
        """The output columns, with the names of the first branch."""
        return self._shown


def _shown(built: Built) -> tuple[Projection, ...]:
    first, *others = [branch.projections() for branch in built.branches]
    kind = built.spec.kind if isinstance(built.spec, SetOp) else None
    if kind is SetKind.EXCEPT or any(len(item) != len(first) for item in others):
        return first
    found = []
    for column in zip(first, *others, strict=True):
        exprs = tuple(dict.fromkeys(item.expr for item in column))
        found.append(column[0] if len(exprs) == 1 else replace(column[0], expr=Func(EITHER, exprs)))
    return tuple(found)


def query(walk: Walk, node: Node, env: Mapping[str, Cte], avoid: frozenset[str]) -> Built:
    """Build any query: SELECT, a set operation, a query in parentheses, VALUES."""
    outer, before = walk.frame, walk.size
    match node:
        case exp.Select():
            built = _select(walk, node, env, avoid)
        case exp.SetOperation():
            built = set_operation(walk, node, env, avoid)
            if isinstance(built.spec, SetOp):
                built = _Union(built)
        case exp.Subquery():
            built = _wrapped(walk, node, env, avoid)
        case exp.Paren() | exp.CTE() | exp.Alias():
            built = query(walk, node.args["this"], env, avoid)
        case _:
            whole = exp.Select(expressions=[exp.Star()], from_=exp.From(this=node))
            built = _select(walk, whole, env, avoid)
    walk.frame = outer
    built.weight = walk.size - before + 1
    return built


def _wrapped(walk: Walk, node: exp.Subquery, env: Mapping[str, Cte], avoid: frozenset[str]) -> Built:
    """A query in parentheses, with the ORDER BY and LIMIT behind them."""
    if walk.depth >= MAX_DEPTH:
        walk.note("query_too_complex")
        return Built(Select())
    walk.depth += 1
    built = query(walk, node.args["this"], environment(walk, env, node.args.get("with_")), avoid)
    walk.depth -= 1
    if not any(node.args.get(key) for key in ("order", "limit", "offset")):
        return built
    order = orders(walk, Frame(walk.frame, env, avoid), node.args, built.projections())
    spec = built.spec
    built.spec = recut(spec, order, *limits(walk, node.args))
    if isinstance(walk, Resolver) and id(spec) in walk.aggregating and isinstance(built.spec, Select):
        walk.aggregating[id(built.spec)] = built.spec
    return built


def _select(walk: Walk, node: exp.Select, env: Mapping[str, Cte], avoid: frozenset[str]) -> Built:
    args = node.args
    env = environment(walk, env, args.get("with_"))
    frame = Frame(walk.frame, env, avoid)
    walk.frame = frame
    block = Block(frame)
    for item in args.get("windows") or ():
        name = item.args["this"]
        frame.windows[name.name.lower() if isinstance(name, exp.Expr) else str(name)] = item
    clauses = read_from(walk, frame, args)
    # Before WHERE: some engines let it name a column of the SELECT list, where no table has the name.
    project(walk, block, args)
    where = args.get("where")
    if where is not None:
        clauses += to_clauses(condition(walk, where.args["this"], False), Scope.WHERE)
    read_group(walk, block, args.get("group"))
    clauses += read_having(walk, block, args)
    block.order = orders(walk, frame, args, tuple(block.projections))
    block.limit, block.offset = limits(walk, args)
    read_distinct(walk, block, args.get("distinct"))
    spec = _spec(walk, block, clauses)
    if frame.aggregates and isinstance(walk, Resolver):
        walk.aggregating[id(spec)] = spec
    built = Built(spec)
    built.open = block.open
    built.weights = tuple(block.weights)
    built.correlated = frame.correlated
    built.windowed = frame.windowed
    built.level = frame.level + 1
    return built


def _spec(walk: Walk, block: Block, clauses: list[Any]) -> Select:
    return Select(
        projections=tuple(block.projections),
        distinct=block.distinct,
        sources=tuple(_source(walk, block.frame, relation) for relation in block.frame.relations),
        filters=canonical(walk, clauses),
        group_by=block.group_by,
        order=block.order,
        limit=block.limit,
        offset=block.offset,
        tops=tuple(block.tops),
    )


def _source(walk: Walk, frame: Frame, relation: Relation) -> Source:
    if relation.built is not None:
        return Source(relation.key, relation.table, relation.kind, relation.built.spec)
    table = relation.table
    if relation.kind is JoinKind.LATERAL:
        table = f"({table})"
    elif (cte := frame.env.get(table)) is not None and cte.building:
        table = RECURSIVE
    elif walk.schema is None or table not in walk.schema.tables:
        table = table.rpartition(".")[2]
    return Source(relation.key, table, relation.kind)


def _anchored(handler: Callable[[Walk, Any], Expr]) -> Callable[[Walk, Any], Expr]:
    """COUNT(*) with the sources that it counts: elsewhere, an expression of a derived table does not tell them."""

    def read(walk: Walk, node: Node) -> Expr:
        return _anchor(handler(walk, node), walk.frame)

    return read


def _anchor(expr: Expr, frame: Frame | None) -> Expr:
    if type(expr) is Agg and expr.arg is None and frame is not None:
        distinct = _distinct_rows(frame) if not expr.filter else ()
        if distinct:
            return replace(expr, arg=distinct[0] if len(distinct) == 1 else Func("ROW", distinct), distinct=True)
        return replace(expr, arg=Star(_counted(frame)))
    if type(expr) is Binary:
        return replace(expr, left=_anchor(expr.left, frame), right=_anchor(expr.right, frame))
    return expr


def _distinct_rows(frame: Frame) -> tuple[Expr, ...]:
    """What there is one row each of: `COUNT(*)` over a DISTINCT or grouped query counts that, and no table's rows."""
    built = frame.relations[0].built if len(frame.relations) == 1 else None
    spec = built.spec if built is not None else None
    if not isinstance(spec, Select) or spec.limit is not None or spec.offset is not None or spec.tops:
        return ()
    return tuple(item.expr for item in spec.projections) if spec.distinct else spec.group_by


def _counted(frame: Frame) -> tuple[str, ...]:
    keys: list[str] = []
    for relation in frame.relations:
        if relation.built is None:
            keys += [relation.key] if relation.kind is not JoinKind.LATERAL else []
            continue
        keys += [key for key in relation.built.source_keys() if not key.startswith("(")]
        spec = relation.built.spec
        if isinstance(spec, SetOp):
            keys.append(f"({spec.kind})")
        elif spec.limit is not None or spec.tops:
            keys.append("(first)")
        elif spec.distinct or spec.group_by:
            keys.append("(distinct)")
    return tuple(sorted(keys))


_AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.CountIf, exp.Filter)

DISPATCH = Dispatch(
    {**HANDLERS, **{kind: _anchored(HANDLERS[kind]) for kind in _AGGREGATES}}, other, condition, BOOLEAN, {}, query
)
"""The readers of the reference-free side, with blocks of this kind."""
