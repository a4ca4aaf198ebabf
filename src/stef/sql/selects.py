"""One SELECT: its clauses read in the order in which names come into reach."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from stef.records.expressions import Column, Expr, Literal, Star
from stef.records.predicates import Clause, Predicate, Scope
from stef.records.spec import JoinKind, Order, Projection, Select, TopK
from stef.sql.blocks import Block, finish
from stef.sql.conditions import condition
from stef.sql.ctes import environment, unused
from stef.sql.expressions import ordered
from stef.sql.literals import fold_name
from stef.sql.logic import to_clauses
from stef.sql.merging import merged
from stef.sql.scopes import Aliases, Built, Cte, Frame, Relation
from stef.sql.sources import read_from
from stef.sql.tops import first_ranks
from stef.sql.trees import aggregated, sort_key
from stef.sql.walk import Node, Walk


def select(
    walk: Walk, node: exp.Select, env: Mapping[str, Cte], avoid: frozenset[str], *, source: Node | None = None
) -> Built:
    """Build one SELECT."""
    args = node.args
    env = environment(walk, env, args.get("with_"))
    frame = Frame(walk.frame, env, avoid)
    walk.frame = frame
    block = Block(frame)
    if source is not None:
        args = {"from_": exp.From(this=source), "expressions": [exp.Star()]}
    for item in args.get("windows") or ():
        name = item.args["this"]
        frame.windows[name.name.lower() if isinstance(name, exp.Expr) else str(name)] = item
    clauses = read_from(walk, frame, args)
    where = args.get("where")
    if where is not None:
        clauses += to_clauses(condition(walk, where.args["this"], False), Scope.WHERE)
    for relation in frame.relations:
        if relation.inner and relation.built is not None:
            clauses += _carried(relation)
    _project(walk, block, args.get("expressions") or ())
    read_group(walk, block, args.get("group"))
    clauses += read_having(walk, block, args)
    block.order = orders(walk, frame, args, tuple(block.projections))
    block.limit, block.offset = limits(walk, args)
    read_distinct(walk, block, args.get("distinct"))
    _misplaced(walk, args)
    if walk.dialect == "oracle":
        clauses = _rownum(block, clauses)
    built = finish(walk, block, clauses)
    unused(walk, env, args.get("with_"))
    if len(frame.relations) == 1 and frame.relations[0].built is not None and not frame.relations[0].inner:
        return merged(walk, node, block, built)
    return built


def _rownum(block: Block, clauses: list[Clause]) -> list[Clause]:
    """Oracle's `ROWNUM <= k` over an ordered query is its LIMIT."""
    kept: list[Clause] = []
    for clause in clauses:
        predicate = clause.predicates[0] if len(clause.predicates) == 1 else None
        if predicate is None or type(predicate.subject) is not Column or predicate.subject.name != "rownum":
            kept.append(clause)
            continue
        block.limit = first_ranks(predicate)
        inner = block.frame.relations[0].built if len(block.frame.relations) == 1 else None
        if inner is not None and isinstance(inner.spec, Select) and not block.order:
            block.order = inner.spec.order
    return kept


def _misplaced(walk: Walk, args: Mapping[str, Any]) -> None:
    """Note a JOIN that is written after WHERE or LIMIT, which parsers take and engines do not."""
    items = args.get("joins")
    later = next((args[key] for key in ("where", "group", "order", "limit") if args.get(key) is not None), None)
    if not items or later is None:
        return
    inner = later.args.get("this") or later.args.get("expression") or later.expressions
    first = walk.span(inner[0] if isinstance(inner, list) else inner)
    last = walk.span(items[-1].args["this"])
    if first is not None and last is not None and last[0] > first[0]:
        walk.note("join_after_where", "", last)


def _carried(relation: Relation) -> list[Clause]:
    """The filters of a derived table that was merged into the block."""
    spec = relation.built.spec if relation.built is not None else None
    if not isinstance(spec, Select):
        return []
    if relation.kind in (JoinKind.FROM, JoinKind.INNER, JoinKind.CROSS):
        return list(spec.filters)
    return [Clause(clause.predicates, Scope.OUTER_JOIN, clause.span) for clause in spec.filters]


def _project(walk: Walk, block: Block, nodes: Sequence[Node]) -> None:
    frame = block.frame
    for item in nodes:
        node = item
        name: str | None = None
        before = walk.size
        kind = type(node)
        if kind is exp.Alias:
            name = fold_name(node.args["alias"].name) if isinstance(node.args["alias"], exp.Expr) else None
            node = node.args["this"]
            kind = type(node)
        if kind is exp.Star or (kind is exp.Column and type(node.args["this"]) is exp.Star):
            _star(walk, block, node)
            continue
        if kind is exp.Aliases:
            node = node.args["this"]
        if kind is exp.Column and name is None:
            name = fold_name(node.args["this"].name)
        expr = walk.expr(node)
        block.projections.append(Projection(expr, name, walk.span(node)))
        block.weights.append(walk.size - before)
        if name is not None:
            frame.aliases.setdefault(name, expr)


def _star(walk: Walk, block: Block, node: Node) -> None:
    walk.note("select_star", "", walk.span(node))
    frame = block.frame
    relations = frame.relations
    qualifier = node.args.get("table") if type(node) is exp.Column else None
    if qualifier is not None:
        found = frame.by_alias.get(fold_name(qualifier.name))
        relations = [found] if found is not None else []
    keys: list[str] = []
    opened: list[Relation] = []
    for relation in relations:
        relation.uses += 1
        if relation.outputs is None:
            keys.extend(relation.source_keys())
            opened.append(relation)
            continue
        for name, expr in relation.outputs.items():
            block.projections.append(Projection(expr, name))
            block.weights.append(relation.weights.get(name, 1))
            frame.aliases.setdefault(name, expr)
        for inner in relation.open:
            keys.extend(inner.source_keys())
        opened.extend(relation.open)
    if keys or not relations:
        block.projections.append(Projection(Star(tuple(sorted(keys))), None, walk.span(node)))
        block.weights.append(1)
    block.open = (*block.open, *opened)


def read_group(walk: Walk, block: Block, group: Node | None) -> None:
    """Put the keys of GROUP BY into `block`; ordinals and aliases stand for its output columns."""
    if group is None:
        return
    frame = block.frame
    frame.alias_mode = Aliases.FALLBACK
    found: dict[Expr, None] = {}
    if group.args.get("all"):
        found.update((item.expr, None) for item in block.projections if not aggregated(item.expr))
    for node in group.args.get("expressions") or ():
        if type(node) in (exp.Rollup, exp.Cube, exp.GroupingSets):
            walk.note("grouping_sets", "", walk.span(node))
            found.update((item, None) for item in walk.exprs(node.expressions))
            continue
        expr = _ordinal(node, tuple(block.projections)) or walk.expr(node)
        if type(expr) is not Literal:
            found[expr] = None
    for key in ("rollup", "cube", "grouping_sets"):
        for node in group.args.get(key) or ():
            if isinstance(node, exp.Expr):
                walk.note("grouping_sets", key, walk.span(node))
                found.update((item, None) for item in walk.exprs(node.expressions))
    frame.alias_mode = Aliases.NEVER
    block.group_by = tuple(sorted(found, key=sort_key)) if len(found) > 1 else tuple(found)


def _ordinal(node: Node, projections: tuple[Projection, ...]) -> Expr | None:
    """The output column that a number in GROUP BY or ORDER BY stands for."""
    if type(node) is exp.Literal and not node.args.get("is_string") and str(node.args["this"]).isdecimal():
        index = int(node.args["this"]) - 1
        if 0 <= index < len(projections):
            return projections[index].expr
    return None


def read_having(walk: Walk, block: Block, args: Mapping[str, Node]) -> list[Clause]:
    """The clauses of HAVING and QUALIFY."""
    frame = block.frame
    clauses: list[Clause] = []
    frame.alias_mode = Aliases.FALLBACK
    having = args.get("having")
    if having is not None:
        found = to_clauses(condition(walk, having.args["this"], False), Scope.HAVING)
        for clause in found:
            if block.group_by and not any(_aggregated(predicate) for predicate in clause.predicates):
                walk.note("having_for_where", "", clause.span)
        clauses += found
    qualify = args.get("qualify")
    if qualify is not None:
        clauses += to_clauses(condition(walk, qualify.args["this"], False), Scope.QUALIFY)
    frame.alias_mode = Aliases.NEVER
    return clauses


def _aggregated(predicate: Predicate) -> bool:
    return aggregated(predicate.subject) or (predicate.other is not None and aggregated(predicate.other))


def orders(
    walk: Walk, frame: Frame, args: Mapping[str, Node], projections: tuple[Projection, ...]
) -> tuple[Order, ...]:
    """The sort keys of ORDER BY; `projections` are what ordinals and output names stand for."""
    order = args.get("order")
    if not isinstance(order, exp.Order):
        return ()
    outer, walk.frame = walk.frame, frame
    frame.alias_mode = Aliases.FIRST
    if not frame.aliases:
        frame.aliases = {item.name: item.expr for item in projections if item.name is not None}
    found: dict[Expr, Order] = {}
    for node in order.expressions:
        inner = node.args["this"] if type(node) is exp.Ordered else node
        target = _ordinal(inner, projections)
        item = Order(target, bool(node.args.get("desc"))) if target is not None else ordered(walk, node)
        if type(item.expr) is not Literal:
            found.setdefault(item.expr, item)
    frame.alias_mode = Aliases.NEVER
    walk.frame = outer
    return tuple(found.values())


def limits(walk: Walk, args: Mapping[str, Node]) -> tuple[int | None, int | None]:
    """LIMIT, TOP or FETCH, and OFFSET (None where it skips nothing), as far as they are constants."""
    limit, offset = args.get("limit"), args.get("offset")
    found: int | None = None
    if limit is not None:
        key = "count" if type(limit) is exp.Fetch else "expression"
        found = _whole(walk, limit.args.get(key), limit)
        inner = limit.args.get("offset")
        if offset is None and isinstance(inner, exp.Expr):
            offset = exp.Offset(expression=inner)
    skipped = _whole(walk, offset.args.get("expression"), offset) if offset is not None else None
    return found, skipped or None


def _whole(walk: Walk, node: Node | None, around: Node) -> int | None:
    while type(node) is exp.Paren:
        node = node.args["this"]
    options = around.args.get("limit_options")
    if isinstance(options, exp.Expr) and options.args.get("percent"):
        walk.note("limit_percent")
        return None
    if type(node) is exp.Literal:
        try:
            return int(float(node.args["this"]))
        except (ValueError, OverflowError):
            return None
    if node is not None and type(node) is not exp.Null and node.name.upper() != "ALL":
        walk.note("limit_not_constant", "", walk.span(node))
    return 1 if type(around) is exp.Fetch and node is None else None


def read_distinct(walk: Walk, block: Block, node: Node | None) -> None:
    """DISTINCT, or the first row a group that DISTINCT ON means."""
    if node is None:
        return
    on = node.args.get("on")
    if on is None:
        block.distinct = True
        return
    per = walk.exprs(on.expressions if isinstance(on, exp.Tuple) else [on])
    order = tuple(item for item in block.order if item.expr not in per)
    block.tops.append(TopK(1, order, per, False, walk.span(node)))
