"""What the rules on questions share: the pieces of an output, and the constants that a turn asks for."""

from collections.abc import Iterator

from stef.alignment.facts import Facts, Placed
from stef.findings.context import Context
from stef.question.wordlists import word_set
from stef.question.words import name_stems
from stef.records.alignment import FilterState
from stef.records.expressions import Agg, Binary, Column, Expr, Literal, Span, Star, Subquery
from stef.records.predicates import Bound, Op, Predicate
from stef.records.reading import Formula, Mention, MentionKind, Tie
from stef.records.spec import SetOp
from stef.sql.trees import children

COMPUTED = word_set(
    "count_asked number_of_asked percentage_asked ratio_asked difference_asked average_asked total_asked amount_asked "
    "maximum_asked minimum_asked duration_asked age_asked"
)
"""Notes of a question that asks for something computed."""

GROUPED = word_set("each_asked per_asked grouped_by_asked")
"""Notes of a question that asks for one row per group."""

EXTREMES = frozenset(("MAX", "MIN"))
_BIRTH = frozenset(("birth", "born", "birthday", "dob", "birthdat"))
_DATED = _BIRTH | {"date", "datetim", "timestamp"}


def shown(context: Context) -> list[Expr]:
    """What the SELECT shows."""
    return [projection.expr for projection in context.done.projections]


def inside(expr: Expr) -> Iterator[Expr]:
    """`expr` and everything it is made of, subqueries left closed."""
    yield expr
    for part in children(expr):
        yield from inside(part)


def opened(expr: Expr) -> Iterator[Expr]:
    """As `inside`, with what scalar subqueries show."""
    for part in inside(expr):
        yield part
        if isinstance(part, Subquery) and not isinstance(part.query, SetOp):
            for projection in part.query.projections:
                yield from opened(projection.expr)


def columns_of(expr: Expr) -> Iterator[Column]:
    """The columns that an expression shows or computes with."""
    return (part for part in opened(expr) if isinstance(part, Column))


def operations(expr: Expr, operators: tuple[str, ...]) -> Iterator[Binary]:
    """The parts of an expression that apply one of these operators."""
    return (part for part in opened(expr) if isinstance(part, Binary) and part.op in operators)


def is_aggregate(expr: Expr) -> bool:
    """Whether an expression is an aggregate, or arithmetic over one."""
    return any(isinstance(part, Agg) for part in inside(expr))


def shows_star(context: Context) -> bool:
    """Whether the SELECT shows every column."""
    return any(isinstance(expr, Star) for expr in shown(context))


def is_birth(expr: Expr) -> bool:
    """Whether an expression is a date of birth, or a part of one."""
    return any(isinstance(part, Column) and bool(_BIRTH & set(name_stems(part.name))) for part in inside(expr))


def is_dated(column: Column) -> bool:
    """Whether a column's name says that it holds a date, and not a bare year."""
    stems = set(name_stems(column.name))
    return bool(stems & _DATED) and "year" not in stems


def subtracts(facts: Facts) -> bool:
    """Whether the SQL subtracts, or computes a time between two dates."""
    return "-" in facts.operators or bool(_DIFFERENCES & facts.functions)


_DIFFERENCES = word_set("DATEDIFF DATE_DIFF TIMESTAMPDIFF TIMESTAMP_DIFF JULIANDAY AGE ABS TIMEDIFF MONTHS_BETWEEN")


def divides(facts: Facts) -> bool:
    """Whether the SQL divides, or takes an average, which divides too."""
    return bool(facts.operators & {"/", "//"}) or any(agg.name == "AVG" for agg in facts.aggregates)


def predicates(context: Context) -> Iterator[tuple[Placed, Predicate]]:
    """Every filter of the SQL, with the clause that it stands in."""
    for placed in context.done.placed:
        for predicate in placed.clause.predicates:
            yield placed, predicate


def mentions(context: Context) -> Iterator[Mention]:
    """The constants of question and enriched question that are surely constraints, or stand in a hint."""
    sides = context.sides
    for reading in (sides.question, sides.enriched):
        for mention in () if reading is None else reading.mentions:
            if mention.clause is not None and (mention.certain or mention.kind is MentionKind.HINT):
                yield mention


def asked_texts(context: Context) -> list[Literal]:
    """The text values that a turn asks for."""
    return [
        value
        for mention in mentions(context)
        if mention.clause is not None
        for predicate in mention.clause.predicates
        for value in predicate.values
        if isinstance(value.value, str)
    ]


def done_texts(context: Context) -> list[tuple[Literal, Predicate]]:
    """The text values that the SQL compares with, each with its filter."""
    return [
        (value, predicate)
        for _, predicate in predicates(context)
        if predicate.op is Op.IN
        for value in predicate.values
        if isinstance(value.value, str)
    ]


def all_applied(context: Context) -> bool:
    """Whether every filter that is asked for is in force as it is asked."""
    return all(one.state is FilterState.APPLIED for one in context.sides.filters.required)


def bounds(predicate: Predicate) -> Iterator[tuple[str, Bound]]:
    """The ends of a range, each as "low" or "high"."""
    if predicate.interval is not None:
        if predicate.interval.low is not None:
            yield "low", predicate.interval.low
        if predicate.interval.high is not None:
            yield "high", predicate.interval.high


def is_id(expr: Expr) -> bool:
    """Whether a column's name says that it is a key."""
    return isinstance(expr, Column) and name_stems(expr.name)[-1:] == ("id",)


def ties(context: Context) -> tuple[Tie, ...]:
    """What the hints say that phrases stand for."""
    enriched = context.sides.enriched
    return () if enriched is None else enriched.ties


def formulas(context: Context) -> tuple[Formula, ...]:
    """How the hints say that something is computed."""
    enriched = context.sides.enriched
    return () if enriched is None else enriched.formulas


def said(context: Context, span: Span | None) -> str:
    """The words of the user's question at `span`, folded."""
    return "" if span is None else context.question.text[span[0] : span[1]].casefold()
