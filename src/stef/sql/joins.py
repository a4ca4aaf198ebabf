"""Joins: equalities between sources, wherever they stood; outer joins that WHERE undoes; anti-joins."""

from stef.records.expressions import Expr, Func, Subquery
from stef.records.predicates import Clause, Op, Predicate, Scope
from stef.records.spec import Join, JoinKind, Projection, Select, Source
from stef.sql.scopes import Frame, Relation
from stef.sql.trees import columns, contains, sources_of
from stef.sql.walk import Walk

_OUTER = (JoinKind.LEFT, JoinKind.RIGHT, JoinKind.FULL)
_INNER_OR_LEFT = (JoinKind.FROM, JoinKind.INNER, JoinKind.LEFT)


def owners(frame: Frame) -> dict[str, Relation]:
    """The relation of the block that each source key belongs to."""
    found: dict[str, Relation] = {}
    for relation in frame.relations:
        for key in relation.source_keys():
            found[key] = relation
        if relation.built is not None and not relation.inner:
            for key in relation.built.source_keys():
                found.setdefault(key, relation)
    return found


def extract(frame: Frame, clauses: list[Clause]) -> tuple[list[Join], list[Clause]]:
    """The joins among `clauses`, and what is left."""
    if len(frame.relations) < 2:
        return [], clauses
    by_key = owners(frame)
    joins: list[Join] = []
    kept: list[Clause] = []
    for clause in clauses:
        join = _join(clause, by_key)
        if join is None:
            kept.append(clause)
            continue
        joins.append(join)
        for side in (join.left, join.right):
            for column in columns(side):
                for key in column.sources:
                    relation = by_key.get(key)
                    if relation is not None:
                        relation.uses -= 1
                        relation.joined += 1
    return joins, kept


def _join(clause: Clause, by_key: dict[str, Relation]) -> Join | None:
    if len(clause.predicates) != 1:
        return None
    predicate = clause.predicates[0]
    if predicate.op is not Op.COMPARE or predicate.comparator != "=" or predicate.other is None:
        return None
    left, right = sources_of(predicate.subject), sources_of(predicate.other)
    if not left or not right or not by_key.keys() >= left | right:
        return None
    sure = left.isdisjoint(right) and _one(left, by_key) and _one(right, by_key)
    if not sure and (clause.scope is Scope.WHERE or not _may_join(left, right)):
        return None
    if sure and _one(left | right, by_key):
        return None
    kind = JoinKind.INNER
    if clause.scope is Scope.OUTER_JOIN:
        kind = next((by_key[key].kind for key in (*right, *left) if by_key[key].kind in _OUTER), JoinKind.INNER)
    return Join(predicate.subject, predicate.other, kind)


def _one(keys: set[str], by_key: dict[str, Relation]) -> bool:
    return len({id(by_key[key]) for key in keys}) == 1


def _may_join(left: set[str], right: set[str]) -> bool:
    """Whether two sides with names of unknown origin can come from different sources."""
    return len(left | right) > 1


def sources(frame: Frame, joins: list[Join]) -> tuple[Source, ...]:
    """The sources of a block in canonical order: sorted, where only inner joins tie them together."""
    found: list[Source] = []
    outer = any(relation.kind in _OUTER for relation in frame.relations)
    for relation in frame.relations:
        if relation.inner:
            for index, source in enumerate(relation.inner):
                kind = relation.kind if index == 0 else JoinKind.INNER if source.kind is JoinKind.FROM else source.kind
                found.append(Source(source.key, source.table, kind, source.query, source.span))
        else:
            query = relation.built.spec if relation.built is not None else None
            found.append(Source(relation.key, relation.table, relation.kind, query, relation.span))
    if len(found) == 1:
        source = found[0]
        return (
            source
            if source.kind is JoinKind.FROM
            else Source(source.key, source.table, JoinKind.FROM, source.query, source.span),
        )
    if not outer and not any(source.kind in _OUTER for source in found):
        found.sort(key=lambda source: (source.kind is JoinKind.LATERAL, source.key))
        return tuple(_as(source, index) for index, source in enumerate(found))
    if len(found) == 2 and found[1].kind is JoinKind.RIGHT:
        first, second = found
        found = [
            Source(second.key, second.table, JoinKind.FROM, second.query, second.span),
            Source(first.key, first.table, JoinKind.LEFT, first.query, first.span),
        ]
        joins[:] = [Join(join.left, join.right, JoinKind.LEFT) for join in joins]
    return tuple(
        Source(
            source.key,
            source.table,
            JoinKind.INNER if source.kind is JoinKind.CROSS else source.kind,
            source.query,
            source.span,
        )
        for source in found
    )


def _as(source: Source, index: int) -> Source:
    kind = JoinKind.FROM if index == 0 else source.kind
    if index and kind in (JoinKind.CROSS, JoinKind.FROM):
        kind = JoinKind.INNER
    return source if kind is source.kind else Source(source.key, source.table, kind, source.query, source.span)


def undo_outer(walk: Walk, frame: Frame, clauses: list[Clause], joins: list[Join]) -> list[Join]:
    """A LEFT JOIN whose rows without a partner WHERE throws away is an inner join; a note says so."""
    changed: set[str] = set()
    for relation in frame.relations:
        if relation.kind is not JoinKind.LEFT:
            continue
        keys = set(relation.source_keys())
        for clause in clauses:
            if clause.scope is Scope.WHERE and all(_rejects_null(predicate, keys) for predicate in clause.predicates):
                walk.note("left_join_undone", relation.table, clause.span)
                relation.kind = JoinKind.INNER
                changed |= keys
                break
    if not changed:
        return joins
    return [
        Join(join.left, join.right, JoinKind.INNER)
        if join.kind is JoinKind.LEFT and (sources_of(join.left) & changed or sources_of(join.right) & changed)
        else join
        for join in joins
    ]


def _rejects_null(predicate: Predicate, keys: set[str]) -> bool:
    if predicate.op is Op.NULL:
        wanted = predicate.negated
    elif predicate.op in (Op.IN, Op.RANGE, Op.LIKE, Op.COMPARE, Op.IN_QUERY):
        wanted = not any(value.value is None for value in predicate.values)
    else:
        return False
    if not wanted or contains(predicate.subject, Func):
        return False
    sides = [sources_of(predicate.subject)]
    if predicate.op is Op.COMPARE and predicate.other is not None and type(predicate.other) is not Subquery:
        sides.append(sources_of(predicate.other))
    return any(bool(side) and side <= keys for side in sides)


def anti_joins(walk: Walk, frame: Frame, clauses: list[Clause], joins: list[Join]) -> tuple[list[Clause], list[Join]]:
    """`LEFT JOIN s … WHERE s.key IS NULL` as NOT IN, where nothing else of `s` is used."""
    for relation in list(frame.relations):
        if relation.kind is not JoinKind.LEFT or len(frame.relations) < 2:
            continue
        keys = set(relation.source_keys())
        null = next((clause for clause in clauses if _is_null_of(clause, keys)), None)
        if null is None:
            continue
        own = [join for join in joins if sources_of(join.left) & keys or sources_of(join.right) & keys]
        if len(own) != 1 or relation.uses > 1:
            walk.note("anti_join", relation.table, null.span)
            continue
        left, right = own[0].left, own[0].right
        outer, inner = (left, right) if sources_of(right) <= keys else (right, left)
        if not sources_of(inner) <= keys or sources_of(outer) & keys:
            continue
        walk.note("anti_join", relation.table, null.span)
        inside = [clause for clause in clauses if clause.scope is Scope.OUTER_JOIN and _within(clause, keys)]
        query = _inner_query(relation, inner, inside)
        predicate = Predicate(outer, Op.IN_QUERY, True, other=Subquery(query), span=null.span)
        clauses = [clause for clause in clauses if clause is not null and clause not in inside]
        clauses.append(Clause((predicate,), Scope.WHERE, null.span))
        joins = [join for join in joins if join is not own[0]]
        frame.relations.remove(relation)
    return clauses, joins


def _inner_query(relation: Relation, inner: Expr, inside: list[Clause]) -> Select:
    if relation.inner and relation.built is not None and isinstance(relation.built.spec, Select):
        block = relation.built.spec
        filters = (*block.filters, *(Clause(clause.predicates, Scope.WHERE, clause.span) for clause in inside))
        return Select((Projection(inner),), sources=block.sources, joins=block.joins, filters=filters)
    query = relation.built.spec if relation.built is not None else None
    source = Source(relation.key, relation.table, JoinKind.FROM, query, relation.span)
    filters = tuple(Clause(clause.predicates, Scope.WHERE, clause.span) for clause in inside)
    return Select((Projection(inner),), sources=(source,), filters=filters)


def _is_null_of(clause: Clause, keys: set[str]) -> bool:
    if len(clause.predicates) != 1 or clause.scope is not Scope.WHERE:
        return False
    predicate = clause.predicates[0]
    found = sources_of(predicate.subject)
    return predicate.op is Op.NULL and not predicate.negated and bool(found) and found <= keys


def _within(clause: Clause, keys: set[str]) -> bool:
    return all(sources_of(predicate.subject) <= keys for predicate in clause.predicates)


class _Groups:
    """Which relations are tied to each other, directly or through others."""

    __slots__ = ("_parents",)

    def __init__(self, relations: list[Relation]) -> None:
        self._parents = {id(relation): id(relation) for relation in relations}

    def root(self, item: int) -> int:
        """What stands for the group of a relation."""
        parents = self._parents
        while parents[item] != item:
            parents[item] = parents[parents[item]]
            item = parents[item]
        return item

    def unite(self, first: int, second: int) -> None:
        """Make two relations' groups one."""
        self._parents[self.root(second)] = self.root(first)

    def tie(self, by_key: dict[str, Relation], keys: set[str]) -> None:
        """Tie the relations that `keys` belong to."""
        ids = [id(by_key[key]) for key in keys if key in by_key]
        for other in ids[1:]:
            self.unite(ids[0], other)


def note_sources(walk: Walk, frame: Frame, clauses: list[Clause], joins: list[Join], *, starred: bool) -> None:
    """Note sources that nothing ties to the others, and joined ones that nothing uses."""
    relations = frame.relations
    if len(relations) < 2:
        return
    by_key = owners(frame)
    groups = _Groups(relations)
    for join in joins:
        groups.tie(by_key, sources_of(join.left) | sources_of(join.right))
    for clause in clauses:
        groups.tie(by_key, {key for predicate in clause.predicates for key in _predicate_sources(predicate)})
    for relation in relations[1:]:
        if relation.natural or relation.kind is JoinKind.LATERAL:
            groups.unite(id(relations[0]), id(relation))
    loose = {groups.root(id(relation)) for relation in relations if not _single_row(relation)}
    if len(loose) > 1:
        walk.note("cartesian_product", ", ".join(sorted(relation.table for relation in relations)))
    if not starred:
        _note_unused(walk, relations)


def _note_unused(walk: Walk, relations: list[Relation]) -> None:
    used = any(relation.uses > 0 for relation in relations)
    for relation in relations:
        if used and relation.uses <= 0 and relation.joined == 1 and relation.kind in _INNER_OR_LEFT:
            table = relation.inner[0].table if relation.inner else relation.table
            walk.note("unused_join", table, relation.span)


def _predicate_sources(predicate: Predicate) -> set[str]:
    keys = sources_of(predicate.subject)
    if predicate.other is not None:
        keys |= sources_of(predicate.other)
    return keys


def _single_row(relation: Relation) -> bool:
    spec = relation.built.spec if relation.built is not None else None
    if not isinstance(spec, Select):
        return False
    return not spec.group_by and (spec.limit == 1 or (not relation.inner and not spec.distinct and spec.limit is None))
