"""Top-k: from ROW_NUMBER and RANK, from a maximum over a partition, from `= (SELECT MAX …)`."""

from stef.records.expressions import Agg, Expr, Func, Literal, Subquery, Window
from stef.records.predicates import Clause, Op, Predicate
from stef.records.spec import Order, Select, Source, TopK
from stef.sql.trees import contains
from stef.sql.walk import Walk

_RANKS = frozenset({"ROW_NUMBER", "RANK", "DENSE_RANK"})


def from_windows(clauses: list[Clause]) -> tuple[list[TopK], list[Clause]]:
    """Top-ks that tests on window functions mean, and the other clauses."""
    tops: list[TopK] = []
    kept: list[Clause] = []
    for clause in clauses:
        top = _ranked(clause.predicates[0]) if len(clause.predicates) == 1 else None
        if top is None:
            kept.append(clause)
        else:
            tops.append(top)
    return tops, kept


def _ranked(predicate: Predicate) -> TopK | None:
    subject = predicate.subject
    if predicate.op is Op.COMPARE and predicate.comparator == "=" and predicate.other is not None:
        return _at_extreme(subject, predicate.other, predicate) or _at_extreme(predicate.other, subject, predicate)
    if type(subject) is not Window or type(subject.func) is not Func or subject.func.name not in _RANKS:
        return None
    k = first_ranks(predicate)
    if k is None or not subject.order:
        return None
    return TopK(k, subject.order, subject.partition, subject.func.name != "ROW_NUMBER", predicate.span)


def first_ranks(predicate: Predicate) -> int | None:
    """k of `rank = 1`, `rank <= k`; None for another test."""
    if predicate.op is Op.IN and not predicate.negated:
        numbers = sorted(value.value for value in predicate.values if type(value.value) is int)
        return len(numbers) if numbers == list(range(1, len(predicate.values) + 1)) else None
    if predicate.op is not Op.RANGE or predicate.interval is None or predicate.interval.high is None:
        return None
    high, low = predicate.interval.high, predicate.interval.low
    if type(high.value) is not int:
        return None
    if low is not None and (type(low.value) is not int or low.value + (not low.inclusive) > 1):
        return None
    return high.value if high.inclusive else high.value - 1


def _at_extreme(window: Expr, value: Expr, predicate: Predicate) -> TopK | None:
    """`x = MAX(x) OVER (PARTITION BY p)`."""
    if type(window) is not Window or type(window.func) is not Agg or window.order:
        return None
    func = window.func
    if func.name not in ("MAX", "MIN") or func.arg != value:
        return None
    return TopK(1, (Order(value, func.name == "MAX"),), window.partition, True, predicate.span)


def from_extremes(walk: Walk, block: Select) -> Select:
    """`x = (SELECT MAX(x) FROM the same)` as a top-k with ties.

    Where the inner query looks at other rows than the outer one, the comparison stays beside it.
    """
    tops: list[TopK] = []
    kept: list[Clause] = []
    for clause in block.filters:
        predicate = clause.predicates[0]
        found = _extreme(predicate) if len(clause.predicates) == 1 else None
        if found is None:
            kept.append(clause)
            continue
        descending, query = found
        others = tuple(item for item in block.filters if item is not clause)
        same = _same_rows(block, others, query, predicate.subject)
        if same is None:
            kept.append(clause)
            continue
        walk.note("top_by_subquery", "", predicate.span)
        tops.append(TopK(1, (Order(predicate.subject, descending),), (), True, predicate.span))
        if not same:
            kept.append(clause)
    if not tops:
        return block
    return Select(
        block.projections,
        block.distinct,
        block.sources,
        block.joins,
        tuple(kept),
        block.group_by,
        block.order,
        block.limit,
        block.offset,
        (*block.tops, *tops),
    )


def _extreme(predicate: Predicate) -> tuple[bool, Select] | None:
    """Whether the predicate asks for the largest (True) or smallest (False) of a query, and that query."""
    other = predicate.other
    if predicate.op is not Op.COMPARE or predicate.comparator not in ("=", "<=", ">="):
        return None
    if type(other) is Func and other.name == "ALL" and predicate.comparator != "=":
        inner = other.args[0]
        if type(inner) is Subquery and isinstance(inner.query, Select) and not inner.correlated:
            query = inner.query
            if len(query.projections) == 1 and _alike(query.projections[0].expr, predicate.subject):
                return predicate.comparator == ">=", query
        return None
    if type(other) is not Subquery or other.correlated or not isinstance(other.query, Select):
        return None
    query = other.query
    if len(query.projections) != 1 or predicate.comparator != "=":
        return None
    expr = query.projections[0].expr
    if type(expr) is Agg and expr.name in ("MAX", "MIN") and expr.arg is not None and not expr.filter:
        return (expr.name == "MAX", query) if _alike(expr.arg, predicate.subject) else None
    if query.limit == 1 and len(query.order) == 1 and not query.offset and _alike(expr, predicate.subject):
        return (query.order[0].descending, query) if _alike(query.order[0].expr, predicate.subject) else None
    return None


def _alike(left: Expr, right: Expr) -> bool:
    from stef.sql.compare import compatible  # noqa: PLC0415

    return compatible(left, right)


def _same_rows(block: Select, others: tuple[Clause, ...], query: Select, subject: Expr) -> bool | None:
    """Whether the inner query looks at the rows of the outer one; False: at other rows; None: at other tables."""
    inner = query
    if len(query.sources) == 1 and isinstance(query.sources[0].query, Select):
        # SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM t GROUP BY g)
        inner = query.sources[0].query
    if not _tables(inner.sources) <= _tables(block.sources):
        return None
    grouped = contains(subject, Agg)
    if grouped and len(inner.group_by) != len(block.group_by):
        return None
    if len(inner.filters) != len(others) or len(inner.sources) != len(block.sources):
        return not others and not inner.filters
    from stef.sql.compare import same_clauses  # noqa: PLC0415

    return same_clauses(inner.filters, others)


def _tables(found: tuple[Source, ...]) -> set[str]:
    return {source.table for source in found}


def limited(order: tuple[Order, ...], limit: int | None) -> tuple[TopK, ...]:
    """The top-k that ORDER BY and LIMIT mean."""
    return (TopK(limit, order),) if limit is not None and order else ()


def constant(expr: Expr) -> bool:
    """Whether an expression is a constant."""
    return type(expr) is Literal
