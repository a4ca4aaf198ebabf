"""The components of a query, collected from all of its blocks."""

from collections.abc import Iterator

from stef.records.expressions import Agg, Column, Expr, Func, Literal, Subquery, Window
from stef.records.predicates import Clause, Interval, Op, Predicate
from stef.records.spec import JoinKind, Select, SetKind, Source, Spec
from stef.sql.resolve.blocks import EITHER
from stef.sql.resolve.keys import Key, Keys
from stef.sql.resolve.numbering import Scope
from stef.sql.trees import children, sources_of

Path = tuple[str, ...]
"""In what a block stands, outside in: in a scalar subquery a filter means something else than around it."""


class Components:
    """The sets while they are collected.

    A join is an equality between columns of two sources, in ON, USING or WHERE; `x IN (SELECT y …)` and an EXISTS that
    says the same are one as well. Filters in a derived table, a CTE, a semi-join are filters of the query. In a scalar
    subquery, under NOT IN, in a set operation they carry where they stand; their shapes (what is tested, by which
    operator) do not.
    """

    def __init__(self) -> None:
        self.keys = Keys(whole=False)
        self.tables: set[str] = set()
        self.joins: set[Key] = set()
        self.projections: set[Key] = set()
        self.filters: dict[Key, Key] = {}
        self.clauses: dict[Key, Clause] = {}
        self.aggregations: set[Key] = set()
        self.grouping: set[Key] = set()
        self._seen: set[tuple[int, Path]] = set()

    def query(self, spec: Spec, scope: Scope | None = None, path: Path = (), *, outermost: bool = False) -> None:
        """Collect what a query holds. `scope` None: it stands by itself, so do the branches of a set operation."""
        if (id(spec), path) in self._seen:
            return
        self._seen.add((id(spec), path))
        if isinstance(spec, Select):
            self._block(spec, scope if scope is not None else self.keys.scope(spec), path, outermost=outermost)
            return
        for index, branch in enumerate(spec.branches):
            right = spec.kind is SetKind.EXCEPT and index
            inner = (*path, "except right" if right else spec.kind.removesuffix("_all"))
            self.query(branch, scope, inner, outermost=outermost)
        if not outermost:
            self._cut(spec, scope if scope is not None else self.keys.scope(spec), path)

    def _block(self, spec: Select, scope: Scope, path: Path, *, outermost: bool) -> None:
        for source in spec.sources:
            if source.query is not None:
                self.query(source.query, scope, path)
            elif is_base(source):
                self.tables.add(source.table)
        for clause in spec.filters:
            self._clause(clause, scope, path)
        for item in spec.projections:
            self._expression(item.expr, scope, path)
            if outermost:
                # A column of a set operation counts as all that its branches show in it.
                shown = item.expr.args if isinstance(item.expr, Func) and item.expr.name == EITHER else (item.expr,)
                self.projections.update(self.keys.expr(expr, scope) for expr in shown)
        if not outermost:
            self._cut(spec, scope, path)
        self._tops(spec, scope, path)
        for expr in spec.group_by:
            self.grouping.add(self.keys.expr(expr, scope))
            self._expression(expr, scope, path)
        for order_item in spec.order:
            self._expression(order_item.expr, scope, path)

    def _tops(self, spec: Select, scope: Scope, path: Path) -> None:
        for top in spec.tops:
            order = self.keys.order(top.order, scope)
            per = frozenset(self.keys.expr(item, scope) for item in top.per)
            self._member(("first", top.k, order, per), ("ranked", order, per), path)

    def _cut(self, spec: Spec, scope: Scope, path: Path) -> None:
        """A LIMIT inside of a query decides which rows the query around it sees: it is a filter."""
        if spec.limit is not None:
            order = self.keys.order(spec.order, scope)
            self._member(("first", spec.limit, order, frozenset()), ("ranked", order, frozenset()), path)

    def _member(self, filter_: Key, shape: Key, path: Path) -> None:
        self.filters[frozenset((filter_,)), path] = frozenset((shape,))

    def _clause(self, clause: Clause, scope: Scope, path: Path) -> None:
        for predicate in clause.predicates:
            self._inside(predicate, scope, path)
        if len(clause.predicates) > 1:
            self._filter(clause, scope, path)
            return
        predicate = clause.predicates[0]
        if joins := self._joins(predicate, scope):
            self.joins.update(joins)
            return
        for part in _ends(predicate):
            self._filter(Clause((part,)), scope, path)

    def _filter(self, clause: Clause, scope: Scope, path: Path) -> None:
        member = (self.keys.clause(clause, scope), path)
        self.filters[member] = frozenset(self.keys.shape(predicate, scope) for predicate in clause.predicates)
        self.clauses[member] = clause

    def _joins(self, predicate: Predicate, scope: Scope) -> list[Key]:
        """The equalities of two sources' columns that a predicate is; none: it is a filter."""
        other = predicate.other
        if isinstance(other, Subquery):
            semi = _semi_join(predicate)
            inner = scope if other.correlated else self.keys.scope(other.query, scope)
            return [frozenset((self.keys.expr(left, scope), self.keys.expr(right, inner))) for left, right in semi]
        if predicate.op is not Op.COMPARE or predicate.comparator != "=" or other is None or type(other) is Literal:
            return []
        left, right = sources_of(predicate.subject), sources_of(other)
        if not left or not right or not left.isdisjoint(right):
            return []
        return [frozenset((self.keys.expr(predicate.subject, scope), self.keys.expr(other, scope)))]

    def _inside(self, predicate: Predicate, scope: Scope, path: Path) -> None:
        """Collect what stands in a predicate: its subqueries, its aggregates."""
        other = predicate.other
        if isinstance(other, Subquery) and (predicate.op in (Op.IN_QUERY, Op.EXISTS) or _semi_join(predicate)):
            if predicate.negated:
                self.query(other.query, scope if other.correlated else None, (*path, "not in"))
            else:
                # A semi-join: its sources stand beside those of the query.
                self.query(other.query, scope if other.correlated else self.keys.scope(other.query, scope), path)
        elif other is not None:
            self._expression(other, scope, path)
        if predicate.op is not Op.EXISTS:
            self._expression(predicate.subject, scope, path)

    def _expression(self, expr: Expr, scope: Scope, path: Path) -> None:
        """Collect the aggregates and the subqueries in an expression."""
        stack = [expr]
        while stack:
            item = stack.pop()
            kind = type(item)
            if kind is Column or kind is Literal:
                continue
            if isinstance(item, Agg):
                self.aggregations.add(self.keys.expr(item, scope))
            elif isinstance(item, Window) and type(item.func) is Agg:
                self.aggregations.add(self.keys.expr(item, scope))
                stack.extend(_around(item))
                continue
            elif isinstance(item, Subquery):
                self.query(item.query, scope if item.correlated else None, (*path, "scalar"))
            stack.extend(children(item))


def _around(window: Window) -> Iterator[Expr]:
    """What stands in a window function, less the function itself, which is no aggregate of the query."""
    yield from children(window.func)
    yield from window.partition
    for order in window.order:
        yield order.expr


def _semi_join(predicate: Predicate) -> list[tuple[Expr, Expr]]:
    """The columns that `x IN (SELECT y …)` equates, and so does `x = (SELECT y …)`; none for any other predicate."""
    other = predicate.other
    if not isinstance(other, Subquery) or not isinstance(other.query, Select) or predicate.negated:
        return []
    if predicate.op is not Op.IN_QUERY and not (predicate.op is Op.COMPARE and predicate.comparator == "="):
        return []
    right = [item.expr for item in other.query.projections]
    left = _row(predicate.subject)
    right = [part for expr in right for part in _row(expr)]
    if len(left) != len(right) or any(type(item) is not Column for item in (*left, *right)):
        return []
    own = {source.key for source in other.query.sources}
    # An inner column that is one of the query around it ties nothing: the test holds for every row.
    if any(not sources_of(item) <= own for item in right):
        return []
    return list(zip(left, right, strict=True))


def _row(expr: Expr) -> tuple[Expr, ...]:
    return expr.args if isinstance(expr, Func) and expr.name == "ROW" else (expr,)


def _ends(predicate: Predicate) -> tuple[Predicate, ...]:
    """BETWEEN is two bounds, and so is a period: each is a filter."""
    interval = predicate.interval
    if predicate.op is not Op.RANGE or interval is None or interval.low is None or interval.high is None:
        return (predicate,)
    low, high = Interval(low=interval.low), Interval(high=interval.high)
    return Predicate(predicate.subject, Op.RANGE, interval=low), Predicate(predicate.subject, Op.RANGE, interval=high)


def is_base(source: Source) -> bool:
    """Whether a source is a base table (or a view): no derived table, no function, no CTE that is being defined."""
    return source.query is None and source.kind is not JoinKind.LATERAL and not source.table.startswith("(")
