"""Comparisons in canonical form: the constant on the right, wrappers of the subject understood."""

from collections.abc import Callable
from datetime import datetime

from stef.records.expressions import Agg, Case, Expr, Func, Literal, Relative, Span, Subquery
from stef.records.predicates import Bound, Interval, Op, PatternKind, Predicate
from stef.records.spec import Select
from stef.sql import patterns, times
from stef.sql.literals import fold_text, parse_moment
from stef.sql.logic import sorted_values
from stef.sql.trees import sort_key
from stef.sql.walk import Cnf, Walk

FLIPPED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def compare(walk: Walk, left: Expr, op: str, right: Expr, span: Span | None) -> Cnf:
    """What `left op right` means."""
    if type(left) is Literal:
        if type(right) is Literal:
            return _constant(walk, left, op, right, span)
        left, op, right = right, FLIPPED[op], left
    if type(right) is Literal:
        return against_literal(walk, left, op, right, span)
    period = times.same_period(left, right, op, span)
    if period is not None:
        return period
    if type(left) is Subquery and type(right) is not Subquery:
        left, op, right = right, FLIPPED[op], left
    if type(right) is Subquery:
        return _against_query(walk, left, op, right, span)
    if type(left) is Func and type(right) is Func and left.name == right.name and left.name in _FOLDING:
        left, right = left.args[0], right.args[0]
    if sort_key(left) > sort_key(right):
        left, op, right = right, FLIPPED[op], left
    return [(Predicate(left, Op.COMPARE, comparator=op, other=right, span=span),)]


def _constant(walk: Walk, left: Literal, op: str, right: Literal, span: Span | None) -> Cnf:
    if op in ("=", "<>") and not isinstance(left.value, Relative) and not isinstance(right.value, Relative):
        walk.note("constant_condition", "", span)
        return [] if (left.value == right.value) == (op == "=") else [()]
    return [(Predicate(left, Op.COMPARE, comparator=op, other=right, span=span),)]


def _against_query(walk: Walk, left: Expr, op: str, right: Subquery, span: Span | None) -> Cnf:
    """A scalar subquery that computes no aggregate is a lookup: `= (SELECT id …)` is `IN (SELECT id …)`."""
    query = right.query
    if op in ("=", "<>") and type(left) is not Agg and isinstance(query, Select) and not _computes(query):
        walk.note("equals_subquery", "", span)
        return [(Predicate(left, Op.IN_QUERY, op == "<>", other=right, span=span),)]
    return [(Predicate(left, Op.COMPARE, comparator=op, other=right, span=span),)]


def _computes(query: Select) -> bool:
    from stef.sql.trees import aggregated  # noqa: PLC0415

    if query.limit is not None or query.tops or not query.sources:
        return True
    return any(aggregated(projection.expr) for projection in query.projections)


def against_literal(walk: Walk, subject: Expr, op: str, literal: Literal, span: Span | None) -> Cnf:
    """What comparing `subject` with a constant means."""
    folded = False
    if type(subject) is Case and op == "=":
        picked = _picked(subject, literal)
        if picked is not None:
            return picked
    while type(subject) is Func:
        test = _SUBJECTS.get(subject.name)
        if test is not None:
            result = test(walk, subject, op, literal, span)
            if result is not None:
                return result
        if subject.name not in _FOLDING:
            break
        if literal.quoted and literal.text != _FOLDING[subject.name](literal.text):
            walk.note("case_never_matches", literal.text, span)
        folded = True
        subject = subject.args[0]
    return plain(walk, subject, op, literal, span, folded=folded)


def _picked(subject: Case, literal: Literal) -> Cnf | None:
    """`CASE WHEN c THEN 1 ELSE 0 END = 1` is c; None for another CASE."""
    if len(subject.whens) != 1:
        return None
    clauses, then = subject.whens[0]
    if type(then) is not Literal or then.value != literal.value or subject.otherwise == then:
        return None
    if subject.otherwise is not None and type(subject.otherwise) is not Literal:
        return None
    return [clause.predicates for clause in clauses]


_FOLDING: dict[str, Callable[[str], str]] = {
    "LOWER": str.lower,
    "UPPER": str.upper,
    "TRIM": str.strip,
    "COLLATE": str,
    "UNACCENT": str,
}


def plain(  # noqa: PLR0913 - what a comparison is made of
    walk: Walk, subject: Expr, op: str, literal: Literal, span: Span | None, *, folded: bool = False
) -> Cnf:
    """A subject without wrappers compared with a constant."""
    value = literal.value
    if value is None:
        walk.note("equals_null", "", span)
    elif isinstance(value, datetime | Relative):
        return times.against_moment(walk, subject, op, literal, span)
    elif literal.quoted:
        text = literal.text
        if len(text) >= 10 and text[4] == "-" and parse_moment(text) is not None:
            return times.against_moment(walk, subject, op, literal, span)
        times.not_iso(walk, subject, literal, span)
    if op == "=":
        return [(Predicate(subject, Op.IN, values=(literal,), folded=folded, span=span),)]
    if op == "<>":
        return [(Predicate(subject, Op.IN, True, values=(literal,), folded=folded, span=span),)]
    bound = Bound(value, op in ("<=", ">="), literal)
    interval = Interval(low=bound) if op in (">", ">=") else Interval(high=bound)
    return [(Predicate(subject, Op.RANGE, interval=interval, span=span),)]


def among(walk: Walk, subject: Expr, literals: list[Literal], span: Span | None, *, negated: bool) -> Cnf:
    """`subject IN (literals)`, or NOT IN."""
    from stef.sql.logic import disjoin  # noqa: PLC0415

    if len(literals) == 1:
        return against_literal(walk, subject, "<>" if negated else "=", literals[0], span)
    folded = False
    while type(subject) is Func:
        if subject.name in _SUBJECTS and not negated and len(literals) <= 32:
            tests = [against_literal(walk, subject, "=", literal, span) for literal in literals]
            return disjoin(tests) or []
        if subject.name not in _FOLDING:
            break
        folded = True
        subject = subject.args[0]
    values = sorted_values([_moment(literal) for literal in literals])
    return [(Predicate(subject, Op.IN, negated, values=values, folded=folded, span=span),)]


def _moment(literal: Literal) -> Literal:
    if literal.quoted and len(literal.text) >= 10 and literal.text[4] == "-":
        moment = parse_moment(literal.text)
        if moment is not None:
            return Literal(moment[0], literal.text, quoted=True, span=literal.span)
    return literal


def _position(_walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    """`INSTR(x, 'a') > 0` is `x LIKE '%a%'`; `= 1` a prefix; `= 0` the opposite."""
    text = patterns.text_of(subject.args[1])
    if text is None or len(subject.args) != 2:
        return None
    test = (op, literal.value)
    kind = PatternKind.PREFIX if test == ("=", 1) else PatternKind.CONTAINS
    if test in (("=", 0), ("<", 1), ("<=", 0)):
        return patterns.negate(patterns.pattern(subject.args[0], kind, text, span), negated=True)
    if test in ((">", 0), (">=", 1), ("<>", 0), ("=", 1)):
        return [(patterns.pattern(subject.args[0], kind, text, span),)]
    return None


def _substring(walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    """`SUBSTR(x, 1, n) = 'abc'` is a prefix, or the period of a date that begins so."""
    if len(subject.args) != 3:
        return None
    start, length = subject.args[1], subject.args[2]
    if type(start) is not Literal or type(length) is not Literal or start.value not in (0, 1):
        return _date_part(walk, subject, op, literal, span)
    return _prefix(subject.args[0], (op, length.value), literal, span)


def _left(_walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    length = subject.args[1]
    value = length.value if type(length) is Literal else None
    return _prefix(subject.args[0], (op, value), literal, span)


def _prefix(inner: Expr, test: tuple[str, object], literal: Literal, span: Span | None) -> Cnf | None:
    op, length = test
    text = literal.text
    if length in (4, 7, 10):
        period = times.prefix_period(text, sure=length == 4)
        if period is not None and len(text) == length:
            start, end = Bound(period[0], True, literal), Bound(period[1], False, literal)
            return times.in_period(inner, op, start, end, span)
    if op not in ("=", "<>") or length != len(text) or not literal.quoted:
        return None
    if type(inner) is Func and inner.name in _FOLDING:
        found = patterns.pattern(inner.args[0], PatternKind.PREFIX, text, span, folded=True)
    else:
        found = patterns.pattern(inner, PatternKind.PREFIX, text, span)
    return patterns.negate(found, negated=op == "<>")


_DATE_PARTS = {(6, 2): "MONTH", (9, 2): "DAY", (12, 2): "HOUR"}


def _date_part(walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    """`SUBSTR(d, 6, 2) = '03'` is the month of a date in ISO form."""
    start, length = subject.args[1], subject.args[2]
    if type(start) is Literal and type(length) is Literal and literal.quoted:
        name = _DATE_PARTS.get((start.value, length.value))  # type: ignore[arg-type]
        if name is not None and literal.text.isdecimal() and len(literal.text) == 2:
            return times.part_test(walk, Func(name, (subject.args[0],)), op, literal, span)
    return None


def _right(_walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    length = subject.args[1]
    if op not in ("=", "<>") or type(length) is not Literal or length.value != len(literal.text):
        return None
    found = patterns.pattern(subject.args[0], PatternKind.SUFFIX, literal.text, span)
    return patterns.negate(found, negated=op == "<>")


def _coalesce(walk: Walk, subject: Func, op: str, literal: Literal, span: Span | None) -> Cnf | None:
    """`COALESCE(x, 0) = 1` says the same of x, as the default would not pass; `= 0` means x = 0 or no x."""
    from stef.sql.logic import any_of  # noqa: PLC0415

    if len(subject.args) != 2 or op not in ("=", "<>"):
        return None
    inner, default = subject.args[0], subject.args[1]
    if type(default) is not Literal:
        return None
    same = default.value == literal.value
    if isinstance(default.value, str):
        same = default.value == fold_text(literal.text)
    tests = against_literal(walk, inner, op, literal, span)
    if same == (op == "<>") or len(tests) != 1:
        return tests
    return [any_of([*tests[0], Predicate(inner, Op.NULL, span=span)])]


_SUBJECTS: dict[str, Callable[[Walk, Func, str, Literal, Span | None], Cnf | None]] = {
    **times.TESTS,
    "STRPOS": _position,
    "SUBSTR": _substring,
    "LEFT": _left,
    "RIGHT": _right,
    "COALESCE": _coalesce,
}
