"""What several rules ask of a query block: what ties its tables, and which side of a tie is one."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from stef.alignment.facts import Reach
from stef.question.words import name_stems
from stef.records.expressions import Agg, Binary, Column, Expr, Literal, Star, Subquery, Window
from stef.records.predicates import Op
from stef.records.record import record
from stef.records.spec import Join, Select
from stef.sql.trees import children

_KEY_WORDS = frozenset({"id", "key", "code", "uid", "uuid", "pk", "fk"})


@record(frozen=True, slots=True)
class Tie:
    """A join of two columns, as names tell: `one` is the side whose own key it is, `many` the side that names it."""

    one: Column
    many: Column


def table_of(key: str) -> str:
    """The table behind a source's key: without its schema and its number."""
    return key.rsplit(".", 1)[-1].split("#", 1)[0]


def source_of(column: Column) -> str | None:
    """The key of the one source that a column comes from; None where it can come from several."""
    return column.sources[0] if len(column.sources) == 1 else None


@lru_cache(maxsize=16_384)
def entity_of(name: str) -> tuple[str, ...] | None:
    """The stems of the entity that a key's name speaks of: `singer_id` → singer, `id` → (); None for no key."""
    stems = name_stems(name)
    if stems and stems[-1] in _KEY_WORDS:
        return stems[:-1]
    if len(stems) > 1 and stems[0] in _KEY_WORDS:
        return stems[1:]
    return None


@lru_cache(maxsize=16_384)
def own_key(column: str, table: str) -> bool:
    """Whether a column is by its name the key of its own table: `id`, `singer_id` of `singers`."""
    entity = entity_of(column)
    if entity is None:
        return False
    return not entity or "".join(entity) == "".join(name_stems(table))


def all_ops(expr: Expr) -> Iterator[str]:
    """The operators in an expression."""
    kind = type(expr)
    if kind is Binary:
        yield expr.op  # type: ignore[union-attr]
    if kind not in (Column, Literal):
        for part in children(expr):
            yield from all_ops(part)


def tie_of(join: Join) -> Tie | None:
    """The two sides of a join, where their names tell which is one; else None."""
    left, right = join.left, join.right
    if type(left) is not Column or type(right) is not Column:
        return None
    a, b = source_of(left), source_of(right)
    if a is None or b is None:
        return None
    own_left, own_right = own_key(left.name, table_of(a)), own_key(right.name, table_of(b))
    if own_left == own_right:
        return None
    return Tie(left, right) if own_left else Tie(right, left)


def unfit(a: Column, b: Column) -> bool:
    """Whether two keys name different entities: `bill_id` and `supplier_id`.

    Where one side only is its own table's key, the other may name it by a role (`manager_id`, `employee_id`); that
    fits, and any name fits a plain `id`.
    """
    if len(a.sources) != 1 or len(b.sources) != 1:
        return False
    table_a, table_b = table_of(a.sources[0]), table_of(b.sources[0])
    entity_a, entity_b = entity_of(a.name), entity_of(b.name)
    if not entity_a or not entity_b or table_a == table_b:
        return False
    if own_key(a.name, table_a) != own_key(b.name, table_b):
        return False
    return not set(entity_a) & set(entity_b)


def ties_of(block: Select) -> Iterator[Tie]:
    """The ties of a block."""
    for join in block.joins:
        tie = tie_of(join)
        if tie is not None:
            yield tie


def multiplied(block: Select) -> dict[str, Tie]:
    """The sources whose rows a join repeats: each is the one side of a tie, or sits behind such a side."""
    found: dict[str, Tie] = {}
    ties = list(ties_of(block))
    for tie in ties:
        found.setdefault(tie.one.sources[0], tie)
    for _ in ties:
        for tie in ties:
            many = tie.many.sources[0]
            if many in found and tie.one.sources[0] not in found:
                found[tie.one.sources[0]] = found[many]
    return found


def joined_pairs(blocks: Iterable[tuple[Select, Reach]]) -> Iterator[tuple[Column, Column]]:
    """The pairs of columns, each of one known source, that joins set equal."""
    for block, _ in blocks:
        for join in block.joins:
            left, right = join.left, join.right
            if type(left) is Column and type(right) is Column and len(left.sources) == len(right.sources) == 1:
                yield left, right


def queried_pairs(blocks: Iterable[tuple[Select, Reach]]) -> Iterator[tuple[Column, Column]]:
    """The pairs of columns of `x IN (SELECT y …)`, also negated, each of one known source."""
    for block, _ in blocks:
        for clause in block.filters:
            for predicate in clause.predicates:
                if predicate.op is not Op.IN_QUERY or not isinstance(predicate.other, Subquery):
                    continue
                query, subject = predicate.other.query, predicate.subject
                shown = query.projections[0].expr if isinstance(query, Select) and query.projections else None
                if type(subject) is not Column or type(shown) is not Column:
                    continue
                if len(subject.sources) == len(shown.sources) == 1:
                    yield subject, shown


def aggregates_in(expr: Expr) -> Iterator[Agg]:
    """Every aggregate of this block in `expr`, those under a window left out."""
    kind = type(expr)
    if kind is Agg:
        yield expr  # type: ignore[misc]
    elif kind not in (Column, Literal, Star, Subquery, Window):
        for part in children(expr):
            yield from aggregates_in(part)


def shown_aggregates(block: Select) -> Iterator[Agg]:
    """The aggregates in the output of a block."""
    for projection in block.projections:
        yield from aggregates_in(projection.expr)


def bare_columns(expr: Expr) -> Iterator[Column]:
    """The columns in `expr` that stand outside of every aggregate and window."""
    kind = type(expr)
    if kind is Column:
        yield expr  # type: ignore[misc]
    elif kind not in (Agg, Window, Literal):
        for part in children(expr):
            yield from bare_columns(part)


def whole_table(block: Select) -> bool:
    """Whether a block aggregates all of its rows into one."""
    if block.group_by or not block.projections:
        return False
    return any(True for _ in shown_aggregates(block))
