"""From a syntax tree to the canonical Spec: query blocks, set operations, and derived tables merged into them."""

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from stef.records.expressions import Agg, Expr, Literal, Star
from stef.records.predicates import Clause, Op, Predicate, Scope
from stef.records.reading import Note
from stef.records.spec import Join, JoinKind, Order, Projection, Select, SetKind, SetOp, Source, Spec, TopK
from stef.sql import joins, times, tops
from stef.sql.conditions import BOOLEAN, condition
from stef.sql.expressions import HANDLERS, ordered, other
from stef.sql.literals import fold_name
from stef.sql.logic import conjoin, to_clauses
from stef.sql.schema import Schema
from stef.sql.scopes import Aliases, Built, Cte, Frame, Relation
from stef.sql.sources import EMPTY, environment, read_from, unused
from stef.sql.trees import aggregated, clause_key, sort_key
from stef.sql.walk import MAX_DEPTH, SUBQUERY_DEPTH, Dispatch, Node, Walk

MAX_FILTERS = 256
MAX_PUSHED = 16


def build_spec(
    tree: exp.Expr, text: str, dialect: str | None, schema: Schema | None = None
) -> tuple[Spec, tuple[Note, ...]]:
    """The canonical Spec of one parsed query, and notes on what canonicalising took away.

    `tree` is what sqlglot read from `text`, to which all spans refer. Without a `schema` a column that can come from
    several tables names them all. It never raises on a query that sqlglot could read; what is too deep or too large to
    be written out becomes `Opaque`, with a note.
    """
    walk = Walk(DISPATCH, text, dialect, schema)
    built = query(walk, tree, EMPTY, frozenset())
    return built.spec, tuple(dict.fromkeys(walk.notes))


def query(walk: Walk, node: Node, env: Mapping[str, Cte], avoid: frozenset[str]) -> Built:
    """Build any query: SELECT, a set operation, a query in parentheses, VALUES."""
    outer, before = walk.frame, walk.size
    node = _unwrapped(walk, node)
    match node:
        case exp.Select():
            built = select(walk, node, env, avoid)
        case exp.SetOperation():
            built = set_operation(walk, node, env, avoid)
        case exp.Subquery():
            built = _wrapped(walk, node, env, avoid)
        case exp.Paren() | exp.CTE() | exp.Alias():
            built = query(walk, node.args["this"], env, avoid)
        case _:
            built = select(walk, exp.Select(), env, avoid, source=node)
    walk.frame = outer
    built.weight = walk.size - before + 1
    return built


_SELECT_STAR = frozenset({"expressions", "from_"})


def _unwrapped(walk: Walk, node: Node) -> Node:
    """`SELECT * FROM (q)` is q, however often it is said."""
    while type(node) is exp.Select:
        args = node.args
        if any(value and key not in _SELECT_STAR for key, value in args.items()):
            return node
        items, found = args.get("expressions"), args.get("from_")
        if (
            found is None
            or not items
            or len(items) != 1
            or type(items[0]) is not exp.Star
            or any(items[0].args.values())
        ):
            return node
        inner = found.args["this"]
        if type(inner) is not exp.Subquery or any(
            value for key, value in inner.args.items() if key not in ("this", "alias")
        ):
            return node
        alias = inner.args.get("alias")
        if (isinstance(alias, exp.Expr) and alias.args.get("columns")) or isinstance(inner.args["this"], exp.Table):
            return node
        walk.note("select_star", "", walk.span(items[0]))
        node = inner.args["this"]
    return node


def _wrapped(walk: Walk, node: exp.Subquery, env: Mapping[str, Cte], avoid: frozenset[str]) -> Built:
    while type(node.args["this"]) is exp.Subquery and not any(
        node.args.get(key) for key in ("with_", "order", "limit", "offset")
    ):
        node = node.args["this"]
    if walk.depth >= MAX_DEPTH:
        walk.note("query_too_complex")
        return Built(Select())
    walk.depth += 1
    built = query(walk, node.args["this"], environment(walk, env, node.args.get("with_")), avoid)
    walk.depth -= 1
    if node.args.get("limit") is None and node.args.get("order") is None:
        return built
    order = _orders(walk, Frame(walk.frame, env, avoid), node.args, built.projections())
    limit, offset = _limit(walk, node.args)
    spec = built.spec
    built.spec = replace(
        spec,
        order=order or spec.order,
        limit=limit if limit is not None else spec.limit,
        offset=offset if offset is not None else spec.offset,
        tops=(*spec.tops, *tops.limited(order, limit)),
    )
    built.plain = False
    return built


class _Block:
    """The parts of a SELECT while they are put together."""

    __slots__ = (
        "distinct",
        "filters",
        "frame",
        "group_by",
        "joins",
        "limit",
        "offset",
        "open",
        "order",
        "projections",
        "tops",
        "weights",
    )

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.projections: list[Projection] = []
        self.weights: list[int] = []
        self.open: tuple[Relation, ...] = ()
        self.filters: list[Clause] = []
        self.joins: list[Join] = []
        self.group_by: tuple[Expr, ...] = ()
        self.order: tuple[Order, ...] = ()
        self.limit: int | None = None
        self.offset: int | None = None
        self.distinct = False
        self.tops: list[TopK] = []


def select(
    walk: Walk, node: exp.Select, env: Mapping[str, Cte], avoid: frozenset[str], *, source: Node | None = None
) -> Built:
    """Build one SELECT."""
    args = node.args
    env = environment(walk, env, args.get("with_"))
    frame = Frame(walk.frame, env, avoid)
    walk.frame = frame
    block = _Block(frame)
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
    _group(walk, block, args.get("group"))
    clauses += _having(walk, block, args)
    block.order = _orders(walk, frame, args, tuple(block.projections))
    block.limit, block.offset = _limit(walk, args)
    _distinct(walk, block, args.get("distinct"))
    built = _finish(walk, block, clauses)
    unused(walk, env, args.get("with_"))
    if len(frame.relations) == 1 and frame.relations[0].built is not None and not frame.relations[0].inner:
        return _merged(walk, node, block, built, avoid)
    return built


def _carried(relation: Relation) -> list[Clause]:
    """The filters of a derived table that was merged into the block."""
    spec = relation.built.spec if relation.built is not None else None
    if not isinstance(spec, Select):
        return []
    if relation.kind in (JoinKind.FROM, JoinKind.INNER, JoinKind.CROSS):
        return list(spec.filters)
    return [Clause(clause.predicates, Scope.OUTER_JOIN, clause.span) for clause in spec.filters]


def _project(walk: Walk, block: _Block, nodes: list[Node]) -> None:
    frame = block.frame
    for node in nodes:
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


def _star(walk: Walk, block: _Block, node: Node) -> None:
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
            keys.extend(relation.keys())
            opened.append(relation)
            continue
        for name, expr in relation.outputs.items():
            block.projections.append(Projection(expr, name))
            block.weights.append(relation.weights.get(name, 1))
            frame.aliases.setdefault(name, expr)
        for inner in relation.open:
            keys.extend(inner.keys())
        opened.extend(relation.open)
    if keys or not relations:
        block.projections.append(Projection(Star(tuple(sorted(keys))), None, walk.span(node)))
        block.weights.append(1)
    block.open = (*block.open, *opened)


def _group(walk: Walk, block: _Block, group: Node | None) -> None:
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


def _having(walk: Walk, block: _Block, args: Mapping[str, Node]) -> list[Clause]:
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


def _orders(
    walk: Walk, frame: Frame, args: Mapping[str, Node], projections: tuple[Projection, ...]
) -> tuple[Order, ...]:
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


def _limit(walk: Walk, args: Mapping[str, Node]) -> tuple[int | None, int | None]:
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


def _distinct(walk: Walk, block: _Block, node: Node | None) -> None:
    if node is None:
        return
    on = node.args.get("on")
    if on is None:
        block.distinct = True
        return
    per = walk.exprs(on.expressions if isinstance(on, exp.Tuple) else [on])
    order = tuple(item for item in block.order if item.expr not in per)
    block.tops.append(TopK(1, order, per, False, walk.span(node)))


def _finish(walk: Walk, block: _Block, clauses: list[Clause]) -> Built:
    """Put the parts together."""
    frame = block.frame
    found, clauses = joins.extract(frame, clauses)
    for relation in frame.relations:
        if relation.inner and relation.built is not None and isinstance(relation.built.spec, Select):
            found += relation.built.spec.joins
    windows, clauses = tops.from_windows(clauses)
    block.tops += windows
    if any(relation.kind is JoinKind.LEFT for relation in frame.relations):
        clauses, found = joins.anti_joins(walk, frame, clauses, found)
        found = joins.undo_outer(walk, frame, clauses, found)
    starred = any(type(item.expr) is Star for item in block.projections)
    joins.note_sources(walk, frame, clauses, found, starred=starred)
    sources = joins.sources(walk, frame, found)
    filters = _canonical(walk, clauses)
    block.tops += tops.limited(block.order, block.limit)
    if block.limit is not None and not block.order:
        walk.note("limit_without_order")
    _distinct_grouping(walk, block)
    _counted(walk, block)
    spec = Select(
        projections=_projections(block.projections, sources),
        distinct=block.distinct,
        sources=sources,
        joins=tuple(sorted(dict.fromkeys(found), key=_join_key)) if len(found) > 1 else tuple(found),
        filters=filters,
        group_by=block.group_by,
        order=block.order,
        limit=block.limit,
        offset=block.offset,
        tops=tuple(block.tops),
    )
    if any(clause.predicates[0].op is Op.COMPARE for clause in filters):
        spec = tops.from_extremes(walk, spec)
    built = Built(spec)
    built.open = block.open
    built.weights = tuple(block.weights)
    built.correlated = frame.correlated
    built.windowed = frame.windowed
    built.level = frame.level + 1
    built.plain = not (
        block.distinct
        or block.group_by
        or frame.aggregates
        or frame.windowed
        or spec.tops
        or spec.offset
        or spec.limit is not None
        or any(clause.scope in (Scope.HAVING, Scope.QUALIFY) for clause in filters)
    )
    return built


def _join_key(join: Join) -> str:
    return sort_key(join.left) + "=" + sort_key(join.right)


def _projections(items: list[Projection], sources: tuple[Source, ...]) -> tuple[Projection, ...]:
    keys = {source.key for source in sources}
    return tuple(
        Projection(Star(), None, item.span)
        if type(item.expr) is Star and item.expr.sources and keys <= set(item.expr.sources)
        else item
        for item in items
    )


def _canonical(walk: Walk, clauses: list[Clause]) -> tuple[Clause, ...]:
    """Clauses without repetition, merged, in order; an empty one is FALSE."""
    if not clauses:
        return ()
    found = conjoin(clauses)
    if len(found) > 1:
        found = times.combine(found)
    if any(not clause.predicates for clause in found):
        false = Literal(False, "FALSE")
        return (Clause((Predicate(false, Op.HOLDS),), found[0].scope),)
    if len(found) > MAX_FILTERS:
        walk.note("filter_too_complex", str(len(found)))
        found = found[:MAX_FILTERS]
    if len(found) > 1:
        found.sort(key=clause_key)
    return tuple(found)


def _distinct_grouping(walk: Walk, block: _Block) -> None:
    """GROUP BY all columns and nothing to aggregate is DISTINCT; DISTINCT over whole groups says nothing."""
    if not block.group_by:
        return
    outputs = {item.expr for item in block.projections}
    grouped = set(block.group_by)
    having = block.frame.aggregates
    if not having and grouped == outputs:
        walk.note("group_by_as_distinct")
        block.group_by = ()
        block.distinct = True
    elif block.distinct and grouped <= outputs:
        walk.note("redundant_distinct")
        block.distinct = False


def _counted(walk: Walk, block: _Block) -> None:
    if not any(relation.kind is JoinKind.LEFT for relation in block.frame.relations):
        return
    for item in block.projections:
        expr = item.expr
        if type(expr) is Agg and expr.name == "COUNT" and expr.arg is None and not expr.filter:
            walk.note("count_star_left_join", "", item.span)


def _merged(walk: Walk, node: exp.Select, block: _Block, built: Built, avoid: frozenset[str]) -> Built:
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
    if computes or not _transparent(spec, outer, inner):
        return built
    scope = Scope.HAVING if spec.group_by or any(aggregated(item.expr) for item in spec.projections) else Scope.WHERE
    if inner.windowed:
        scope = Scope.QUALIFY
    filters = [*spec.filters, *(Clause(clause.predicates, scope, clause.span) for clause in outer.filters)]
    order = outer.order or spec.order
    merged = Select(
        projections=outer.projections,
        distinct=outer.distinct or spec.distinct,
        sources=spec.sources,
        joins=spec.joins,
        filters=_canonical(walk, filters),
        group_by=spec.group_by,
        order=order,
        limit=outer.limit if outer.limit is not None else spec.limit,
        offset=outer.offset if outer.offset is not None else spec.offset,
        tops=(*spec.tops, *(outer.tops or (tops.limited(order, outer.limit) if not outer.order else ()))),
    )
    result = Built(merged)
    result.open = built.open
    result.weights = built.weights
    result.correlated = built.correlated or inner.correlated
    result.windowed = built.windowed or inner.windowed
    result.level = built.level
    return result


def _transparent(spec: Select, outer: Select, inner: Built) -> bool:
    """Whether a query over `spec` can be said as one block."""
    cut = spec.limit is not None or spec.offset is not None or any(not top.per for top in spec.tops)
    if cut and (outer.filters or outer.limit is not None or outer.offset is not None or outer.distinct or outer.tops):
        return False
    if outer.distinct and not spec.distinct and (spec.group_by or inner.windowed):
        return False
    if spec.distinct or outer.distinct:
        return {item.expr for item in outer.projections} == {item.expr for item in spec.projections}
    return True


def _pushed(walk: Walk, node: exp.Select, block: _Block, built: Built, inner: Built) -> Built:
    """A block over a set operation as a set operation over blocks."""
    spec, outer = inner.spec, built.spec
    if not isinstance(spec, SetOp) or not isinstance(outer, Select) or not inner.branches:
        return built
    if outer.distinct or built.windowed or spec.limit is not None or spec.tops or len(inner.branches) > MAX_PUSHED:
        return built
    whole = {item.expr for item in outer.projections} == {item.expr for item in inner.projections()}
    if spec.kind is not SetKind.UNION_ALL and not whole:
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
    result = Built(
        SetOp(
            spec.kind,
            tuple(branch.spec for branch in branches),
            outer.order or spec.order,
            outer.limit,
            outer.offset,
            outer.tops,
        )
    )
    result.branches = branches
    result.weights = built.weights
    result.correlated = built.correlated
    result.level = built.level
    return result


def _branch(walk: Walk, node: exp.Select, target: Node, branch: Built, block: _Block) -> Built:
    frame = walk.frame
    notes = len(walk.notes)
    args = {key: value for key, value in node.args.items() if key not in ("with_", "order", "limit", "offset")}
    bare = exp.Select()
    bare.args.update(args)
    before = walk.overrides.pop(id(target), None)
    walk.overrides[id(target)] = branch
    walk.frame = block.frame.parent
    built = query(walk, bare, block.frame.env, block.frame.avoid)
    walk.frame = frame
    del walk.overrides[id(target)]
    if before is not None:
        walk.overrides[id(target)] = before
    del walk.notes[notes:]
    return built


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
    branches = [query(walk, item, env, avoid) for item in _branches(node, kind)]
    walk.depth -= SUBQUERY_DEPTH
    unused(walk, env, node.args.get("with_"))
    specs = tuple(branch.spec for branch in branches)
    frame = Frame(walk.frame, env, avoid)
    order = _orders(walk, frame, node.args, branches[0].projections())
    limit, offset = _limit(walk, node.args)
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


DISPATCH = Dispatch(HANDLERS, other, condition, BOOLEAN, query)
"""All handlers, put together."""
