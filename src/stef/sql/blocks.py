"""Query blocks: the parts of a SELECT put together in canonical form."""

from stef.records.expressions import Agg, Expr, Literal, Star
from stef.records.predicates import Clause, Op, Predicate, Scope
from stef.records.spec import Join, JoinKind, Order, Projection, Select, Source, TopK
from stef.sql import joins, times, tops
from stef.sql.logic import conjoin
from stef.sql.scopes import Built, Frame, Relation
from stef.sql.trees import clause_key, sort_key
from stef.sql.walk import Walk

MAX_FILTERS = 256
"""Clauses that one block keeps."""


class Block:
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


def finish(walk: Walk, block: Block, clauses: list[Clause]) -> Built:
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
    sources = joins.sources(frame, found)
    filters = canonical(walk, clauses)
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


def canonical(walk: Walk, clauses: list[Clause]) -> tuple[Clause, ...]:
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


def _distinct_grouping(walk: Walk, block: Block) -> None:
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


def _counted(walk: Walk, block: Block) -> None:
    if not any(relation.kind is JoinKind.LEFT for relation in block.frame.relations):
        return
    for item in block.projections:
        expr = item.expr
        if type(expr) is Agg and expr.name == "COUNT" and expr.arg is None and not expr.filter:
            walk.note("count_star_left_join", "", item.span)
