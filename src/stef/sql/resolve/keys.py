"""Expressions, predicates and queries as hashable keys that are equal where they mean the same.

A key forgets spelling and order (operands of `+`, sides of `=`), and keeps what the Spec's own equality forgives: the
case and the spaces of constants. Columns in it are `Col`s, so that the instances of a table can be renamed afterwards.
"""

import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable
from datetime import datetime
from typing import NamedTuple, TypeAlias

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
    Star,
    Subquery,
    Value,
    Window,
)
from stef.records.predicates import Bound, Clause, Op, Predicate
from stef.records.spec import Order, Select, SetOp, Spec
from stef.sql.literals import fold_text
from stef.sql.resolve.numbering import Scope, tables_by_key, tables_of

Key: TypeAlias = Hashable


class Col(NamedTuple):
    """A base column. `instance` tells the instances of a table in one query apart, from 0."""

    table: str
    instance: int
    name: str


UNKNOWN = "?"
"""The table of a column that no table in reach is known to have."""


class Keys:
    """Makes keys. `whole`: subqueries count with everything in them, and COUNT(*) with the tables that it counts.

    Without `whole`, a subquery is what it selects: its filters are members of their own set. `like` numbers the
    instances of tables as another one does.
    """

    __slots__ = ("scopes", "whole")

    def __init__(self, *, whole: bool, like: "Keys | None" = None) -> None:
        self.whole = whole
        self.scopes: dict[int, tuple[Spec, Scope]] = {} if like is None else like.scopes

    def scope(self, spec: Spec, beside: Scope | None = None) -> Scope:
        """The instances of tables in a query that stands by itself, or `beside` those of another; each time the same.

        Sources of correlated subqueries have keys of their own, and count with the query.
        """
        known = self.scopes.get(id(spec))
        if known is not None:
            return known[1]
        found = Scope(Counter() if beside is None else beside.counts)
        for key, table in tables_by_key(spec).items():
            found.add(key, table)
        self.scopes[id(spec)] = (spec, found)
        return found

    def instances(self) -> dict[str, int]:
        """The tables that are read more than once side by side, and how often."""
        most: Counter[str] = Counter()
        for _, scope in self.scopes.values():
            most |= scope.counts
        return {table: count for table, count in most.items() if count > 1}

    def expr(self, expr: Expr, scope: Scope) -> Key:  # noqa: C901 - one case a kind
        """The key of an expression."""
        match expr:
            case Column():
                return _column(expr, scope)
            case Literal():
                return _constant(expr)
            case Agg():
                return self._aggregate(expr, scope)
            case Func(name="EITHER"):
                return ("either", frozenset(self.expr(item, scope) for item in expr.args))
            case Func():
                return ("func", expr.name, tuple(self.expr(item, scope) for item in expr.args))
            case Binary():
                return self._binary(expr, scope)
            case Case():
                whens = tuple((self.clauses(test, scope), self.expr(then, scope)) for test, then in expr.whens)
                return ("case", whens, None if expr.otherwise is None else self.expr(expr.otherwise, scope))
            case Window():
                partition = frozenset(self.expr(item, scope) for item in expr.partition)
                return ("window", self.expr(expr.func, scope), partition, self.order(expr.order, scope))
            case Subquery():
                return self.subquery(expr, scope)
            case Star():
                return ("star", tuple(sorted(_tables(expr.sources, scope))))
            case Opaque():
                return ("opaque", expr.text, tuple(self.expr(item, scope) for item in expr.parts))
            case Phrase():
                return ("phrase", expr.stems)

    def _aggregate(self, agg: Agg, scope: Scope) -> Key:
        arg = agg.arg
        if arg is None or type(arg) is Star:
            tables = sorted(_tables(arg.sources, scope)) if self.whole and arg is not None else ()
            counted: Key = ("rows", *tables)
        else:
            counted = self.expr(arg, scope)
        # The same with and without repetition.
        distinct = agg.distinct and agg.name not in ("MIN", "MAX")
        return ("agg", agg.name, distinct, counted, self.clauses(agg.filter, scope))

    def _binary(self, expr: Binary, scope: Scope) -> Key:
        if expr.op not in ("+", "*"):
            return ("op", expr.op, self.expr(expr.left, scope), self.expr(expr.right, scope))
        operands: Counter[Key] = Counter()
        stack: list[Expr] = [expr]
        while stack:
            item = stack.pop()
            if type(item) is Binary and item.op == expr.op:
                stack += (item.left, item.right)
            else:
                operands[self.expr(item, scope)] += 1
        return ("op", expr.op, frozenset(operands.items()))

    def order(self, order: Iterable[Order], scope: Scope) -> tuple[tuple[Key, bool], ...]:
        """The keys of sort keys, each with whether it descends."""
        return tuple((self.expr(item.expr, scope), item.descending) for item in order)

    def clauses(self, clauses: Iterable[Clause], scope: Scope) -> frozenset[Key]:
        """The key of a conjunction."""
        return frozenset(self.clause(clause, scope) for clause in clauses)

    def clause(self, clause: Clause, scope: Scope) -> frozenset[Key]:
        """The key of a disjunction."""
        return frozenset(self.predicate(predicate, scope) for predicate in clause.predicates)

    def predicate(self, item: Predicate, scope: Scope) -> Key:
        """The key of a predicate with its constants."""
        match item.op:
            case Op.IN:
                values = frozenset(_constant(value, folded=item.folded) for value in item.values)
                return ("in", item.negated, self.expr(item.subject, scope), values, item.folded)
            case Op.RANGE:
                low, high = (item.interval.low, item.interval.high) if item.interval is not None else (None, None)
                return ("range", self.expr(item.subject, scope), _bound(low), _bound(high))
            case Op.LIKE:
                pattern = (item.pattern.kind, item.pattern.text) if item.pattern is not None else ()
                return ("like", item.negated, self.expr(item.subject, scope), pattern)
            case Op.NULL:
                return ("null", item.negated, self.expr(item.subject, scope))
            case Op.COMPARE:
                return self._compared(item, scope)
            case Op.IN_QUERY:
                other = item.other if item.other is not None else item.subject
                return ("in_query", item.negated, self.expr(item.subject, scope), self.expr(other, scope))
            case Op.EXISTS:
                return ("exists", item.negated, self.expr(item.subject, scope))
            case Op.HOLDS:
                return ("holds", item.negated, self.expr(item.subject, scope))

    def _compared(self, item: Predicate, scope: Scope) -> Key:
        left = self.expr(item.subject, scope)
        right = self.expr(item.other, scope) if item.other is not None else None
        op = item.comparator or "="
        if op in ("=", "<>"):
            return ("compare", op, frozenset((left, right)))
        # `a > b` is `b < a`.
        return ("compare", op.replace(">", "<"), (right, left) if op.startswith(">") else (left, right))

    def shape(self, item: Predicate, scope: Scope) -> Key:
        """The key of a predicate without its constants: what is tested, and by which operator."""
        match item.op:
            case Op.IN:
                return ("in", item.negated, self.expr(item.subject, scope))
            case Op.LIKE:
                return ("like", item.negated, self.expr(item.subject, scope))
            case Op.RANGE:
                ends = (item.interval.low, item.interval.high) if item.interval is not None else (None, None)
                kept = tuple(None if end is None else end.inclusive for end in ends)
                return ("bounded", self.expr(item.subject, scope), kept)
            case Op.COMPARE if type(item.other) is Literal:
                return ("tested", item.comparator, self.expr(item.subject, scope))
            case _:
                return self.predicate(item, scope)

    def subquery(self, expr: Subquery, scope: Scope) -> Key:
        """The key of a query that stands for a value or a set."""
        inner = scope if expr.correlated else self.scope(expr.query)
        return self.query(expr.query, inner)

    def query(self, spec: Spec, scope: Scope) -> Key:
        """The key of a query."""
        if isinstance(spec, SetOp):
            branches = tuple(self.query(branch, scope) for branch in spec.branches)
            kept: Key = branches if spec.kind == "except" else frozenset(Counter(branches).items())
            return ("set", spec.kind, kept, spec.limit)
        selected = tuple(self.expr(item.expr, scope) for item in spec.projections)
        if not self.whole:
            return ("query", selected or tuple(sorted(set(tables_of(spec)))))
        return self._select(spec, selected, scope)

    def _select(self, spec: Select, selected: tuple[Key, ...], scope: Scope) -> Key:
        sources = Counter(
            source.table if source.query is None else self.query(source.query, scope) for source in spec.sources
        )
        cut = (spec.limit, spec.offset, self.order(spec.order, scope)) if spec.limit is not None else ()
        grouped = frozenset(self.expr(item, scope) for item in spec.group_by)
        filters = self.clauses(spec.filters, scope)
        return ("query", selected, spec.distinct, frozenset(sources.items()), filters, grouped, cut)


def _column(column: Column, scope: Scope) -> Col:
    if len(column.sources) == 1:
        found = scope.get(column.sources[0])
        return Col(*found, column.name) if found is not None else Col(column.sources[0], 0, column.name)
    if not column.sources:
        return Col(UNKNOWN, 0, column.name)
    return Col("|".join(sorted(set(_tables(column.sources, scope)))), 0, column.name)


def _tables(keys: Iterable[str], scope: Scope) -> Iterable[str]:
    for key in keys:
        found = scope.get(key)
        yield key if found is None else found.table


def _constant(literal: Literal, *, folded: bool = False) -> Key:
    value = literal.value
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, str):
        return _value(value)
    text = unicodedata.normalize("NFC", literal.text)
    if literal.quoted and text.lstrip("-").isdecimal() and str(int(text)) == text:
        # '5' and 5 are one: where a column is text, and where it is a number, either is turned into the other.
        return int(text)
    return ("text", fold_text(text) if folded else text)


def _value(value: Value) -> Key:
    if isinstance(value, datetime):
        return ("time", value.isoformat())
    return value


def _bound(bound: Bound | None) -> Key:
    if bound is None:
        return None
    literal = bound.literal
    value = _constant(literal) if literal is not None and isinstance(bound.value, str) else _value(bound.value)
    return (value, bound.inclusive)
