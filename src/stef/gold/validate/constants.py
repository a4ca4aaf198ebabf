"""The constants that a query compares columns with, and whether the data holds them."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from stef.alignment.facts import facts_of
from stef.gold.validate.place import Place, Values
from stef.gold.validate.subject import Gold
from stef.records.expressions import Column, Literal, Span
from stef.records.live import LiveTable
from stef.records.predicates import Op, PatternKind, Predicate, Scope
from stef.records.result import Result
from stef.sql.probes import distinct_values, has_value

_MOST_VALUES = 20_000
_MOST_NEAR = 3
_LEAST_LIKE = 60.0
_PLAIN = str.maketrans({**dict.fromkeys("‘’´`ʼ", "'"), **dict.fromkeys("“”„", '"'), **dict.fromkeys("‐‑–—−", "-")})


@dataclass(frozen=True, slots=True)
class Constant:
    """A column of a base table compared with a constant; `span` is its place in the reading's text.

    `alternative`: it stands beside other constants, of which one may be there (IN, OR).
    """

    table: LiveTable
    column: str
    text: str
    quoted: bool
    span: Span | None
    predicate: Predicate
    alternative: bool = False

    @property
    def pattern(self) -> bool:
        """Whether it is a pattern."""
        return self.predicate.op is Op.LIKE


def constants(gold: Gold) -> Iterator[Constant]:
    """The constants in the filters of a query that stand against a column of one known table."""
    place, spec = gold.place, gold.reading.spec
    if place is None or spec is None:
        return
    seen: set[tuple[str, str, str]] = set()
    for placed in facts_of(spec).placed:
        # The labels of a CASE that names all months are a table, not a filter.
        if placed.conditional or placed.clause.scope is Scope.CASE:
            continue
        for predicate in placed.clause.predicates:
            for one in _of_predicate(place, predicate, alternative=len(placed.clause.predicates) > 1):
                key = one.table.name, one.column, one.text
                if key not in seen:
                    seen.add(key)
                    yield one


def _of_predicate(place: Place, predicate: Predicate, *, alternative: bool) -> Iterator[Constant]:
    subject = predicate.subject
    if not isinstance(subject, Column) or len(subject.sources) != 1:
        return
    table = place.table(subject.sources[0].partition("#")[0])
    column = _column(table, subject.name)
    if table is None or column is None:
        return
    if predicate.op is Op.IN:
        alternative = alternative or len(predicate.values) > 1
        for literal in predicate.values:
            if _is_plain(literal):
                yield Constant(table, column, literal.text, literal.quoted, literal.span, predicate, alternative)
    elif predicate.op is Op.LIKE and predicate.pattern is not None and predicate.pattern.kind is not PatternKind.REGEX:
        yield Constant(table, column, predicate.pattern.text, True, None, predicate, alternative)


def _is_plain(literal: Literal) -> bool:
    return isinstance(literal.value, str | int | float) and not isinstance(literal.value, bool) and bool(literal.text)


def _column(table: LiveTable | None, folded: str) -> str | None:
    columns = table.columns if table is not None else ()
    return next((column.name for column in columns if column.name.casefold() == folded.casefold()), None)


def occurs(place: Place, one: Constant) -> bool | None:
    """Whether a row of the table has the value, as the database compares; None where that cannot be told."""
    if one.pattern or one.predicate.folded:
        values = values_of(place, one.table, one.column)
        if values is None or not values.whole:
            return None
        if not one.pattern:
            return any(fold(str(value)) == fold(one.text) for value in values.values)
        return any(_matches(one.predicate, str(value)) for value in values.values)
    query = has_value(full_name(one.table), one.column, one.text, place.dialect, quoted=one.quoted)
    executed = place.run(query)
    return executed.rows > 0 if isinstance(executed, Result) else None


def values_of(place: Place, table: LiveTable, column: str) -> Values | None:
    """The distinct values of a column, asked once; None where the database does not give them."""
    known: dict[tuple[str, str], Values | None] = place.memory.setdefault("values", {})
    key = table.name, column
    if key not in known:
        executed = place.run(distinct_values(full_name(table), column, place.dialect, _MOST_VALUES + 1))
        known[key] = None
        if isinstance(executed, Result):
            values = tuple(executed.columns[0])
            known[key] = Values(values[:_MOST_VALUES], len(values) <= _MOST_VALUES and executed.cut is None)
    return known[key]


def nearest(place: Place, one: Constant) -> tuple[str, ...]:
    """The values of the column that are most like the constant, the nearest first; those that only differ in accents,
    case and spaces come before all others."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415  not for a set without strange constants

    values = values_of(place, one.table, one.column)
    texts = [value for value in (values.values if values else ()) if isinstance(value, str)]
    wanted = fold(one.text)
    same = [text for text in texts if fold(text) == wanted]
    if same:
        return tuple(same[:_MOST_NEAR])
    folded = [fold(text) for text in texts]
    found = process.extract(wanted, folded, scorer=fuzz.ratio, limit=_MOST_NEAR, score_cutoff=_LEAST_LIKE)
    return tuple(texts[index] for _, _, index in found)


def elsewhere(place: Place, gold: Gold, one: Constant) -> tuple[str, ...]:
    """Other text columns of the tables that the query reads where the value does occur, as `table.column`."""
    if not one.quoted or gold.resolved is None or len(one.text) < 2:
        return ()
    found = []
    for name in sorted(gold.resolved.tables):
        table = place.table(name)
        for column in table.columns if table is not None and not table.view else ():
            if table is None or (table is one.table and column.name == one.column) or not _is_text(column.type):
                continue
            executed = place.run(has_value(full_name(table), column.name, one.text, place.dialect, quoted=True))
            if isinstance(executed, Result) and executed.rows:
                found.append(f"{table.name}.{column.name}")
    return tuple(found)


def full_name(table: LiveTable) -> str:
    """The table's name with its schema, where it has one."""
    return f"{table.schema}.{table.name}" if table.schema else table.name


def fold(text: str) -> str:
    """Text without accents, case, needless spaces, and with plain quotes and dashes."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).translate(_PLAIN)
    return " ".join(plain.casefold().split())


def _is_text(declared: str) -> bool:
    kind = declared.casefold()
    return not kind or any(part in kind for part in ("char", "text", "clob", "string", "enum", "name"))


def _matches(predicate: Predicate, value: str) -> bool:
    """Whether a value may match the pattern, case aside."""
    pattern = predicate.pattern
    if pattern is None:
        return True
    text, wanted = value.casefold(), pattern.text.casefold()
    match pattern.kind:
        case PatternKind.PREFIX:
            return text.startswith(wanted)
        case PatternKind.SUFFIX:
            return text.endswith(wanted)
        case PatternKind.CONTAINS:
            return wanted in text
        case PatternKind.WILDCARD | PatternKind.REGEX:
            return True
