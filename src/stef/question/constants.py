"""The constants of a question as mentions, and the filters that they state: periods, values, numbers, comparisons."""

from datetime import datetime

from stef.question.comparatives import ComparisonKind, ComparisonMention, find_comparisons
from stef.question.grammar import ASK_VERBS, AUXILIARIES, PREPOSITIONS, VERBS
from stef.question.numbers import NumberMention, find_numbers
from stef.question.periods import Calendar, PeriodMention, find_periods
from stef.question.scan import STOP, Draft, Scan, is_plural, phrase_at, phrase_before
from stef.question.value_clauses import is_negated, value_clause
from stef.question.values import ValueMention, find_values
from stef.question.wordlists import word_set
from stef.records.expressions import Agg, Expr, Func, Literal, Phrase
from stef.records.predicates import Bound, Clause, Interval, Op, Predicate, Scope
from stef.records.reading import Mention, MentionKind

_UNITS = word_set(
    "year years month months week weeks day days hour hours minute minutes second seconds ms millisecond milliseconds "
    "dollar dollars euro euros usd eur gbp pound pounds cent cents kg kilogram kilograms g gram grams lb lbs km "
    "kilometers kilometres m meter meters metre metres cm centimeters miles mile feet foot inch inches percent "
    "percentage degrees celsius fahrenheit mb gb tb kb stars k million billion thousand times old"
)


def read_constants(draft: Draft, now: datetime | None, calendar: Calendar | None) -> None:
    """Find all constants of the question and add their mentions, each with the filter that it states."""
    scan = draft.scan
    numbers = find_numbers(scan.text, scan.words)
    periods = find_periods(scan.text, scan.words, now, calendar)
    comparisons = find_comparisons(scan.text, scan.words, numbers, periods)
    quoted_or_named = _read_values(draft, periods)
    for period in periods:
        if not _inside(period.first, period.last, quoted_or_named):
            _read_period(draft, period)
    used: set[int] = set()
    for comparison in comparisons:
        if scan.taken[comparison.last] and comparison.numbers != ():
            continue
        _read_comparison(draft, comparison)
        used.update(range(comparison.first, comparison.last + 1))
    for number in numbers:
        if number.first not in used and not scan.taken[number.first] and not number.quoted:
            _read_number(draft, number)


def _read_values(draft: Draft, periods: tuple[PeriodMention, ...]) -> list[ValueMention]:
    scan = draft.scan
    for period in periods:
        scan.taken[period.first : period.last + 1] = b"\x01" * (period.last + 1 - period.first)
    values = find_values(scan)
    for value in values:
        clause = value_clause(scan, value)
        draft.mentions.append(Mention(MentionKind.VALUE, value.text, value.span, clause, value.certain))
    return values


def _inside(first: int, last: int, values: list[ValueMention]) -> bool:
    """Whether a period is part of a value: of a longer name, or of quotes that hold more ("for 'April Fair'")."""
    return any(
        value.first <= last <= value.last and (value.first <= first or (value.quoted and last < value.last))
        for value in values
    )


def _read_period(draft: Draft, period: PeriodMention) -> None:
    scan = draft.scan
    subject = _period_subject(scan, period.first)
    predicates: list[Predicate] = []
    negated = is_negated(scan, period.first) or period.negated
    if period.interval is not None:
        predicates += _ranges(subject, period.interval, negated, period)
    clauses = [Clause(tuple(predicates), Scope.ASKED, period.span)] if predicates else []
    for part in period.periodic:
        dated = Func(part.part, (subject,))
        if part.low == part.high:
            literal = Literal(part.low, period.text, span=period.span)
            one = Predicate(dated, Op.IN, negated, values=(literal,), span=period.span)
        else:
            one = Predicate(
                dated, Op.RANGE, interval=Interval(Bound(part.low, True), Bound(part.high, True)), span=period.span
            )
        clauses.append(Clause((one,), Scope.ASKED, period.span))
    # "(inclusive of today)", "excluding the current month" say where another period ends.
    certain = period.certain and not any(
        scan.at(at) in ("inclusive", "exclusive", "including", "excluding")
        for at in range(period.first - 2, period.first + 1)
    )
    stated: list[Clause | None] = [*clauses] or [None]
    for clause in stated:
        draft.mentions.append(Mention(MentionKind.PERIOD, period.text, period.span, clause, certain))


def _ranges(subject: Expr, interval: Interval, negated: bool, period: PeriodMention) -> list[Predicate]:
    if not negated:
        return [Predicate(subject, Op.RANGE, interval=interval, span=period.span)]
    outside = []
    if interval.low is not None:
        outside.append(Interval(None, Bound(interval.low.value, not interval.low.inclusive)))
    if interval.high is not None:
        outside.append(Interval(Bound(interval.high.value, not interval.high.inclusive), None))
    return [Predicate(subject, Op.RANGE, interval=one, span=period.span) for one in outside]


def _period_subject(scan: Scan, first: int) -> Phrase:
    """What the period is of: the participle or the dated noun before it ("*born* in 1991", "*season* 2008")."""
    at = first - 1
    while at >= 0 and (scan.low[at] in PREPOSITIONS or scan.low[at] in AUXILIARIES or scan.words[at].stop):
        if scan.gap[at] == STOP:
            return Phrase(())
        at -= 1
    if at < 0 or scan.gap[at] == STOP or scan.taken[at] or scan.gap[at]:
        return Phrase(())
    low, word = scan.low[at], scan.words[at]
    if not (low.endswith("ed") or low in VERBS or low in _DATED):
        return Phrase(())
    return Phrase((word.stem,), word.text, word.span)


_DATED = word_set(
    "date dates day days year years month months season birthday birth birthdate time timestamp period quarter "
    "semester born sale sales founded"
)


def _read_comparison(draft: Draft, comparison: ComparisonMention) -> None:
    scan = draft.scan
    if _is_multiple(scan, comparison):
        draft.note("ratio_asked", comparison.first, comparison.last)
        draft.mentions.append(Mention(MentionKind.NUMBER, comparison.text, comparison.span, None, certain=False))
        return
    subject = comparison_subject(scan, comparison)
    predicate = _predicate(subject, comparison)
    clause = Clause((predicate,), Scope.ASKED, comparison.span) if predicate is not None else None
    draft.mentions.append(Mention(MentionKind.NUMBER, comparison.text, comparison.span, clause, comparison.certain))


def _is_multiple(scan: Scan, comparison: ComparisonMention) -> bool:
    """ "at least twice that of X", "1.5 times larger than": compared with a multiple of something else."""
    if scan.low[comparison.last] in ("twice", "double", "thrice", "triple"):
        return True
    following = scan.low[comparison.last + 1 : comparison.last + 3]
    return following[:1] == ["times"] and following[1:] in _MULTIPLES


_MULTIPLES = tuple([word] for word in ("that", "as", "the", "larger", "greater", "more", "higher", "of", "bigger"))


def _predicate(subject: Expr, comparison: ComparisonMention) -> Predicate | None:
    span = comparison.span
    match comparison.kind:
        case ComparisonKind.RANGE:
            return Predicate(subject, Op.RANGE, interval=comparison.interval, span=span)
        case ComparisonKind.EQUAL:
            literal = Literal(comparison.value, comparison.text, span=span)
            return Predicate(subject, Op.IN, comparison.negated, values=(literal,), span=span)
        case ComparisonKind.AGGREGATE:
            other = Agg(comparison.aggregate or "AVG", subject)
            return Predicate(subject, Op.COMPARE, comparator=comparison.comparator, other=other, span=span)
    return None


def comparison_subject(scan: Scan, comparison: ComparisonMention) -> Expr:
    """What a comparison compares: "*rating* above 4", *age* of "older than 20", COUNT of "more than 3 *singers*"."""
    if comparison.dimension:
        return Phrase(comparison.dimension, scan.slice(comparison.first, comparison.first))
    before = scan.at(comparison.first - 1)
    left = phrase_before(scan, comparison.first)
    right, _ = phrase_at(scan, comparison.last + 1) if not scan.gap[comparison.last] else (None, 0)
    counts = (
        right is not None
        and right.stems
        and right.span is not None
        and scan.at(comparison.last + 1) not in _UNITS
        and is_plural(right.text.split(" of ")[0].lower())
        and not (left is not None and before not in AUXILIARIES and before not in VERBS and before != "with")
    )
    if counts:
        return Agg("COUNT", right, span=right.span if right is not None else None)
    if left is not None and left.stems:
        return left
    if right is not None and scan.at(comparison.last + 1) not in _UNITS:
        return right
    near = comparison.left[:1] or comparison.right[:1]
    return Phrase(near)


def _read_number(draft: Draft, number: NumberMention) -> None:
    scan = draft.scan
    clause = None
    if scan.at(number.first - 1) in ASK_VERBS:
        pass  # "show 0 for silent rooms" says what to show
    elif number.label:
        subject = phrase_before(scan, number.first) or Phrase(())
        literal = Literal(number.value, number.text, span=number.span)
        clause = Clause((Predicate(subject, Op.IN, values=(literal,), span=number.span),), Scope.ASKED, number.span)
    elif (counted := _counted(scan, number)) is not None:
        literal = Literal(number.value, number.text, span=number.span)
        clause = Clause((Predicate(counted, Op.IN, values=(literal,), span=number.span),), Scope.ASKED, number.span)
    draft.mentions.append(Mention(MentionKind.NUMBER, number.text, number.span, clause, clause is not None))


def _counted(scan: Scan, number: NumberMention) -> Phrase | None:
    """ "with 9 seats", "that have 3 children": a number of things that a row has; None for any other number."""
    if number.ordinal or number.percent or number.quoted or scan.at(number.first - 1) not in _HAVING:
        return None
    if scan.gap[number.last] or scan.at(number.last + 1) in _UNITS | {"decimal", "decimals"}:
        return None
    right, _ = phrase_at(scan, number.last + 1)
    if right is None or not right.stems or not is_plural(right.text.split(" of ")[0].lower()):
        return None
    return right


_HAVING = word_set("with have has had having containing contains contain")
