"""Queries inside expressions: scalar, IN, EXISTS."""

from dataclasses import replace

from stef.records.expressions import Column, Expr, Func, Opaque, Span, Subquery
from stef.records.predicates import Clause, Op, Predicate
from stef.records.spec import Projection, Select, Spec
from stef.sql.scopes import Frame, keys_of
from stef.sql.trees import aggregated, sources_of
from stef.sql.walk import MAX_DEPTH, SUBQUERY_DEPTH, Node, Walk


def read_subquery(walk: Walk, node: Node) -> Expr:
    """A query that stands for a value or a set.

    Sources that share their name with one of the query around it are kept apart only where the two meet, in a
    correlated subquery: so `(SELECT MAX(x) FROM t)` is the same everywhere.
    """
    if walk.depth + SUBQUERY_DEPTH > MAX_DEPTH:
        walk.note("query_too_complex")
        return Opaque("too_deep")
    frame = walk.frame
    env = frame.env if frame is not None else {}
    walk.depth += SUBQUERY_DEPTH
    notes = len(walk.notes)
    try:
        avoid = frame.taken() if frame is not None and frame.avoid else frozenset()
        built = walk.dispatch.query(walk, node, env, avoid)
        if built.correlated and not avoid and frame is not None:
            around = _around(frame)
            if not around.isdisjoint(keys_of(built.spec)):
                del walk.notes[notes:]
                built = walk.dispatch.query(walk, node, env, around)
    finally:
        walk.frame = frame
        walk.depth -= SUBQUERY_DEPTH
    return Subquery(built.spec, built.correlated)


def _around(frame: Frame) -> frozenset[str]:
    keys: set[str] = set()
    block: Frame | None = frame
    while block is not None:
        keys |= block.taken()
        block = block.parent
    return frozenset(keys)


def scalar(query: Spec) -> bool:
    """Whether a query surely gives one row: an aggregate of everything, or LIMIT 1."""
    if not isinstance(query, Select):
        return False
    if query.limit == 1:
        return True
    return not query.group_by and len(query.projections) == 1 and aggregated(query.projections[0].expr)


def without_null_test(walk: Walk, other: Subquery, span: Span | None) -> Subquery:
    """The query of a NOT IN without the test that keeps NULLs out of it; a note where there is no such test."""
    query = other.query
    if not isinstance(query, Select) or len(query.projections) != 1:
        return other
    subject = query.projections[0].expr
    kept = tuple(clause for clause in query.filters if not _keeps_null_out(clause, subject))
    if len(kept) < len(query.filters):
        return Subquery(replace(query, filters=kept), other.correlated)
    if type(subject) is Column and not _required(walk, subject) and not _tested(query, subject):
        walk.note("not_in_nullable_subquery", subject.name, span)
    return other


def _keeps_null_out(clause: Clause, subject: Expr) -> bool:
    predicate = clause.predicates[0]
    return (
        len(clause.predicates) == 1 and predicate.op is Op.NULL and predicate.negated and predicate.subject == subject
    )


def _required(walk: Walk, column: Column) -> bool:
    if walk.schema is None or len(column.sources) != 1:
        return False
    table = walk.schema.table(column.sources[0].partition("#")[0], "")
    return table is not None and column.name in table.required


def _tested(query: Select, subject: Expr) -> bool:
    return (
        any(
            len(clause.predicates) == 1
            and clause.predicates[0].subject == subject
            and clause.predicates[0].op is not Op.NULL
            for clause in query.filters
        )
        or subject in query.group_by
    )


def exists(other: Subquery, negated: bool, span: Span | None) -> Predicate:
    """EXISTS: with correlated equalities it is IN."""
    query = other.query
    if other.correlated and isinstance(query, Select) and not query.group_by and query.limit in (None, 1):
        own = keys_of(query)
        pairs: list[tuple[Expr, Expr]] = []
        kept: list[Clause] = []
        for clause in query.filters:
            pair = _correlated(clause, own)
            if pair is None:
                kept.append(clause)
            else:
                pairs.append(pair)
        if pairs:
            outer = pairs[0][0] if len(pairs) == 1 else Func("ROW", tuple(pair[0] for pair in pairs))
            inner = pairs[0][1] if len(pairs) == 1 else Func("ROW", tuple(pair[1] for pair in pairs))
            block = replace(
                query,
                projections=(Projection(inner),),
                distinct=False,
                filters=tuple(kept),
                order=(),
                limit=None,
                tops=(),
            )
            still = any(_foreign(clause, own) for clause in kept)
            return Predicate(outer, Op.IN_QUERY, negated, other=Subquery(block, still), span=span)
    if isinstance(query, Select):
        query = replace(query, projections=(), distinct=False, order=())
    plain = Subquery(query, other.correlated)
    return Predicate(plain, Op.EXISTS, negated, other=plain, span=span)


def _correlated(clause: Clause, own: set[str]) -> tuple[Expr, Expr] | None:
    """The outer and the inner side of an equality between the two queries."""
    if len(clause.predicates) != 1:
        return None
    predicate = clause.predicates[0]
    if predicate.op is not Op.COMPARE or predicate.comparator != "=" or predicate.other is None:
        return None
    left, right = sources_of(predicate.subject), sources_of(predicate.other)
    if left and right and left <= own and right.isdisjoint(own):
        return predicate.other, predicate.subject
    if left and right and right <= own and left.isdisjoint(own):
        return predicate.subject, predicate.other
    return None


def _foreign(clause: Clause, own: set[str]) -> bool:
    for predicate in clause.predicates:
        keys = sources_of(predicate.subject)
        if predicate.other is not None:
            keys |= sources_of(predicate.other)
        if keys and not keys <= own:
            return True
    return False
