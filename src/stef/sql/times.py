"""Tests on time: every spelling of "in 2024", "in March 2024", "on that day" as one half-open interval."""

import re
from collections.abc import Callable
from datetime import datetime

from stef.records.expressions import Column, Expr, Func, Literal, Relative, Span
from stef.records.predicates import Bound, Clause, Interval, Op, PatternKind, Predicate, Scope
from stef.sql.clock import floor_moment
from stef.sql.literals import DAY, day_after, looks_like_date, month_after, parse_moment
from stef.sql.logic import conjoin, hull, to_clauses
from stef.sql.names import type_of
from stef.sql.schema import ColumnType
from stef.sql.trees import clause_key
from stef.sql.walk import Cnf, Walk

_PREFIX = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?-?")
_YEARS = range(1800, 2200)
_TIME_NAME = re.compile(r"date|time|_at$|_on$|^day|month|birth")
Period = tuple[datetime, datetime]


def in_period(subject: Expr, op: str, start: Bound, end: Bound, span: Span | None) -> Cnf:
    """What comparing the number or text of a period with that of a time means for the time itself."""
    match op:
        case "=":
            return [(_range(subject, start, end, span),)]
        case "<>":
            return [(_range(subject, None, start, span), _range(subject, end, None, span))]
        case "<":
            return [(_range(subject, None, start, span),)]
        case "<=":
            return [(_range(subject, None, end, span),)]
        case ">":
            return [(_range(subject, end, None, span),)]
        case _:
            return [(_range(subject, start, None, span),)]


def _range(subject: Expr, low: Bound | None, high: Bound | None, span: Span | None) -> Predicate:
    low = None if low is None else Bound(low.value, True, low.literal)
    high = None if high is None else Bound(high.value, False, high.literal)
    return Predicate(subject, Op.RANGE, interval=Interval(low, high), span=span)


def _periods(subject: Expr, op: str, period: Period, literal: Literal, span: Span | None) -> Cnf:
    return in_period(subject, op, Bound(period[0], True, literal), Bound(period[1], False, literal), span)


def against_moment(  # noqa: C901 - one case an operator and kind of moment
    walk: Walk, subject: Expr, op: str, literal: Literal, span: Span | None
) -> Cnf:
    """A time compared with a date or timestamp."""
    value = literal.value
    whole_day = False
    if isinstance(value, str):
        moment = parse_moment(literal.text)
        if moment is None:
            return []
        value, whole_day = moment
    elif isinstance(value, datetime):
        parsed = parse_moment(literal.text)
        whole_day = parsed[1] if parsed is not None else value == floor_moment(value, "day")
    if isinstance(value, Relative):
        return _against_relative(subject, op, value, literal, span)
    if not isinstance(value, datetime):
        return []
    kind = type_of(walk, subject)
    if whole_day and op != "<>" and not (kind is ColumnType.TIMESTAMP and op in ("=", "<=")):
        if op == ">" and kind is not ColumnType.DATE:
            return [(_bounded(subject, ">", value, literal, span),)]
        if op == "<=" and kind is not ColumnType.DATE:
            walk.note("inclusive_end", literal.text, span)
        return _periods(subject, op, (value, day_after(value)), literal, span)
    if op == "<=" and whole_day:
        walk.note("inclusive_end", literal.text, span)
    if op == "<=" and value.hour == 23 and value.minute == 59:
        return _periods(subject, "<", (day_after(value), day_after(value)), literal, span)
    constant = Literal(value, literal.text, quoted=literal.quoted, span=literal.span)
    if op in ("=", "<>"):
        return [(Predicate(subject, Op.IN, op == "<>", values=(constant,), span=span),)]
    return [(_bounded(subject, op, value, constant, span),)]


def _bounded(subject: Expr, op: str, value: datetime | Relative, literal: Literal, span: Span | None) -> Predicate:
    bound = Bound(value, op in ("<=", ">="), literal)
    interval = Interval(low=bound) if op in (">", ">=") else Interval(high=bound)
    return Predicate(subject, Op.RANGE, interval=interval, span=span)


def _against_relative(subject: Expr, op: str, value: Relative, literal: Literal, span: Span | None) -> Cnf:
    after = next_period(value)
    if after is not None:
        return in_period(subject, op, Bound(value, True, literal), Bound(after, False, literal), span)
    if op in ("=", "<>"):
        return [(Predicate(subject, Op.IN, op == "<>", values=(literal,), span=span),)]
    return [(_bounded(subject, op, value, literal, span),)]


def next_period(value: Relative) -> Relative | None:
    """The start of the period after the one that starts at `value`; None where that cannot be said as one shift."""
    if value.floor is None or (value.offset and value.unit != value.floor):
        return None
    return Relative(value.floor, value.offset + 1, value.floor)


def year_test(_walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    """YEAR(x) compared with a number, or with the year of now."""
    year = _number(literal)
    if year is None or not 1 <= year <= 9998:
        return None
    return _periods(subject.args[0], op, (_day(year, 1), _day(year + 1, 1)), literal, span)


def _day(year: int, month: int) -> datetime:
    return datetime(year, month, 1)


def _number(literal: Literal) -> int | None:
    value = literal.value
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and value.isdecimal() and len(value) <= 4:
        return int(value)
    return None


def part_test(_walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    """MONTH(x), DAY(x), … compared with a number that may be written as text ('03')."""
    value = _number(literal)
    if value is None or type(literal.value) is int:
        return None
    number = Literal(value, literal.text, quoted=True, span=literal.span)
    if op in ("=", "<>"):
        return [(Predicate(subject, Op.IN, op == "<>", values=(number,), span=span),)]
    bound = Bound(value, op in ("<=", ">="), number)
    interval = Interval(low=bound) if op in (">", ">=") else Interval(high=bound)
    return [(Predicate(subject, Op.RANGE, interval=interval, span=span),)]


def format_test(_walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    """A time written as year and month (or day) compared with such a text."""
    fmt = subject.args[1]
    if type(fmt) is not Literal or not isinstance(literal.value, str | int):
        return None
    try:
        start = datetime.strptime(literal.text, str(fmt.text))
    except (ValueError, re.error, OverflowError):
        return None
    match fmt.text:
        case "%Y-%m" | "%Y%m" | "%Y/%m":
            period = (start, month_after(start, 1))
        case "%Y%m%d" | "%Y/%m/%d" | "%Y-%m-%d":
            period = (start, day_after(start))
        case "%d/%m/%Y" | "%m/%d/%Y" | "%d-%m-%Y" | "%m-%Y" | "%m/%Y" | "%d.%m.%Y" if op in ("=", "<>"):
            period = (start, month_after(start, 1) if "%d" not in fmt.text else day_after(start))
        case _:
            return None
    return _periods(subject.args[0], op, period, literal, span)


def day_test(_walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    """DATE(x) compared with a day: exact, whatever the type of x."""
    value = literal.value
    if isinstance(value, Relative):
        return _against_relative(subject.args[0], op, value, literal, span)
    if isinstance(value, str):
        moment = parse_moment(literal.text)
        if moment is None:
            return None
        value = moment[0]
    if not isinstance(value, datetime):
        return None
    start = floor_moment(value, "day")
    return _periods(subject.args[0], op, (start, day_after(start)), literal, span)


def trunc_test(_walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    """DATE_TRUNC(unit, x) compared with the start of such a unit."""
    unit = subject.args[0]
    inner = subject.args[1]
    if type(unit) is not Literal:
        return None
    value = literal.value
    if isinstance(value, Relative):
        return _against_relative(inner, op, value, literal, span) if value.floor == unit.value else None
    if isinstance(value, str):
        moment = parse_moment(literal.text)
        if moment is None:
            return None
        value = moment[0]
    if not isinstance(value, datetime):
        return None
    length = {"month": 1, "quarter": 3, "year": 12}.get(str(unit.value))
    if floor_moment(value, str(unit.value)) != value:
        return None
    if length is not None:
        return _periods(inner, op, (value, month_after(value, length)), literal, span)
    days = {"day": 1, "week": 7}.get(str(unit.value))
    if days is None or value.year > 9998:
        return None
    return _periods(inner, op, (value, value + DAY * days), literal, span)


def prefix_period(text: str, *, sure: bool) -> Period | None:
    """The period that a text such as '2024-03' or '2024-03-' begins; a bare year only where `sure` or in our times."""
    match = _PREFIX.fullmatch(text)
    if match is None:
        return None
    year, month, day = match.groups()
    if int(year) not in _YEARS or not (sure or month or text.endswith("-")):
        return None
    try:
        start = datetime(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    if day:
        return start, day_after(start)
    return start, month_after(start, 1 if month else 12)


def prefix_test(predicate: Predicate) -> Predicate:
    """`x LIKE '2024-03%'` as the month that it is; any other predicate as it was."""
    pattern = predicate.pattern
    if pattern is None or pattern.kind is not PatternKind.PREFIX:
        return predicate
    named = predicate.subject
    period = prefix_period(pattern.text, sure=type(named) is Column and _TIME_NAME.search(named.name) is not None)
    if period is None:
        return predicate
    literal = Literal(pattern.text, pattern.text, quoted=True, span=predicate.span)
    low, high = Bound(period[0], True, literal), Bound(period[1], False, literal)
    subject = predicate.subject
    if type(subject) is Func and subject.name == "DATE":
        subject = subject.args[0]
    return Predicate(subject, Op.RANGE, interval=Interval(low, high), span=predicate.span)


def same_period(left: Expr, right: Expr, op: str, span: Span | None) -> Cnf | None:
    """`YEAR(x) = YEAR(now)` and its kin as a relative interval; None for anything else."""
    if type(left) is Func and type(right) is Func and left.name == right.name and len(left.args) == 1:
        if left.name != "YEAR":
            return None
        subject, moment = left.args[0], right.args[0]
        if type(subject) is Literal:
            subject, moment = moment, subject
            op = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(op, op)
        if type(moment) is Literal and isinstance(moment.value, Relative) and type(subject) is not Literal:
            year = Relative(moment.value.unit if moment.value.offset else "year", moment.value.offset, "year")
            return _against_relative(subject, op, year, moment, span)
    return None


def settled(cnf: Cnf, scope: Scope) -> tuple[Clause, ...]:
    """The clauses of a condition inside an expression: without repetition, merged, in order."""
    clauses = combine(conjoin(to_clauses(cnf, scope)))
    return tuple(sorted(clauses, key=clause_key) if len(clauses) > 1 else clauses)


def combine(clauses: list[Clause]) -> list[Clause]:  # noqa: C901 - three nested searches over few clauses
    """`YEAR(x) = 2024 AND MONTH(x) = 3`, which by now is a year and a MONTH, as one month; quarters and days alike."""
    parts: dict[Expr, list[int]] = {}
    for index, clause in enumerate(clauses):
        if len(clause.predicates) != 1:
            continue
        subject = clause.predicates[0].subject
        if type(subject) is Func and subject.name in _NARROWING:
            parts.setdefault(subject.args[0], []).append(index)
    if not parts:
        return clauses
    result: list[Clause | None] = list(clauses)
    for index, clause in enumerate(clauses):
        if result[index] is None or len(clause.predicates) != 1 or clause.predicates[0].op is not Op.RANGE:
            continue
        predicate = clause.predicates[0]
        for name in ("QUARTER", "MONTH", "DAY"):
            for other in parts.get(predicate.subject, ()):
                part = clauses[other].predicates[0]
                if result[other] is None or part.subject != Func(name, (predicate.subject,)):
                    continue
                interval = _NARROWING[name](predicate.interval, part)
                if interval is not None:
                    span = hull((predicate.span, part.span))
                    predicate = Predicate(predicate.subject, Op.RANGE, interval=interval, span=span)
                    result[other] = None
        result[index] = Clause((predicate,), clause.scope, predicate.span)
    return [clause for clause in result if clause is not None]


def _numbers(predicate: Predicate) -> list[int] | None:
    if predicate.op is Op.IN and not predicate.negated:
        values = [value.value for value in predicate.values]
        numbers = sorted(value for value in values if type(value) is int)
        if len(numbers) == len(values) and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            return numbers
    if predicate.op is Op.RANGE and predicate.interval is not None:
        low, high = predicate.interval.low, predicate.interval.high
        if low is not None and high is not None and type(low.value) is int and type(high.value) is int:
            first = low.value if low.inclusive else low.value + 1
            last = high.value if high.inclusive else high.value - 1
            return list(range(first, last + 1)) if 0 < last - first + 1 <= 31 else None
    return None


def _ends(interval: Interval | None) -> Period | None:
    if interval is None or interval.low is None or interval.high is None:
        return None
    low, high = interval.low.value, interval.high.value
    return (low, high) if isinstance(low, datetime) and isinstance(high, datetime) else None


def _within_year(interval: Interval | None, predicate: Predicate, months: int) -> Interval | None:
    ends, numbers = _ends(interval), _numbers(predicate)
    if ends is None or numbers is None or ends != (_day(ends[0].year, 1), month_after(_day(ends[0].year, 1), 12)):
        return None
    if numbers[0] < 1 or numbers[-1] > 12 // months:
        return None
    start = month_after(ends[0], (numbers[0] - 1) * months)
    return Interval(Bound(start, True), Bound(month_after(ends[0], numbers[-1] * months), False))


def _quarter(interval: Interval | None, predicate: Predicate) -> Interval | None:
    return _within_year(interval, predicate, 3)


def _month(interval: Interval | None, predicate: Predicate) -> Interval | None:
    return _within_year(interval, predicate, 1)


def _day_of_month(interval: Interval | None, predicate: Predicate) -> Interval | None:
    ends, numbers = _ends(interval), _numbers(predicate)
    if ends is None or numbers is None or ends[0].day != 1 or ends[1] != month_after(ends[0], 1):
        return None
    start, end = ends[0] + DAY * (numbers[0] - 1), ends[0] + DAY * numbers[-1]
    if numbers[0] < 1 or end > ends[1]:
        return None
    return Interval(Bound(start, True), Bound(end, False))


_NARROWING: dict[str, Callable[[Interval | None, Predicate], Interval | None]] = {
    "QUARTER": _quarter,
    "MONTH": _month,
    "DAY": _day_of_month,
}

TESTS: dict[str, Callable[[Walk, Func, str, Literal, Span | None], Cnf | None]] = {
    "YEAR": year_test,
    "MONTH": part_test,
    "QUARTER": part_test,
    "WEEK": part_test,
    "DAY": part_test,
    "HOUR": part_test,
    "MINUTE": part_test,
    "WEEKDAY": part_test,
    "DAYOFYEAR": part_test,
    "DATE_FORMAT": format_test,
    "DATE": day_test,
    "DATE_TRUNC": trunc_test,
}
"""How a function of a time is compared with a constant; None where the test says nothing about the time itself."""


def not_iso(walk: Walk, subject: Expr, literal: Literal, span: Span | None) -> None:
    """Note a date that is not in ISO form where it is compared with a column."""
    if type(subject) is Column and looks_like_date(literal.text):
        walk.note("date_not_iso", literal.text, literal.span or span)
