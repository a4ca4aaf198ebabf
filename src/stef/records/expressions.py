"""Expressions of a Spec: a small algebra over base columns, phrases and constants.

Equality ignores where a thing stood in the text (`span`) and how it was spelled (`text`).
"""

from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, TypeAlias

from stef.records.record import record

if TYPE_CHECKING:
    from stef.records.predicates import Clause
    from stef.records.spec import Order, Spec

Span: TypeAlias = tuple[int, int]
"""Start and end (exclusive) in the text that was read."""


@record(frozen=True, slots=True)
class Relative:
    """A point in time relative to now: now, shifted by `offset` `unit`s, then cut down to the start of `floor`.

    `CURRENT_DATE - INTERVAL '7 days'` is `Relative("day", -7, "day")`; `NOW()` is `Relative("day", 0, None)`;
    the start of last month is `Relative("month", -1, "month")`. Units: second, minute, hour, day, week, month,
    quarter, year.
    """

    unit: str
    offset: int
    floor: str | None = None


Value: TypeAlias = str | int | float | bool | datetime | Relative | None


@record(frozen=True, slots=True)
class Literal:
    """A constant.

    `value` is canonical: a number where it is one (2.0 is 2), text in NFC with folded case and single spaces, True,
    False, None, a naive `datetime` for a date or timestamp. `text` is the constant as written, without quotes.
    """

    value: Value
    text: str = field(default="", compare=False)
    quoted: bool = field(default=False, compare=False)
    span: Span | None = field(default=None, compare=False)


@record(frozen=True, slots=True)
class Column:
    """A base column: its folded name, and the keys of all sources that it can come from (none known: empty).

    A source's key is its folded table name, with `#2`, `#3` for the further instances of a self-join.
    """

    name: str
    sources: tuple[str, ...] = ()
    span: Span | None = field(default=None, compare=False)


@record(frozen=True, slots=True)
class Phrase:
    """Words of a question that stand for something in the database; `stems` are the stems of its content words."""

    stems: tuple[str, ...]
    text: str = field(default="", compare=False)
    span: Span | None = field(default=None, compare=False)


@record(frozen=True, slots=True)
class Star:
    """Every column of the named sources (all sources: empty)."""

    sources: tuple[str, ...] = ()


@record(frozen=True, slots=True)
class Func:
    """A scalar function; `name` is upper-case. Date parts are YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, WEEKDAY…"""

    name: str
    args: tuple["Expr", ...] = ()


@record(frozen=True, slots=True)
class Agg:
    """An aggregate; `arg` None is COUNT(*). `filter` holds the clauses of FILTER, or of a CASE that means the same."""

    name: str
    arg: "Expr | None" = None
    distinct: bool = False
    filter: "tuple[Clause, ...]" = ()
    span: Span | None = field(default=None, compare=False)


@record(frozen=True, slots=True)
class Window:
    """A window function over `partition`, in `order`."""

    func: "Expr"
    partition: tuple["Expr", ...] = ()
    order: "tuple[Order, ...]" = ()


@record(frozen=True, slots=True)
class Case:
    """CASE: pairs of conditions (in conjunctive normal form) and results; `otherwise` None is no ELSE, or ELSE NULL."""

    whens: "tuple[tuple[tuple[Clause, ...], Expr], ...]"
    otherwise: "Expr | None" = None


@record(frozen=True, slots=True)
class Binary:
    """Arithmetic `+ - * / // % ||` and other two-sided operators. Operands of `+` and `*` are in a canonical order."""

    op: str
    left: "Expr"
    right: "Expr"


@record(frozen=True, slots=True)
class Subquery:
    """A query that stands for a value or a set. `correlated`: it names columns of the query around it."""

    query: "Spec"
    correlated: bool = False


@record(frozen=True, slots=True)
class Opaque:
    """What the algebra does not model, as canonical text, with the expressions found in it."""

    text: str
    parts: tuple["Expr", ...] = ()


Expr: TypeAlias = Literal | Column | Phrase | Star | Func | Agg | Window | Case | Binary | Subquery | Opaque
