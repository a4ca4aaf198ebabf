"""One walk over a Spec: every filter with the rows that it holds for, every aggregate, every output column."""

from dataclasses import dataclass, field, replace
from enum import StrEnum

from stef.records.expressions import (
    Agg,
    Binary,
    Case,
    Column,
    Expr,
    Func,
    Opaque,
    Subquery,
    Window,
)
from stef.records.predicates import Clause, Op, Predicate
from stef.records.record import record
from stef.records.spec import JoinKind, Order, Projection, Select, SetKind, SetOp, Spec, TopK


class Reach(StrEnum):
    """Which rows of the answer a filter holds for."""

    ALL = "all"
    PART = "part"  # one branch of a union, or the far side of an outer join
    EITHER = "either"  # inside a subquery that stands behind an OR
    EXCLUDED = "excluded"  # inside NOT IN, NOT EXISTS, or right of EXCEPT
    SCALAR = "scalar"  # inside a subquery that yields a value
    AGGREGATE = "aggregate"  # on the rows that one aggregate counts


@record(frozen=True, slots=True)
class Placed:
    """A clause, and the rows that it holds for.

    `conditional`: it stands in a CASE that keeps the other rows too. `lone`: no predicate of it stands in another
    clause; (A AND B) OR C is in conjunctive form (A OR C) AND (B OR C), where C stands twice.
    """

    clause: Clause
    reach: Reach
    conditional: bool = False
    lone: bool = True


@dataclass(slots=True)
class Facts:
    """What a Spec says, flat. `answer` is the outermost block (the first branch of a set operation).

    `blocks` are all query blocks, each before those inside it, with the rows of the answer that it bears on.
    """

    answer: Select
    blocks: list[tuple[Select, Reach]] = field(default_factory=list)
    placed: list[Placed] = field(default_factory=list)
    aggregates: list[Agg] = field(default_factory=list)
    operators: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    columns: list[Column] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)
    group_by: list[Expr] = field(default_factory=list)
    tops: list[TopK] = field(default_factory=list)
    set_kinds: list[SetKind] = field(default_factory=list)
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int | None = None
    distinct: bool = False
    windows: int = 0
    subqueries: int = 0
    excludes: bool = False

    @property
    def projections(self) -> tuple[Projection, ...]:
        """The output columns."""
        return self.answer.projections


def facts_of(spec: Spec) -> Facts:
    """The flat facts of `spec`, in the order of the text."""
    facts = Facts(answer=_first_block(spec))
    _Walk(facts).query(spec, Reach.ALL)
    facts.order, facts.limit, facts.offset = spec.order, spec.limit, spec.offset
    facts.distinct = facts.answer.distinct or (isinstance(spec, SetOp) and spec.kind is not SetKind.UNION_ALL)
    return facts


def columns_of(expr: Expr) -> tuple[Column, ...]:
    """The base columns that an expression is made of."""
    facts = Facts(answer=Select())
    _Walk(facts).expr(expr, Reach.ALL)
    return tuple(facts.columns)


def _first_block(spec: Spec) -> Select:
    while isinstance(spec, SetOp):
        spec = spec.branches[0]
    return spec


_OUTER = frozenset({JoinKind.LEFT, JoinKind.RIGHT, JoinKind.FULL})


class _Walk:
    """Visits each node of a Spec once and files it under its fact."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._visit = {
            Column: self._column,
            Func: self._func,
            Agg: self._agg,
            Window: self._window,
            Case: self._case,
            Binary: self._binary,
            Subquery: self._scalar,
            Opaque: self._opaque,
        }

    def query(self, spec: Spec, reach: Reach) -> None:
        facts = self.facts
        facts.tops.extend(spec.tops)
        for top in spec.tops:
            self._order(top.order, reach)
        if isinstance(spec, SetOp):
            self._set_operation(spec, reach)
            return
        facts.blocks.append((spec, reach))
        facts.group_by.extend(spec.group_by)
        for source in spec.sources:
            if source.query is None:
                facts.tables.append(source.table)
            else:
                self.query(source.query, Reach.PART if reach is Reach.ALL and source.kind in _OUTER else reach)
        for projection in spec.projections:
            self.expr(projection.expr, reach)
        self.clauses(spec.filters, reach)
        for key in spec.group_by:
            self.expr(key, reach)
        self._order(spec.order, reach)

    def _order(self, order: tuple[Order, ...], reach: Reach) -> None:
        for key in order:
            self.expr(key.expr, reach)

    def _set_operation(self, spec: SetOp, reach: Reach) -> None:
        self.facts.set_kinds.append(spec.kind)
        if spec.kind is SetKind.EXCEPT:
            self.facts.excludes = True
            self.query(spec.branches[0], reach)
            for branch in spec.branches[1:]:
                self.query(branch, Reach.EXCLUDED)
        elif spec.kind is SetKind.INTERSECT or reach is not Reach.ALL:
            for branch in spec.branches:
                self.query(branch, reach)
        else:
            self._union(spec.branches)

    def _union(self, branches: tuple[Spec, ...]) -> None:
        """A filter of a union holds for all rows only where every branch has it; values of one column add up."""
        start = len(self.facts.placed)
        parts: list[list[Placed]] = []
        for branch in branches:
            self.query(branch, Reach.ALL)
            parts.append(self.facts.placed[start:])
            del self.facts.placed[start:]
        whole = [{_bare(p.clause): p for p in part if p.reach is Reach.ALL} for part in parts]
        common = set.intersection(*(set(part) for part in whole))
        self.facts.placed.extend(whole[0][key] for key in whole[0] if key in common)
        rest = [[p for p in part if p.reach is not Reach.ALL or _bare(p.clause) not in common] for part in parts]
        added = _added_up(rest)
        if added is not None:
            self.facts.placed.append(Placed(added, Reach.ALL))
            return
        for placed in (p for part in rest for p in part):
            self.facts.placed.append(Placed(placed.clause, Reach.PART) if placed.reach is Reach.ALL else placed)

    def clauses(self, clauses: tuple[Clause, ...], reach: Reach, *, conditional: bool = False) -> None:
        for clause in clauses:
            lone = len(clause.predicates) == 1 or _is_lone(clause, clauses)
            self.facts.placed.append(Placed(clause, reach, conditional, lone))
            inner = reach if len(clause.predicates) == 1 or reach is not Reach.ALL else Reach.EITHER
            for predicate in clause.predicates:
                self._predicate(predicate, inner)

    def _predicate(self, predicate: Predicate, reach: Reach) -> None:
        if predicate.op in (Op.IN_QUERY, Op.EXISTS):
            self.facts.subqueries += 1
            if predicate.negated:
                self.facts.excludes = True
            if predicate.op is Op.IN_QUERY:
                self.expr(predicate.subject, reach)
            if isinstance(predicate.other, Subquery):
                self.query(predicate.other.query, Reach.EXCLUDED if predicate.negated else reach)
            return
        self.expr(predicate.subject, reach)
        if predicate.other is not None:
            self.expr(predicate.other, reach)

    def expr(self, expr: Expr, reach: Reach) -> None:
        visit = self._visit.get(type(expr))
        if visit is not None:
            visit(expr, reach)  # type: ignore[operator]

    def _column(self, column: Column, _: Reach) -> None:
        self.facts.columns.append(column)

    def _func(self, func: Func, reach: Reach) -> None:
        self.facts.functions.add(func.name)
        for arg in func.args:
            self.expr(arg, reach)

    def _agg(self, agg: Agg, reach: Reach) -> None:
        self.facts.aggregates.append(agg)
        if agg.arg is not None:
            self.expr(agg.arg, reach)
        self.clauses(agg.filter, Reach.AGGREGATE if reach is Reach.ALL else reach)

    def _window(self, window: Window, reach: Reach) -> None:
        self.facts.windows += 1
        self.expr(window.func, reach)
        for part in window.partition:
            self.expr(part, reach)
        self._order(window.order, reach)

    def _case(self, case: Case, reach: Reach) -> None:
        for conditions, result in case.whens:
            self.clauses(conditions, Reach.AGGREGATE if reach is Reach.ALL else reach, conditional=True)
            self.expr(result, reach)
        if case.otherwise is not None:
            self.expr(case.otherwise, reach)

    def _binary(self, binary: Binary, reach: Reach) -> None:
        self.facts.operators.add(binary.op)
        self.expr(binary.left, reach)
        self.expr(binary.right, reach)

    def _scalar(self, subquery: Subquery, reach: Reach) -> None:
        self.facts.subqueries += 1
        self.query(subquery.query, Reach.SCALAR if reach is Reach.ALL else reach)

    def _opaque(self, opaque: Opaque, reach: Reach) -> None:
        for part in opaque.parts:
            self.expr(part, reach)


def _is_lone(clause: Clause, clauses: tuple[Clause, ...]) -> bool:
    mine = set(clause.predicates)
    return not any(
        other is not clause and len(other.predicates) > 1 and mine & set(other.predicates) for other in clauses
    )


def _bare(clause: Clause) -> tuple[object, ...]:
    """A clause without its tables: branches of a union filter the same column of different tables."""
    return tuple(
        (
            _bare_subject(predicate),
            predicate.op,
            predicate.negated,
            predicate.values,
            predicate.interval,
            predicate.pattern,
            predicate.comparator,
            predicate.other,
        )
        for predicate in clause.predicates
    )


def _added_up(parts: list[list[Placed]]) -> Clause | None:
    """One filter in each branch is an OR of the whole; `c = 'a'` and `c = 'b'` are `c IN ('a', 'b')`."""
    if any(len(part) != 1 or part[0].reach is not Reach.ALL for part in parts):
        return None
    predicates = [part[0].clause.predicates for part in parts]
    first = predicates[0][0]
    if any(
        len(p) != 1 or p[0].op is not Op.IN or p[0].negated or _bare_subject(p[0]) != _bare_subject(first)
        for p in predicates
    ):
        return Clause(tuple(one for p in predicates for one in p), span=first.span)
    values = {value.value: value for p in predicates for value in p[0].values}
    return Clause((replace(first, values=tuple(values.values())),), span=first.span)


def _bare_subject(predicate: Predicate) -> object:
    return predicate.subject.name if isinstance(predicate.subject, Column) else predicate.subject
