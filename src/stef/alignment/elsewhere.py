"""A wanted filter that no filter of its kind answers, and what else of the SQL may: another spelling, a name, a key.

Without the data, a code or a key in place of a name can be neither confirmed nor refuted: such a filter is undecided.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from stef.alignment.facts import Facts, Placed, Reach
from stef.alignment.ground import Ground, fold
from stef.alignment.intervals import numeric, points
from stef.alignment.required import Wanted
from stef.question.synonyms import GENERIC
from stef.question.words import name_stems, tie
from stef.records.alignment import FilterState
from stef.records.expressions import Column, Func, Literal, Phrase
from stef.records.predicates import Op, Predicate
from stef.sql.describe import describe_clause

_IN_FORCE = (Reach.ALL, Reach.AGGREGATE, Reach.SCALAR, Reach.PART)
_LONGEST_CODE = 4


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What answers a wanted filter after all, and the places of the filters that do, where some do."""

    state: FilterState
    text: str
    why: str
    places: tuple[int, ...] = ()


def answered_elsewhere(want: Wanted, facts: Facts, ground: Ground) -> Elsewhere | None:
    """The first way in which the SQL answers `want` other than by an equal filter; None where it does not."""
    for way in _WAYS:
        found = way(want, facts, ground)
        if found is not None:
            return found
    return None


def _longer_value(want: Wanted, facts: Facts, ground: Ground) -> Elsewhere | None:
    """ "Vienna" and "Austria" inside 'Vienna, Austria', which the question holds as a whole."""
    wanted = _text(want)
    if not wanted:
        return None
    for place, placed, literal, _subject in _texts(facts):
        text = fold(literal.text)
        if wanted != text and wanted in text and text in ground.text:
            return Elsewhere(FilterState.APPLIED, describe_clause(placed.clause), "inside a longer value", (place,))
    return None


def _with_its_kind(want: Wanted, facts: Facts, _: Ground) -> Elsewhere | None:
    """ "Alameda County" as county = 'Alameda': the other word is the column's, or the table's."""
    words = _text(want).split()
    if len(words) < 2:
        return None
    for place, placed, literal, subject in _texts(facts):
        held = fold(literal.text).split()
        rest = [word for word in words if word not in held]
        if held and rest and len(rest) < len(words) and all(word in words for word in held):
            names = [name_stems(name) for name in (subject.name, *map(_table, subject.sources))]
            if all(any(set(name_stems(word)) <= set(name) for name in names) for word in rest):
                return Elsewhere(FilterState.APPLIED, describe_clause(placed.clause), "named with its kind", (place,))
    return None


def _in_a_name(want: Wanted, facts: Facts, _: Ground) -> Elsewhere | None:
    """ "K-12" inside the column `Enrollment (K-12)`; "between the ages of 5 and 17" inside `Meals (Ages 5-17)`."""
    predicate = want.clause.predicates[0]
    if predicate.negated:
        return None
    words = {stem for word in _text(want).split() for stem in name_stems(word)}
    numbers = [str(int(number)) for number in points(predicate) if number.is_integer()]
    for column in facts.columns:
        stems = name_stems(column.name)
        if len(stems) < 2:
            continue
        if (words and words <= set(stems)) or (len(numbers) == 2 and set(numbers) <= set(stems)):
            return Elsewhere(FilterState.APPLIED, column.name, "the column's name says it")
    return None


def _in_a_hint(want: Wanted, facts: Facts, ground: Ground) -> Elsewhere | None:
    """ "A15 is the number of crimes in 1995": who reads A15 has the year."""
    used = {column.name for column in facts.columns}
    wanted = _text(want) or fold(" ".join(str(int(p)) for p in _points(want) if p.is_integer()))
    if want.settles or not wanted.strip():
        return None
    for one in ground.ties:
        names = [side.name for side in (one.target, _as_column(one.phrase)) if isinstance(side, Column)]
        if any(name in used for name in names) and wanted in fold(one.text):
            return Elsewhere(FilterState.APPLIED, names[0], "a hint says that this column has it")
    return None


def _points(want: Wanted) -> list[float]:
    """The numbers of a filter; for a period, its first year."""
    predicate = want.clause.predicates[0]
    low = None if predicate.interval is None else predicate.interval.low
    year = getattr(None if low is None else low.value, "year", None)
    return [float(year)] if year is not None else list(points(predicate))


def _as_column(phrase: Phrase) -> Column:
    return Column(phrase.text.strip(" `'\"").casefold())


def _both_ends(want: Wanted, facts: Facts, ground: Ground) -> Elsewhere | None:
    """ "From account 1 to account 10", read as two values, as one range with these ends."""
    predicate = want.clause.predicates[0]
    numbers = [numeric(value) for value in predicate.values]
    if predicate.op is not Op.IN or predicate.negated or len(numbers) != 1 or numbers[0] is None:
        return None
    if " from " not in ground.text or " to " not in ground.text:
        return None
    for place, placed in enumerate(facts.placed):
        for one in placed.clause.predicates:
            ends = () if one.interval is None else (one.interval.low, one.interval.high)
            values = [numeric(Literal(end.value)) for end in ends if end is not None]
            if len(values) == 2 and numbers[0] in values:
                return Elsewhere(FilterState.APPLIED, describe_clause(placed.clause), "an end of a range", (place,))
    return None


def _abbreviated(want: Wanted, facts: Facts, ground: Ground) -> Elsewhere | None:
    """ "Aberdeen" as 'ABR', "California" as 'CA', "female" as 'F': the data alone can tell."""
    wanted = _text(want).strip().replace(" ", "")
    if len(wanted) <= _LONGEST_CODE:
        return None
    for place, placed, literal, subject in _texts(facts):
        code = literal.text.strip()
        if not 0 < len(code) <= _LONGEST_CODE or not (code.isalpha() and code.isupper()):
            continue
        inside = code[0].casefold() == wanted[0] and _is_inside(code.casefold(), wanted)
        if inside and not ground.mentions(literal, subject):
            return Elsewhere(FilterState.UNDECIDED, describe_clause(placed.clause), "a code for it, maybe", (place,))
    return None


def _is_inside(code: str, word: str) -> bool:
    """Whether the letters of `code` stand in `word` in their order."""
    letters = iter(word)
    return all(letter in letters for letter in code)


def _by_key(want: Wanted, facts: Facts, ground: Ground) -> Elsewhere | None:
    """gender = 'Female' as gender_id = 2: the number that the data has for it, or another."""
    asked = want.clause.predicates[0]
    if asked.op is not Op.IN or not isinstance(asked.subject, Column) or not _text(want):
        return None
    about = tuple(stem for stem in name_stems(asked.subject.name) if stem not in GENERIC) or name_stems(
        asked.subject.name
    )
    for place, placed in enumerate(facts.placed):
        for one in placed.clause.predicates:
            if _is_key_test(one, ground) and isinstance(one.subject, Column):
                stems = name_stems(one.subject.name)
                tables = [name_stems(_table(key)) for key in one.subject.sources] if len(stems) == 1 else []
                if max(tie(about, stems[:-1]), *(tie(about, table) for table in tables), 0.0) >= 0.5:
                    return Elsewhere(
                        FilterState.UNDECIDED, describe_clause(placed.clause), "by its key, maybe", (place,)
                    )
    return None


def _by_name(want: Wanted, facts: Facts, ground: Ground) -> Elsewhere | None:
    """sex_id = 2 of a hint as sex = 'Female', where the question says "female"."""
    asked = want.clause.predicates[0]
    if asked.op is not Op.IN or asked.negated or not isinstance(asked.subject, Column) or not want.settles:
        return None
    stems = name_stems(asked.subject.name)
    about = stems[:-1] or name_stems("".join(map(_table, asked.subject.sources)))
    if stems[-1:] != ("id",) or not about or any(numeric(value) is None for value in asked.values):
        return None
    for place, placed, literal, subject in _texts(facts):
        named = (name_stems(subject.name), *(name_stems(_table(key)) for key in subject.sources))
        if max(tie(about, one) for one in named) >= 0.5 and ground.mentions(literal, subject):
            return Elsewhere(FilterState.UNDECIDED, describe_clause(placed.clause), "by its name, maybe", (place,))
    return None


def _month_and_year(want: Wanted, facts: Facts, _: Ground) -> Elsewhere | None:
    """ "September 2005" as the month of a date, and a year in a column of its own."""
    interval = want.clause.predicates[0].interval
    low = None if interval is None or interval.low is None else interval.low.value
    if not isinstance(low, datetime):
        return None
    tests = [(place, one) for place, placed in enumerate(facts.placed) for one in placed.clause.predicates]
    held = {place: {numeric(value) for value in one.values} for place, one in tests if one.op is Op.IN}
    month = next((p for p, one in tests if isinstance(one.subject, Func) and low.month in held.get(p, ())), None)
    year = next((p for p, _one in tests if low.year in held.get(p, ())), None)
    if month is None or year is None or month == year:
        return None
    return Elsewhere(
        FilterState.APPLIED, describe_clause(facts.placed[month].clause), "month and year apart", (month, year)
    )


def _is_key_test(predicate: Predicate, ground: Ground) -> bool:
    """A key compared with a number that the turn does not name."""
    subject = predicate.subject
    return (
        predicate.op is Op.IN
        and isinstance(subject, Column)
        and name_stems(subject.name)[-1:] == ("id",)
        and all(isinstance(value.value, int) and float(value.value) not in ground.numbers for value in predicate.values)
    )


def _texts(facts: Facts) -> Iterator[tuple[int, Placed, Literal, Column]]:
    """The text constants that columns are compared with, each with the place of its filter."""
    for place, placed in enumerate(facts.placed):
        if placed.reach not in _IN_FORCE:
            continue
        for predicate in placed.clause.predicates:
            if predicate.op is Op.IN and not predicate.negated and isinstance(predicate.subject, Column):
                for value in predicate.values:
                    if isinstance(value.value, str):
                        yield place, placed, value, predicate.subject


def _text(want: Wanted) -> str:
    """The one text value that is wanted, folded; empty where something else is."""
    predicate = want.clause.predicates[0]
    if len(want.clause.predicates) != 1 or predicate.op is not Op.IN or predicate.negated:
        return ""
    if len(predicate.values) != 1 or not isinstance(predicate.values[0].value, str):
        return ""
    text = fold(predicate.values[0].text or str(predicate.values[0].value))
    return text if text.strip() else ""


def _table(key: str) -> str:
    return key.rsplit(".", 1)[-1].split("#", 1)[0]


_Way: TypeAlias = Callable[[Wanted, Facts, Ground], Elsewhere | None]
_WAYS: tuple[_Way, ...] = (
    _longer_value,
    _with_its_kind,
    _in_a_name,
    _in_a_hint,
    _both_ends,
    _by_key,
    _by_name,
    _abbreviated,
    _month_and_year,
)
