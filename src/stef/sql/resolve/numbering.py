"""Which instance of which table each source of a query is."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from stef.records.expressions import Column, Expr, Literal, Subquery
from stef.records.spec import Select, SetOp, Spec
from stef.sql.trees import children


class Instance(NamedTuple):
    """One instance of a table in one query."""

    table: str
    instance: int


class Scope:
    """The instance that each source key of a query stands for; `counts` are the instances of each table so far."""

    __slots__ = ("counts", "found")

    def __init__(self, counts: Counter[str]) -> None:
        self.counts = counts
        self.found: dict[str, Instance] = {}

    def add(self, key: str, table: str) -> None:
        """Number one more instance of `table`."""
        self.found[key] = Instance(table, self.counts[table])
        self.counts[table] += 1

    def get(self, key: str) -> Instance | None:
        """The instance of a source key; None for one of another query."""
        return self.found.get(key)


def tables_by_key(spec: Spec) -> dict[str, str]:
    """The tables of a query by source key, in order; correlated subqueries have keys of their own: they are in it."""
    own: dict[str, str] = {}
    _own_sources(spec, own)
    return own


def _own_sources(spec: Spec, own: dict[str, str]) -> None:
    if isinstance(spec, SetOp):
        for branch in spec.branches:
            _own_sources(branch, own)
        return
    for source in spec.sources:
        if source.query is not None:
            _own_sources(source.query, own)
        else:
            own.setdefault(source.key, source.table)
    for inner in _correlated(spec):
        _own_sources(inner, own)


def _correlated(spec: Select) -> Iterable[Spec]:
    for expr in expressions(spec):
        for item in inside(expr):
            if type(item) is Subquery and item.correlated:
                yield item.query


def expressions(spec: Select) -> Iterable[Expr]:
    """Every expression of a block."""
    for item in spec.projections:
        yield item.expr
    for clause in spec.filters:
        for predicate in clause.predicates:
            yield predicate.subject
            if predicate.other is not None and predicate.other is not predicate.subject:
                yield predicate.other
    yield from spec.group_by
    for order in spec.order:
        yield order.expr


def inside(expr: Expr) -> Iterable[Expr]:
    """`expr` and every expression in it, the insides of subqueries left out."""
    stack = [expr]
    while stack:
        item = stack.pop()
        yield item
        if type(item) is not Column and type(item) is not Literal:
            stack.extend(children(item))


def tables_of(spec: Spec) -> Iterable[str]:
    """The tables of a query and of its derived tables, as often as they are read."""
    if isinstance(spec, SetOp):
        for branch in spec.branches:
            yield from tables_of(branch)
        return
    for source in spec.sources:
        if source.query is None:
            yield source.table
        else:
            yield from tables_of(source.query)
