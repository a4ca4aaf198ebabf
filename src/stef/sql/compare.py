"""Whether two canonical expressions, predicates or queries mean the same.

Columns are compared by compatibility: the same name, and a source in common (a column of unknown origin fits any). A
self-join's instances may be numbered in another order on the other side: `same_spec` tries the few orders there are.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import permutations
from typing import Any, TypeVar

from stef.records.expressions import (
    Agg,
    Binary,
    Case,
    Column,
    Expr,
    Func,
    Literal,
    Opaque,
    Phrase,
    Relative,
    Star,
    Subquery,
    Value,
    Window,
)
from stef.records.predicates import Bound, Clause, Interval, Op, PatternKind, Predicate, Scope
from stef.records.spec import Join, JoinKind, Order, Projection, Select, SetOp, Source, Spec, TopK
from stef.sql.intervals import comparable, distance, intersect, point, whole_number
from stef.sql.literals import number, parse_moment

Renaming = Mapping[str, str]
_NONE: Renaming = {}
_T = TypeVar("_T")
MAX_ORDERS = 24
_SYMMETRIC = frozenset({"+", "*"})


def compatible(a: Expr, b: Expr) -> bool:
    """Whether two expressions can be the same: columns by name and common sources, the rest part by part."""
    return _expr(a, b, _NONE)


def _expr(a: Expr, b: Expr, names: Renaming) -> bool:  # noqa: C901 - one case a kind
    if type(a) is not type(b):
        return False
    match a, b:
        case Column(), Column():
            return a.name == b.name and _sources(a.sources, b.sources, names)
        case Literal(), Literal():
            return same_value(a, b)
        case Phrase(), Phrase():
            return a.stems == b.stems
        case Star(), Star():
            return _sources(a.sources, b.sources, names)
        case Func(), Func():
            return a.name == b.name and _pairs(a.args, b.args, names)
        case Binary(), Binary():
            return a.op == b.op and _operands(a, b, names)
        case Agg(), Agg():
            return (
                a.name == b.name
                and (a.distinct == b.distinct or a.name in ("MAX", "MIN"))
                and _optional(a.arg, b.arg, names)
                and _clauses(a.filter, b.filter, names)
            )
        case Window(), Window():
            return (
                _expr(a.func, b.func, names)
                and _unordered(a.partition, b.partition, lambda x, y: _expr(x, y, names))
                and _orders(a.order, b.order, names)
            )
        case Case(), Case():
            return (
                len(a.whens) == len(b.whens)
                and all(
                    _clauses(x[0], y[0], names) and _expr(x[1], y[1], names)
                    for x, y in zip(a.whens, b.whens, strict=True)
                )
                and _optional(a.otherwise, b.otherwise, names)
            )
        case Subquery(), Subquery():
            return _spec(a.query, b.query, names)
        case Opaque(), Opaque():
            return a.text == b.text and _pairs(a.parts, b.parts, names)
    return False


def _sources(a: tuple[str, ...], b: tuple[str, ...], names: Renaming) -> bool:
    if not a or not b or (a == b and not names):
        return True
    if not names:
        return not set(a).isdisjoint(b)
    return any(names.get(key, key) in b for key in a)


def _pairs(a: Sequence[Expr], b: Sequence[Expr], names: Renaming) -> bool:
    return len(a) == len(b) and all(_expr(x, y, names) for x, y in zip(a, b, strict=True))


def _optional(a: Expr | None, b: Expr | None, names: Renaming) -> bool:
    if a is None or b is None:
        return a is b
    return _expr(a, b, names)


def _operands(a: Binary, b: Binary, names: Renaming) -> bool:
    if _expr(a.left, b.left, names) and _expr(a.right, b.right, names):
        return True
    if a.op not in _SYMMETRIC:
        return False
    return _unordered(_flat(a), _flat(b), lambda x, y: _expr(x, y, names))


def _flat(expr: Expr) -> list[Expr]:
    if type(expr) is not Binary:
        return [expr]
    op = expr.op
    found: list[Expr] = []
    stack: list[Expr] = [expr]
    while stack:
        item = stack.pop()
        if type(item) is Binary and item.op == op:
            stack.append(item.right)
            stack.append(item.left)
        else:
            found.append(item)
    return found


def _unordered(a: Iterable[_T], b: Iterable[_T], same: Callable[[_T, _T], bool]) -> bool:
    """Whether each item of `a` has a partner of its own in `b`, and none is left."""
    left, right = list(a), list(b)
    if len(left) != len(right):
        return False
    for item in left:
        index = next((i for i, other in enumerate(right) if same(item, other)), None)
        if index is None:
            return False
        del right[index]
    return True


def same_value(a: Literal, b: Literal) -> bool:
    """Whether two constants are the same value; '9' and 9 are, a date is its ISO text."""
    if a.value == b.value:
        return isinstance(a.value, bool) == isinstance(b.value, bool) or a.value in (0, 1)
    return bool(_plain_value(a) == _plain_value(b))


def _plain_value(literal: Literal) -> Any:
    value = literal.value
    if isinstance(value, str):
        moment = parse_moment(literal.text or value)
        return moment[0] if moment is not None else number(value)
    if isinstance(value, Relative):
        return distance(value)
    return value


def same_predicate(a: Predicate, b: Predicate) -> bool:
    """Whether two predicates on compatible subjects mean the same."""
    return _predicate(a, b, _NONE)


def _predicate(a: Predicate, b: Predicate, names: Renaming) -> bool:
    if a.op is not b.op:
        return _single(a, b, names)
    if a.negated != b.negated:
        return _opposite_truth(a, b, names)
    if a.op is Op.COMPARE:
        return _comparison(a, b, names)
    if not _expr(a.subject, b.subject, names):
        return False
    match a.op:
        case Op.IN:
            return _values(a.values, b.values)
        case Op.RANGE:
            return _interval(a.interval, b.interval, a.subject)
        case Op.LIKE:
            return a.pattern == b.pattern
        case Op.NULL | Op.HOLDS:
            return True
        case Op.IN_QUERY | Op.EXISTS:
            return _optional(a.other, b.other, names)
    return False


def _opposite_truth(a: Predicate, b: Predicate, names: Renaming) -> bool:
    """`flag IN {True}` is `flag NOT IN {False}`."""
    if a.op is not Op.IN or len(a.values) != 1 or len(b.values) != 1:
        return False
    first, second = a.values[0].value, b.values[0].value
    if not (isinstance(first, bool) and isinstance(second, bool)):
        return False
    return first != second and _expr(a.subject, b.subject, names)


def _comparison(a: Predicate, b: Predicate, names: Renaming) -> bool:
    if a.other is None or b.other is None:
        return False
    if a.comparator == b.comparator and _expr(a.subject, b.subject, names) and _expr(a.other, b.other, names):
        return True
    flipped = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
    return (
        flipped.get(a.comparator or "") == b.comparator
        and _expr(a.subject, b.other, names)
        and _expr(a.other, b.subject, names)
    )


def _single(a: Predicate, b: Predicate, names: Renaming) -> bool:
    """A range that holds one whole number, or one day, and the set of that one value."""
    if a.op is Op.RANGE and b.op is Op.IN:
        a, b = b, a
    if a.op is not Op.IN or b.op is not Op.RANGE or a.negated or b.interval is None:
        return False
    if not _expr(a.subject, b.subject, names):
        return False
    only = point(b.interval)
    if only is not None:
        return len(a.values) == 1 and same_value(a.values[0], only)
    whole = _whole_numbers(b.interval)
    if whole is None:
        return False
    numbers = {_plain_value(value) for value in a.values}
    return len(numbers) == len(whole) and numbers == set(whole)


def _whole_numbers(interval: Interval) -> range | None:
    """The whole numbers of a bounded interval between whole numbers; an inclusive interval counts as one of those."""
    single = whole_number(interval)
    if single is not None:
        return range(single, single + 1)
    low, high = interval.low, interval.high
    if low is None or high is None or type(low.value) is not int or type(high.value) is not int:
        return None
    first = low.value if low.inclusive else low.value + 1
    last = high.value if high.inclusive else high.value - 1
    return range(first, last + 1) if 0 < last - first < 100_000 else None


def _values(a: tuple[Literal, ...], b: tuple[Literal, ...]) -> bool:
    if len(a) != len(b):
        return False
    if len(a) == 1:
        return same_value(a[0], b[0])
    return {_plain_value(value) for value in a} == {_plain_value(value) for value in b}


def _interval(a: Interval | None, b: Interval | None, subject: Expr) -> bool:
    if a is None or b is None:
        return a is b
    whole = _is_whole(subject)
    if _bound(a.low, b.low, 1 if whole else 0) and _bound(a.high, b.high, -1 if whole else 0):
        return True
    first, second = whole_number(a), whole_number(b)
    return first is not None and first == second


def _is_whole(subject: Expr) -> bool:
    if type(subject) is Agg:
        return subject.name == "COUNT"
    return type(subject) is Func and subject.name in ("YEAR", "MONTH", "DAY", "QUARTER", "LENGTH", "WEEKDAY")


def _bound(a: Bound | None, b: Bound | None, step: int) -> bool:
    if a is None or b is None:
        return a is b
    left, right = _end(a, step), _end(b, step)
    return left == right


def _end(bound: Bound, step: int) -> tuple[Any, bool]:
    """An end by value; of whole numbers `> 8` and `>= 9` are the same end."""
    value = bound.value
    if isinstance(value, Relative):
        return distance(value), bound.inclusive
    if isinstance(value, str):
        value = number(value)
    if step and type(value) is int and not bound.inclusive:
        return value + step, True
    return value, bound.inclusive


def same_clauses(a: Sequence[Clause], b: Sequence[Clause]) -> bool:
    """Whether two conjunctions hold the same clauses, in any order."""
    return _clauses(a, b, _NONE)


def _clauses(a: Sequence[Clause], b: Sequence[Clause], names: Renaming) -> bool:
    return _unordered(a, b, lambda x, y: _clause(x, y, names))


def _clause(a: Clause, b: Clause, names: Renaming) -> bool:
    if (a.scope is Scope.OUTER_JOIN) != (b.scope is Scope.OUTER_JOIN):
        return False
    return _unordered(a.predicates, b.predicates, lambda x, y: _predicate(x, y, names))


def implies(a: Clause, b: Clause) -> bool:
    """Whether every row that satisfies `a` surely satisfies `b`."""
    return all(any(predicate_implies(mine, other) for other in b.predicates) for mine in a.predicates)


def predicate_implies(a: Predicate, b: Predicate) -> bool:
    """Whether every row that satisfies `a` surely satisfies `b`."""
    if same_predicate(a, b):
        return True
    if not compatible(a.subject, b.subject):
        return False
    if b.op is Op.NULL and b.negated:
        return a.op in (Op.IN, Op.RANGE, Op.LIKE, Op.COMPARE, Op.IN_QUERY) and not _allows_null(a)
    if a.op is Op.IN and not a.negated:
        return all(_satisfies(value, b) for value in a.values)
    if a.op is Op.IN and b.op is Op.IN and b.negated:
        return {_plain_value(value) for value in b.values} <= {_plain_value(value) for value in a.values}
    if a.op is Op.RANGE and a.interval is not None:
        return _range_implies(a.interval, b)
    if a.op is Op.LIKE and b.op is Op.LIKE and not a.negated and not b.negated:
        return _pattern_implies(a, b)
    return False


def _allows_null(predicate: Predicate) -> bool:
    return any(value.value is None for value in predicate.values)


def _range_implies(interval: Interval, b: Predicate) -> bool:
    if b.op is Op.RANGE and b.interval is not None:
        both = intersect(interval, b.interval)
        return both is not None and _bound(both.low, interval.low, 0) and _bound(both.high, interval.high, 0)
    if b.op is Op.IN and b.negated:
        return all(not _inside(value, interval) and _known(value, interval) for value in b.values)
    if b.op is Op.IN:
        whole = _whole_numbers(interval)
        return whole is not None and set(whole) <= {_plain_value(value) for value in b.values}
    return False


def _known(value: Literal, interval: Interval) -> bool:
    ends = [bound.value for bound in (interval.low, interval.high) if bound is not None]
    return all(comparable(_comparand(value, end), end) for end in ends)


def _comparand(value: Literal, end: Value) -> Value:
    plain = _plain_value(value)
    if isinstance(end, str):
        return str(value.value) if isinstance(value.value, str) else None
    return plain if isinstance(plain, int | float | datetime) else None


def _inside(value: Literal, interval: Interval) -> bool:
    for bound, sign in ((interval.low, 1), (interval.high, -1)):
        if bound is None:
            continue
        mine = _comparand(value, bound.value)
        if mine is None or not comparable(mine, bound.value):
            return False
        if mine == bound.value:
            if not bound.inclusive:
                return False
        elif (mine > bound.value) != (sign > 0):  # type: ignore[operator]
            return False
    return True


def _satisfies(value: Literal, b: Predicate) -> bool:
    match b.op:
        case Op.IN:
            return any(same_value(value, other) for other in b.values) != b.negated
        case Op.RANGE:
            return b.interval is not None and _inside(value, b.interval)
        case Op.LIKE:
            return b.pattern is not None and isinstance(value.value, str) and _matches(value.value, b) != b.negated
        case _:
            return False


def _matches(text: str, b: Predicate) -> bool:
    if b.pattern is None:
        return False
    match b.pattern.kind:
        case PatternKind.PREFIX:
            return text.startswith(b.pattern.text)
        case PatternKind.SUFFIX:
            return text.endswith(b.pattern.text)
        case PatternKind.CONTAINS:
            return b.pattern.text in text
        case _:
            return b.negated


def _pattern_implies(a: Predicate, b: Predicate) -> bool:
    if a.pattern is None or b.pattern is None or a.pattern.kind in (PatternKind.WILDCARD, PatternKind.REGEX):
        return False
    if b.pattern.kind is PatternKind.CONTAINS:
        return b.pattern.text in a.pattern.text
    if b.pattern.kind is PatternKind.PREFIX and a.pattern.kind is PatternKind.PREFIX:
        return a.pattern.text.startswith(b.pattern.text)
    if b.pattern.kind is PatternKind.SUFFIX and a.pattern.kind is PatternKind.SUFFIX:
        return a.pattern.text.endswith(b.pattern.text)
    return False


def same_spec(a: Spec, b: Spec) -> bool:
    """Whether two queries mean the same as far as their canonical forms tell."""
    return a == b or _spec(a, b, _NONE)


def _spec(a: Spec, b: Spec, names: Renaming) -> bool:
    if isinstance(a, Select) and isinstance(b, Select):
        return any(_select(a, b, {**names, **order}) for order in _instances(a, b))
    if isinstance(a, SetOp) and isinstance(b, SetOp):
        if a.kind is not b.kind or a.limit != b.limit or a.offset != b.offset or not _orders(a.order, b.order, names):
            return False
        if a.kind.value == "except":
            return len(a.branches) == len(b.branches) and all(
                _spec(x, y, names) for x, y in zip(a.branches, b.branches, strict=True)
            )
        return _unordered(a.branches, b.branches, lambda x, y: _spec(x, y, names))
    return False


def _instances(a: Select, b: Select) -> list[dict[str, str]]:
    """The ways in which the instances of a table that `a` joins several times can be those of `b`."""
    mine: dict[str, list[str]] = {}
    theirs: dict[str, list[str]] = {}
    for sources, found in ((a.sources, mine), (b.sources, theirs)):
        for source in sources:
            found.setdefault(source.key.partition("#")[0], []).append(source.key)
    orders: list[dict[str, str]] = [{}]
    for name, keys in mine.items():
        others = theirs.get(name, [])
        if keys == others and len(keys) == 1:
            continue
        if len(keys) != len(others) or len(keys) > 4:
            continue
        orders = [
            {**order, **dict(zip(keys, other, strict=True))} for order in orders for other in permutations(others)
        ][:MAX_ORDERS]
    return orders


def _select(a: Select, b: Select, names: Renaming) -> bool:
    return (
        a.distinct == b.distinct
        and a.limit == b.limit
        and a.offset == b.offset
        and len(a.projections) == len(b.projections)
        and all(_projection(x, y, names) for x, y in zip(a.projections, b.projections, strict=True))
        and _unordered(a.sources, b.sources, lambda x, y: _source(x, y, names))
        and _unordered(a.joins, b.joins, lambda x, y: _join(x, y, names))
        and _clauses(a.filters, b.filters, names)
        and _unordered(a.group_by, b.group_by, lambda x, y: _expr(x, y, names))
        and _orders(a.order, b.order, names)
        and _unordered(a.tops, b.tops, lambda x, y: _top(x, y, names))
    )


def _projection(a: Projection, b: Projection, names: Renaming) -> bool:
    return _expr(a.expr, b.expr, names)


def _source(a: Source, b: Source, names: Renaming) -> bool:
    if (a.query is None) != (b.query is None) or _kind(a.kind) is not _kind(b.kind):
        return False
    if a.query is not None and b.query is not None:
        return _spec(a.query, b.query, names)
    return names.get(a.key, a.key) == b.key and _same_table(a.table, b.table)


def _kind(kind: JoinKind) -> JoinKind:
    return JoinKind.INNER if kind in (JoinKind.FROM, JoinKind.CROSS, JoinKind.INNER) else kind


def _same_table(a: str, b: str) -> bool:
    """Whether two table names can be the same: one may leave out its schema."""
    first, second = a.split("."), b.split(".")
    shorter = min(len(first), len(second))
    return first[-shorter:] == second[-shorter:]


def _join(a: Join, b: Join, names: Renaming) -> bool:
    if a.kind is not b.kind:
        return False
    straight = _expr(a.left, b.left, names) and _expr(a.right, b.right, names)
    return straight or (_expr(a.left, b.right, names) and _expr(a.right, b.left, names))


def _orders(a: tuple[Order, ...], b: tuple[Order, ...], names: Renaming) -> bool:
    return len(a) == len(b) and all(
        x.descending == y.descending and _expr(x.expr, y.expr, names) for x, y in zip(a, b, strict=True)
    )


def _top(a: TopK, b: TopK, names: Renaming) -> bool:
    return a.k == b.k and _orders(a.order, b.order, names) and _unordered(a.per, b.per, lambda x, y: _expr(x, y, names))
