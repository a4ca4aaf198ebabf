"""One asked predicate against one applied one: the same meaning, a changed one, the opposite, or another filter."""

from collections.abc import Callable
from dataclasses import replace

from stef.alignment.ground import Ground, fold
from stef.alignment.intervals import numeric, points, spellings
from stef.alignment.match_ranges import match_intervals, match_values
from stef.alignment.match_result import Match
from stef.question.words import name_stems, tie
from stef.records.alignment import FilterState
from stef.records.expressions import Agg, Column, Expr, Func, Literal, Phrase, Subquery
from stef.records.predicates import Bound, Clause, Interval, Op, PatternKind, Predicate
from stef.sql.compare import compatible, same_predicate

_APPLIED = FilterState.APPLIED
_ALTERED = FilterState.ALTERED
_OPPOSED = FilterState.OPPOSED


def match(asked: Predicate, done: Predicate, ground: Ground) -> Match | None:
    """How `done` answers `asked`; None where it is about something else."""
    tied = tie_expr(asked.subject, done.subject, ground)
    if tied == 1.0 and same_predicate(asked, done):
        return Match(_APPLIED, 1.0)
    return _BY_OP[asked.op](asked, done, tied, ground)


def opposite(asked: Clause) -> Clause | None:
    """The clause that holds where `asked` does not; None where that is no single clause."""
    first = asked.predicates[0]
    if len(asked.predicates) == 1:
        interval = first.interval
        if first.op is not Op.RANGE or interval is None:
            return replace(asked, predicates=(replace(first, negated=not first.negated),))
        if interval.low is not None and interval.high is not None:
            return None
        turned = Interval(low=_turned(interval.high), high=_turned(interval.low))
        return replace(asked, predicates=(replace(first, interval=turned),))
    if len(asked.predicates) == 2:
        below, above = (predicate.interval for predicate in asked.predicates)
        if below is not None and above is not None and below.low is None and above.high is None:
            gap = Interval(low=_turned(below.high), high=_turned(above.low))
            return replace(asked, predicates=(replace(first, interval=gap),))
    return None


def _turned(bound: Bound | None) -> Bound | None:
    return None if bound is None else replace(bound, inclusive=not bound.inclusive)


def tie_expr(asked: Expr, done: Expr, ground: Ground) -> float:
    """How surely the words of `asked` name the expression `done`, in [0, 1]."""
    if isinstance(asked, Agg):
        if not isinstance(done, Agg):
            return 0.3 * tie_expr(asked.arg, done, ground) if asked.arg is not None else 0.0
        if asked.name != done.name:
            return 0.2
        if asked.arg is None or done.arg is None:
            return 0.8
        return max(0.6, tie_expr(asked.arg, done.arg, ground))
    if isinstance(asked, Func) and isinstance(done, Func) and asked.name == done.name:
        return max(0.7, tie_expr(asked.args[0], done.args[0], ground)) if asked.args and done.args else 0.7
    if isinstance(asked, Phrase):
        return _tie_phrase(asked, done, ground)
    if compatible(asked, done):
        return 1.0
    # A hint's own words for a column are seldom its exact name.
    return 0.9 * _tie_phrase(Phrase(name_stems(asked.name)), done, ground) if isinstance(asked, Column) else 0.0


def _tie_phrase(phrase: Phrase, done: Expr, ground: Ground) -> float:
    if isinstance(done, Column):
        best = tie(phrase.stems, name_stems(done.name))
        for business in ground.names.get(done.name, ()):
            best = max(best, tie(phrase.stems, business))
        if best < 0.5:
            for source in done.sources:
                table = name_stems(source.rsplit(".", 1)[-1].split("#", 1)[0])
                best = max(best, 0.5 * tie(phrase.stems, table))
        return best
    parts = _parts(done)
    return max((_tie_phrase(phrase, part, ground) for part in parts), default=0.0)


def _parts(expr: Expr) -> tuple[Expr, ...]:
    if isinstance(expr, Func):
        return expr.args
    if isinstance(expr, Agg):
        return () if expr.arg is None else (expr.arg,)
    left, right = getattr(expr, "left", None), getattr(expr, "right", None)
    return (left, right) if left is not None and right is not None else ()


def _match_in(asked: Predicate, done: Predicate, tied: float, ground: Ground) -> Match | None:
    """A value, or a set of values."""
    if done.op is Op.IN:
        return _match_sets(asked, done, tied, ground)
    if done.op is Op.LIKE and done.pattern is not None:
        core = fold(done.pattern.text.replace("%", " "))
        for value in asked.values:
            text = fold(value.text or str(value.value))
            if text == core or (len(core) > 4 and (core in text or text in core)):
                if asked.negated != done.negated:
                    return Match(_OPPOSED, tied, "the opposite test")
                same = text == core and done.pattern.kind is PatternKind.CONTAINS and _asks_for_part(value, ground)
                return Match(_APPLIED if same else _ALTERED, tied, "a text pattern, where a value was asked")
    if done.op is Op.RANGE and not asked.negated and set(points(asked)) & set(points(done)):
        return Match(_ALTERED, tied, "a range, where a value was asked")
    return None


def _asks_for_part(value: Literal, ground: Ground) -> bool:
    """Whether the question itself asks for text that contains the value."""
    words = ("contain", "include", "like", "substr", "word", "letter", "start", "begin", "end", "keyword")
    return any(stem.startswith(words) for stem in ground.stems) and bool(value.text)


def _match_sets(asked: Predicate, done: Predicate, tied: float, ground: Ground) -> Match | None:
    wanted = [value for value in asked.values if not _among(value, done, ground)]
    if len(wanted) == len(asked.values):
        return None
    if asked.negated != done.negated:
        return Match(_OPPOSED, tied, "the opposite test")
    more = [value for value in done.values if not _is_asked(value, asked.values, done, ground)]
    if wanted:
        return Match(_ALTERED, tied, "fewer values than asked")
    if more and not all(ground.mentions(value, done.subject) for value in more):
        return Match(_ALTERED, tied, "more values than asked")
    return Match(_APPLIED, tied)


def _among(asked: Literal, done: Predicate, ground: Ground) -> bool:
    return any(_same_value(asked, value, done.subject, ground) for value in done.values)


def _is_asked(value: Literal, asked: tuple[Literal, ...], done: Predicate, ground: Ground) -> bool:
    return any(_same_value(one, value, done.subject, ground) for one in asked)


def _same_value(asked: Literal, done: Literal, subject: Expr, ground: Ground) -> bool:
    """Equal as they stand, as numbers, as folded text, or as a business name and what is stored for it."""
    text = fold(asked.text or str(asked.value))
    stored = ground.stored_for(text.strip(), subject)
    if stored:
        return fold(done.text or str(done.value)).strip() in stored
    if asked.value == done.value:
        return True
    number = numeric(asked)
    if number is not None and number == numeric(done):
        return True
    if not text.strip():
        # A sign ("+", "-") has no words to compare; hints put spaces round it.
        return _bare(asked) == _bare(done)
    return fold(done.text or str(done.value)) == text


def _bare(literal: Literal) -> str:
    return (literal.text or str(literal.value)).strip()


def _match_range(asked: Predicate, done: Predicate, tied: float, ground: Ground) -> Match | None:
    """A comparison of numbers, or a period."""
    if asked.interval is None:
        return None
    if done.op is Op.RANGE:
        return match_intervals(asked, done, tied, ground)
    if done.op is Op.IN:
        return match_values(asked.interval, done, tied, ground)
    if done.op is Op.LIKE and done.pattern is not None:
        core = done.pattern.text.replace("%", "").strip()
        if core in spellings(asked.interval):
            return Match(_OPPOSED if done.negated else _APPLIED, max(tied, 0.6))
    return None


def _match_like(asked: Predicate, done: Predicate, tied: float, _: Ground) -> Match | None:
    """A text pattern: starts with, ends with, contains."""
    if asked.pattern is None:
        return None
    text = fold(asked.pattern.text.replace("%", " "))
    if done.op is Op.LIKE and done.pattern is not None:
        if fold(done.pattern.text.replace("%", " ")) != text:
            return None
        if asked.negated != done.negated:
            return Match(_OPPOSED, tied, "the opposite test")
        same = asked.pattern.kind is done.pattern.kind and asked.pattern.text == done.pattern.text
        return Match(_APPLIED if same else _ALTERED, max(tied, 0.6), "" if same else "another text pattern than asked")
    if done.op is Op.IN and any(fold(value.text) == text for value in done.values):
        if tied < 0.5 and asked.pattern.kind is PatternKind.CONTAINS and asked.negated == done.negated:
            # "Molecules that contain 'cl'" speaks of what a thing is made of, and of no text.
            return Match(_APPLIED, tied)
        return Match(_ALTERED, tied, "the whole value, where a part was asked")
    return None


def _match_null(asked: Predicate, done: Predicate, tied: float, _: Ground) -> Match | None:
    """A test for nothing there."""
    if done.op is Op.NULL and tied >= 0.5:
        return Match(_APPLIED if asked.negated == done.negated else _OPPOSED, tied)
    if done.op is Op.IN and tied >= 0.5 and any(str(value.value) in ("", "None") for value in done.values):
        return Match(_APPLIED if asked.negated == done.negated else _OPPOSED, tied)
    return None


def _match_compare(asked: Predicate, done: Predicate, tied: float, ground: Ground) -> Match | None:
    """A comparison with another expression, such as the average."""
    if done.op is not Op.COMPARE or done.other is None:
        return None
    comparator, other = done.comparator or "", done.other
    if asked.other is not None and _swapped(asked, done, ground):
        comparator, other = _MIRRORED.get(comparator, comparator), done.subject
    if isinstance(asked.other, Subquery | Agg) != isinstance(other, Subquery | Agg):
        return None
    wanted = (asked.comparator or "")[:1]
    if comparator[:1] == wanted:
        return Match(_APPLIED, max(tied, 0.5))
    return Match(_OPPOSED, tied, "the opposite test") if _MIRRORED.get(comparator, comparator)[:1] == wanted else None


_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _swapped(asked: Predicate, done: Predicate, ground: Ground) -> bool:
    """Whether the SQL has the two sides the other way round."""
    if asked.other is None or done.other is None:
        return False
    if isinstance(done.subject, Subquery | Agg) != isinstance(done.other, Subquery | Agg):
        return isinstance(done.subject, Subquery | Agg) and not isinstance(asked.subject, Subquery | Agg)
    return tie_expr(asked.subject, done.other, ground) > tie_expr(asked.subject, done.subject, ground)


def _match_query(asked: Predicate, done: Predicate, tied: float, _: Ground) -> Match | None:
    """Membership in, or absence from, another set of rows."""
    if done.op in (Op.IN_QUERY, Op.EXISTS):
        return Match(_APPLIED if asked.negated == done.negated else _OPPOSED, max(tied, 0.5))
    if asked.negated and done.op is Op.NULL and not done.negated:
        return Match(_APPLIED, max(tied, 0.5))
    return None


def _match_holds(asked: Predicate, done: Predicate, tied: float, _: Ground) -> Match | None:
    """A flag or an adjective."""
    if asked.negated and done.op in (Op.IN_QUERY, Op.EXISTS):
        return Match(_APPLIED if done.negated else _OPPOSED, max(tied, 0.5))
    if asked.negated and done.op is Op.NULL and not done.negated:
        return Match(_APPLIED, max(tied, 0.3))
    if tied < 0.5:
        return None
    if done.op in (Op.IN, Op.HOLDS, Op.NULL):
        said_no = done.negated or any(str(value.value).casefold() in ("0", "false", "n", "no") for value in done.values)
        return Match(_APPLIED if asked.negated == said_no else _OPPOSED, tied)
    return None


_BY_OP: dict[Op, Callable[[Predicate, Predicate, float, Ground], Match | None]] = {
    Op.IN: _match_in,
    Op.RANGE: _match_range,
    Op.LIKE: _match_like,
    Op.NULL: _match_null,
    Op.COMPARE: _match_compare,
    Op.IN_QUERY: _match_query,
    Op.EXISTS: _match_query,
    Op.HOLDS: _match_holds,
}
