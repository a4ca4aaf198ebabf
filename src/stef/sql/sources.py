"""FROM clauses: tables, CTEs, derived tables and table functions as relations of a query block."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlglot import exp

from stef.records.expressions import Column, Expr, Span, Star
from stef.records.predicates import Clause, Scope
from stef.records.spec import JoinKind, Select
from stef.sql.conditions import condition
from stef.sql.ctes import build, in_block
from stef.sql.literals import fold_name
from stef.sql.logic import to_clauses
from stef.sql.predicates import compare
from stef.sql.scopes import Built, Cte, Frame, Relation
from stef.sql.walk import MAX_COPIED, Node, Walk

QUERY = "(query)"
"""The key and name of a derived table."""

MAX_SOURCES = 64
"""Sources of a derived table that is merged into another query."""
MAX_LEVEL = 30
"""Queries in queries (CTEs alike) whose columns are resolved through; deeper ones are a source of their own."""
_SIDES = {"LEFT": JoinKind.LEFT, "RIGHT": JoinKind.RIGHT, "FULL": JoinKind.FULL}


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where and as what a relation is put into a block."""

    alias: str
    columns: tuple[str, ...]
    kind: JoinKind
    span: Span | None = None


def read_from(walk: Walk, frame: Frame, args: Mapping[str, object]) -> list[Clause]:
    """Put the relations of a FROM clause into `frame`; what comes back are the clauses of their ON conditions."""
    clauses: list[Clause] = []
    first = args.get("from_")
    if isinstance(first, exp.From):
        clauses += _add(walk, frame, first.args["this"], JoinKind.FROM)
    joins = args.get("joins")
    if isinstance(joins, list):
        for join in joins:
            clauses += _join(walk, frame, join)
    laterals = args.get("laterals")
    if isinstance(laterals, list):
        for lateral in laterals:
            clauses += _add(walk, frame, lateral, JoinKind.LATERAL)
    return clauses


def _join(walk: Walk, frame: Frame, join: exp.Join) -> list[Clause]:
    args = join.args
    side = args.get("side")
    kind = _SIDES.get(side.upper() if isinstance(side, str) else "", JoinKind.INNER)
    on, using = args.get("on"), args.get("using")
    method = args.get("method")
    if kind is JoinKind.INNER and on is None and not using and not method:
        if args.get("kind") != "CROSS":
            walk.note("implicit_join")
        kind = JoinKind.CROSS
    before = len(frame.relations)
    clauses = _add(walk, frame, args["this"], kind)
    scope = Scope.JOIN if kind in (JoinKind.INNER, JoinKind.CROSS, JoinKind.FROM) else Scope.OUTER_JOIN
    if on is not None:
        clauses += to_clauses(condition(walk, on, False), scope)
    elif using:
        clauses += _using(walk, frame, before, using, scope)
    elif method == "NATURAL":
        walk.note("natural_join")
        clauses += _natural(walk, frame, before, scope)
    return clauses


def _using(walk: Walk, frame: Frame, before: int, using: list[Node], scope: Scope) -> list[Clause]:
    clauses: list[Clause] = []
    right = frame.relations[before] if before < len(frame.relations) else None
    for item in using:
        name = fold_name(item.name)
        left = next((rel for rel in reversed(frame.relations[:before]) if rel.sure(name) is not False), None)
        if left is None or right is None:
            continue
        left.uses += 1
        right.uses += 1
        found = compare(walk, left.column(walk, name, None), "=", right.column(walk, name, None), None)
        clauses += to_clauses(found, scope)
    return clauses


def _natural(walk: Walk, frame: Frame, before: int, scope: Scope) -> list[Clause]:
    """A natural join's equalities, which only a schema can tell; without one the join is known to be there at least."""
    if before >= len(frame.relations):
        return []
    right = frame.relations[before]
    right.natural = True
    if right.described is None:
        return []
    names = [name for name in right.described.columns if any(rel.sure(name) for rel in frame.relations[:before])]
    return _using(walk, frame, before, [exp.to_identifier(name) for name in names], scope)


def _add(walk: Walk, frame: Frame, node: Node, kind: JoinKind) -> list[Clause]:
    match node:
        case exp.Table():
            return _table(walk, frame, node, kind)
        case exp.Subquery():
            return _subquery(walk, frame, node, kind)
        case exp.Lateral():
            return _lateral(walk, frame, node)
        case exp.Select() | exp.SetOperation():
            _derived(walk, frame, node, node, _Spot("", (), kind))
        case exp.Paren() | exp.Alias():
            return _add(walk, frame, node.args["this"], kind)
        case _:
            _function(walk, frame, node, node)
    return []


def _span(node: Node | None) -> Span | None:
    meta = node._meta if node is not None else None  # noqa: SLF001 - see `walk.span_of`
    return (meta["start"], meta["end"] + 1) if meta and "start" in meta else None


def _alias(node: Node) -> tuple[str, tuple[str, ...]]:
    alias = node.args.get("alias")
    if not isinstance(alias, exp.TableAlias):
        return "", ()
    this = alias.args.get("this")
    name = fold_name(this.name) if isinstance(this, exp.Expr) else ""
    return name, tuple(fold_name(column.name) for column in alias.args.get("columns") or ())


def _table(walk: Walk, frame: Frame, node: exp.Table, kind: JoinKind) -> list[Clause]:
    args = node.args
    this = args.get("this")
    alias, columns = _alias(node)
    if not isinstance(this, exp.Identifier):
        _function(walk, frame, node, this if isinstance(this, exp.Expr) else node)
        return []
    name = fold_name(this.this) if isinstance(this.this, str) else ""
    schema, catalog = args.get("db"), args.get("catalog")
    if schema is None:
        cte = frame.env.get(name)
        if cte is not None:
            _use_cte(walk, frame, node, cte, _Spot(alias or name, columns or cte.columns, kind, _span(this)))
            return _nested_joins(walk, frame, args)
    full = ".".join(fold_name(part.name) for part in (catalog, schema) if isinstance(part, exp.Expr) and part.name)
    full = f"{full}.{name}" if full else name
    relation = Relation(alias or name, frame.free_key(name), full, _span(this))
    relation.kind = kind
    if walk.schema is not None:
        relation.described = walk.schema.table(name, full)
    if columns and relation.described is not None:
        _renamed(relation, columns, tuple(relation.described.columns))
    frame.add(relation)
    return _nested_joins(walk, frame, args)


def _renamed(relation: Relation, columns: tuple[str, ...], names: tuple[str, ...]) -> None:
    """`FROM t AS a (x, y)`: the first columns of the table go by other names."""
    relation.names = (*columns, *names[len(columns) :])
    relation.outputs = {
        shown: Column(name, (relation.key,)) for shown, name in zip(relation.names, names, strict=False) if shown
    }


def _nested_joins(walk: Walk, frame: Frame, args: Mapping[str, object]) -> list[Clause]:
    clauses: list[Clause] = []
    joins = args.get("joins")
    if isinstance(joins, list):
        for join in joins:
            clauses += _join(walk, frame, join)
    return clauses


def _use_cte(walk: Walk, frame: Frame, node: Node, cte: Cte, spot: _Spot) -> None:
    """Put a CTE into the block; inside of its own recursion it is a source by its name."""
    if not cte.used:
        cte.used = True
        walk.notes.extend(cte.notes)
    if cte.building:
        relation = Relation(spot.alias, frame.free_key(cte.name), cte.name, spot.span)
        relation.kind = spot.kind
        frame.add(relation)
        return
    built = walk.overrides.get(id(node)) or in_block(walk, frame, cte)
    walk.size += built.weight
    _place(walk, frame, built, spot)


def _subquery(walk: Walk, frame: Frame, node: exp.Subquery, kind: JoinKind) -> list[Clause]:
    inner = node.args["this"]
    alias, columns = _alias(node)
    if isinstance(inner, exp.Table):
        clauses = _add(walk, frame, inner, kind)
        return clauses + _nested_joins(walk, frame, node.args)
    _derived(walk, frame, node, node, _Spot(alias, columns, kind))
    return _nested_joins(walk, frame, node.args)


def _derived(walk: Walk, frame: Frame, node: Node, query: Node, spot: _Spot) -> None:
    lateral = spot.kind is JoinKind.LATERAL
    built = walk.overrides.get(id(node))
    if built is not None:
        walk.size += built.weight
    else:
        built = build(walk, query, frame.env, frame.taken(), frame if lateral else frame.parent)
    if built.correlated and not lateral:
        frame.correlated = True
    _place(walk, frame, built, spot)


def _lateral(walk: Walk, frame: Frame, node: exp.Lateral) -> list[Clause]:
    inner = node.args["this"]
    if isinstance(inner, exp.Subquery):
        alias, columns = _alias(node)
        _derived(walk, frame, node, inner, _Spot(alias, columns, JoinKind.LATERAL))
    else:
        _function(walk, frame, node, inner)
    return []


def _function(walk: Walk, frame: Frame, node: Node, call: Node) -> None:
    """UNNEST, VALUES, FLATTEN and other table functions: a source of its own, with arguments from those before it."""
    alias, columns = _alias(node)
    name = fold_name(type(call).__name__ if not isinstance(call, exp.Anonymous) else call.name)
    if isinstance(call, exp.Values):
        name = "(values)"
    for argument in call.args.get("expressions") or ():
        if isinstance(argument, exp.Expr) and name != "(values)":
            walk.expr(argument)
    this = call.args.get("this")
    if isinstance(this, exp.Expr) and not isinstance(this, exp.Identifier | exp.Table):
        walk.expr(this)
    key = frame.free_key(name)
    relation = Relation(alias or key, key, name, None)
    relation.kind = JoinKind.LATERAL
    if columns:
        relation.outputs = {column: Column(column, (key,)) for column in columns}
        relation.names = columns
        if len(columns) == 1 and not alias:
            relation.alias = columns[0]
    frame.add(relation)


def _place(walk: Walk, frame: Frame, built: Built, spot: _Spot) -> None:
    """Put a built query into the block, merged into it where it only selects and joins."""
    frame.level = max(frame.level, built.level)
    if built.placed:
        walk.copied += built.weight
    built.placed = True
    if walk.copied > MAX_COPIED or built.level > MAX_LEVEL:
        walk.note("query_too_complex", spot.alias, spot.span)
        built = Built(Select())
    spec = built.spec
    merged = built.plain and isinstance(spec, Select) and bool(spec.sources) and _mergeable(spec, spot.kind)
    relation = Relation(spot.alias, "" if merged else frame.free_key(QUERY), QUERY, spot.span)
    relation.kind = spot.kind
    if built.projections():
        relation.built = built
        if merged and isinstance(spec, Select):
            relation.inner = spec.sources
            relation.key = spec.sources[0].key
        _outputs(relation, built, spot.columns)
    frame.add(relation)


def _mergeable(spec: Select, kind: JoinKind) -> bool:
    if len(spec.sources) > MAX_SOURCES:
        return False
    if kind in (JoinKind.FROM, JoinKind.INNER, JoinKind.CROSS):
        return True
    if kind is JoinKind.LEFT:
        return len(spec.sources) == 1
    return len(spec.sources) == 1 and not spec.filters


def _outputs(relation: Relation, built: Built, columns: tuple[str, ...]) -> None:
    outputs: dict[str, Expr] = {}
    weights: dict[str, int] = {}
    names: list[str | None] = []
    for index, projection in enumerate(built.projections()):
        if type(projection.expr) is Star:
            continue
        name = columns[index] if index < len(columns) else projection.name
        names.append(name)
        if name is not None and name not in outputs:
            outputs[name] = projection.expr
            weights[name] = built.weights[index] if index < len(built.weights) else 1
    relation.outputs = outputs
    relation.weights = weights
    relation.names = tuple(names)
    relation.open = built.open
