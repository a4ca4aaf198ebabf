"""The semantic specification (Spec): what is asked and what is done, in one type.

A Spec that was read from SQL speaks of Columns; one that was read from a question speaks of Phrases.
"""

from dataclasses import field
from enum import StrEnum
from typing import TypeAlias

from stef.records.expressions import Expr, Span
from stef.records.predicates import Clause
from stef.records.record import record


class JoinKind(StrEnum):
    """How a source joins those before it."""

    FROM = "from"
    INNER = "inner"
    LEFT = "left"
    RIGHT = "right"
    FULL = "full"
    CROSS = "cross"
    LATERAL = "lateral"


@record(frozen=True, slots=True)
class Source:
    """A base table, or a derived table that could not be merged into its query (`query`), under its `key`."""

    key: str
    table: str
    kind: JoinKind = JoinKind.FROM
    query: "Spec | None" = None
    span: Span | None = field(default=None, compare=False)


@record(frozen=True, slots=True)
class Join:
    """An equality between expressions over two different sources, from ON, USING or WHERE; sides in canonical order."""

    left: Expr
    right: Expr
    kind: JoinKind = JoinKind.INNER


@record(frozen=True, slots=True)
class Projection:
    """One output column: what it is, and the name it goes by (folded; spelling only)."""

    expr: Expr
    name: str | None = field(default=None, compare=False)
    span: Span | None = field(default=None, compare=False)


@record(frozen=True, slots=True)
class Order:
    """One sort key."""

    expr: Expr
    descending: bool = False
    nulls_first: bool | None = None


@record(frozen=True, slots=True)
class TopK:
    """The first `k` rows in `order`, for each combination of `per`; `k` None: asked without a number ("the most").

    Read from ORDER BY + LIMIT/TOP/FETCH, from ROW_NUMBER or RANK = 1, from `= (SELECT MAX…)`. `ties`: all rows that
    tie at the end are kept.
    """

    k: int | None
    order: tuple[Order, ...]
    per: tuple[Expr, ...] = ()
    ties: bool = field(default=False, compare=False)
    span: Span | None = field(default=None, compare=False)


@record(frozen=True, slots=True)
class Select:
    """One query block. `filters` is in conjunctive normal form and includes HAVING and QUALIFY (see `Clause.scope`)."""

    projections: tuple[Projection, ...] = ()
    distinct: bool = False
    sources: tuple[Source, ...] = ()
    joins: tuple[Join, ...] = ()
    filters: tuple[Clause, ...] = ()
    group_by: tuple[Expr, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int | None = None
    tops: tuple[TopK, ...] = ()


class SetKind(StrEnum):
    """A set operation."""

    UNION = "union"
    UNION_ALL = "union_all"
    INTERSECT = "intersect"
    EXCEPT = "except"


@record(frozen=True, slots=True)
class SetOp:
    """A set operation over branches; `order`, `limit` and `tops` belong to the whole."""

    kind: SetKind
    branches: "tuple[Spec, ...]"
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int | None = None
    tops: tuple[TopK, ...] = ()


Spec: TypeAlias = Select | SetOp
