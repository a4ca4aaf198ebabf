"""Filters of a Spec in canonical form, in conjunctive normal form: a tuple of clauses, each an OR of predicates."""

from dataclasses import field
from enum import StrEnum

from stef.records.expressions import Expr, Literal, Span, Value
from stef.records.record import record


class Op(StrEnum):
    """What a predicate says of its subject."""

    IN = "in"
    RANGE = "range"
    LIKE = "like"
    NULL = "null"
    COMPARE = "compare"
    IN_QUERY = "in_query"
    EXISTS = "exists"
    HOLDS = "holds"


class PatternKind(StrEnum):
    """How a text pattern matches."""

    PREFIX = "prefix"
    SUFFIX = "suffix"
    CONTAINS = "contains"
    WILDCARD = "wildcard"
    REGEX = "regex"


@record(frozen=True, slots=True)
class Pattern:
    """A text pattern. `text` has folded case; for WILDCARD it is the LIKE pattern with `\\` as its escape."""

    kind: PatternKind
    text: str


@record(frozen=True, slots=True)
class Bound:
    """One end of an interval: number, folded text, `datetime`, `Relative`; a date is the start of its day."""

    value: Value
    inclusive: bool
    literal: Literal | None = field(default=None, compare=False)


@record(frozen=True, slots=True)
class Interval:
    """Values between two ends; None is unbounded. Time intervals are half-open: low inclusive, high exclusive."""

    low: Bound | None = None
    high: Bound | None = None


@record(frozen=True, slots=True)
class Predicate:
    """One filter in canonical form.

    | op | means | uses |
    |---|---|---|
    | IN | subject is one of a set (`=` is a set of one) | `values`, sorted |
    | RANGE | subject lies in an interval | `interval` |
    | LIKE | subject matches a pattern | `pattern` |
    | NULL | subject is NULL | |
    | COMPARE | subject compared with another expression | `comparator`, `other` |
    | IN_QUERY | subject is among the rows of a subquery | `other`, a Subquery |
    | EXISTS | a subquery has rows | `other`, a Subquery; the subject is that Subquery too |
    | HOLDS | a boolean expression that is none of the above is true | |

    NOT is pushed down: `negated` stands on IN, LIKE, NULL, IN_QUERY, EXISTS, HOLDS only. A bare boolean column is
    IN {True}. `folded`: the SQL compares without regard to case (LOWER, TRIM, ILIKE).
    """

    subject: Expr
    op: Op
    negated: bool = False
    values: tuple[Literal, ...] = ()
    interval: Interval | None = None
    pattern: Pattern | None = None
    comparator: str | None = None
    other: Expr | None = None
    folded: bool = field(default=False, compare=False)
    span: Span | None = field(default=None, compare=False)


class Scope(StrEnum):
    """Where in the query a clause stood; spelling only, equal clauses in WHERE and in an inner JOIN mean the same."""

    WHERE = "where"
    HAVING = "having"
    JOIN = "join"
    OUTER_JOIN = "outer_join"
    QUALIFY = "qualify"
    AGGREGATE = "aggregate"
    CASE = "case"
    ASKED = "asked"


@record(frozen=True, slots=True)
class Clause:
    """An OR of predicates; one predicate is a plain filter. Equality ignores the scope, which is spelling."""

    predicates: tuple[Predicate, ...]
    scope: Scope = field(default=Scope.WHERE, compare=False)
    span: Span | None = field(default=None, compare=False)
