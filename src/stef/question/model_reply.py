"""What a model says of a question, as validated data, and the Reading that it makes."""

import re
import unicodedata
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from stef.question.periods import Calendar, find_periods
from stef.question.words import tokenize
from stef.records import expressions as ex
from stef.records.predicates import Bound, Clause, Interval, Op, Pattern, PatternKind, Predicate, Scope
from stef.records.reading import Mention, MentionKind, QuestionReading
from stef.records.spec import Order, Projection, Select, TopK

_Text = Annotated[str, Field(max_length=500)]
_Function = Literal["COUNT", "SUM", "AVG", "MIN", "MAX"]
_NUMBER: Final = re.compile(r"[-+]?(?:\d{1,18}(?:\.\d{1,18})?|\.\d{1,18})")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ModelAggregate(_Part):
    """An aggregate that the answer computes."""

    function: _Function
    of: _Text
    distinct: bool


class ModelFilter(_Part):
    """A condition, with the words of the question that state it."""

    words: _Text
    subject: _Text
    aggregate: _Function | None
    op: Literal["=", "!=", "<", "<=", ">", ">=", "between", "like", "null", "not_null"]
    values: Annotated[list[_Text], Field(max_length=100)]


class ModelOrder(_Part):
    """A sort key."""

    by: _Text
    descending: bool


class ModelTop(_Part):
    """The first rows only."""

    k: Annotated[int, Field(ge=1)] | None
    by: _Text
    descending: bool


class ModelReply(_Part):
    """The whole reply. Every field is there, as servers ask of a strict schema."""

    show: Annotated[list[_Text], Field(max_length=100)]
    aggregates: Annotated[list[ModelAggregate], Field(max_length=50)]
    filters: Annotated[list[ModelFilter], Field(max_length=100)]
    group_by: Annotated[list[_Text], Field(max_length=20)]
    order: Annotated[list[ModelOrder], Field(max_length=20)]
    top: ModelTop | None
    distinct: bool


def reading_of(
    reply: ModelReply, by_rules: QuestionReading, now: datetime | None, calendar: Calendar | None
) -> QuestionReading:
    """The Reading that `reply` makes: its own Spec and mentions, the notes and hints of the reading by rules.

    A condition whose words do not stand in the question is left out: the model made it up.
    """
    text = by_rules.text
    mentions = [one for item in reply.filters if (one := _mention(text, item, now, calendar)) is not None]
    computed = [Projection(ex.Agg(one.function, _counted(text, one), one.distinct)) for one in reply.aggregates]
    spec = Select(
        projections=(*(Projection(_phrase(text, one)) for one in reply.show), *computed),
        distinct=reply.distinct,
        filters=tuple(one.clause for one in mentions if one.clause is not None),
        group_by=tuple(_phrase(text, one) for one in reply.group_by),
        order=tuple(Order(_phrase(text, one.by), one.descending) for one in reply.order),
        tops=(_top(text, reply.top),) if reply.top else (),
    )
    hints = tuple(one for one in by_rules.mentions if one.kind is MentionKind.HINT)
    words = by_rules.words or tokenize(text)
    return replace(by_rules, spec=spec, mentions=(*mentions, *hints), words=words, unreadable=None)


def _phrase(text: str, said: str) -> ex.Phrase:
    stems = tuple(word.stem for word in tokenize(said) if not word.stop)
    start = text.casefold().find(said.casefold()) if said else -1
    return ex.Phrase(stems, said, (start, start + len(said)) if start >= 0 else None)


def _counted(text: str, one: ModelAggregate) -> ex.Expr | None:
    return _phrase(text, one.of) if one.of.strip(" *") else None


def _top(text: str, top: ModelTop) -> TopK:
    return TopK(top.k, (Order(_phrase(text, top.by), top.descending),))


def _mention(text: str, one: ModelFilter, now: datetime | None, calendar: Calendar | None) -> Mention | None:
    start = text.casefold().find(one.words.casefold().strip())
    if start < 0 or not one.words.strip():
        return None
    span = (start, start + len(one.words.strip()))
    words = text[slice(*span)]
    subject: ex.Expr = _phrase(text, one.subject)
    if one.aggregate:
        subject = ex.Agg(one.aggregate, subject)
    dated = [period for period in find_periods(words, tokenize(words), now, calendar) if period.interval]
    if len(dated) == 1 and not one.aggregate and one.op != "!=":
        kind, predicate = MentionKind.PERIOD, Predicate(subject, Op.RANGE, interval=dated[0].interval, span=span)
    else:
        values = tuple(_literal(value) for value in one.values)
        found = _predicate(subject, one.op, values)
        if found is None:
            return None
        numbers = bool(values) and all(isinstance(value.value, int | float) for value in values)
        kind, predicate = (MentionKind.NUMBER if numbers else MentionKind.VALUE), replace(found, span=span)
    return Mention(kind, words, span, Clause((predicate,), Scope.ASKED, span))


def _literal(said: str) -> ex.Literal:
    plain = said.strip().replace(",", "")
    if _NUMBER.fullmatch(plain):
        number = float(plain)
        return ex.Literal(int(number) if number.is_integer() else number, said)
    try:
        moment = datetime.fromisoformat(said.strip())
    except ValueError:
        return ex.Literal(" ".join(unicodedata.normalize("NFC", said).casefold().split()), said)
    return ex.Literal(moment.replace(tzinfo=None), said)


def _predicate(subject: ex.Expr, op: str, values: tuple[ex.Literal, ...]) -> Predicate | None:
    """The filter, or None where the number of values does not fit the operator."""
    if op in {"null", "not_null"}:
        return Predicate(subject, Op.NULL, negated=op == "not_null")
    if not values:
        return None
    if op in {"=", "!="}:
        ordered = tuple(sorted(values, key=lambda value: str(value.value)))
        return Predicate(subject, Op.IN, negated=op == "!=", values=ordered)
    if op == "like":
        pattern = Pattern(PatternKind.CONTAINS, str(values[0].value).strip("%"))
        return Predicate(subject, Op.LIKE, pattern=pattern)
    if op == "between":
        if len(values) != 2:
            return None
        low, high = (Bound(value.value, True, value) for value in values)
        return Predicate(subject, Op.RANGE, interval=Interval(low, high))
    bound = Bound(values[0].value, op.endswith("="), values[0])
    interval = Interval(bound, None) if op.startswith(">") else Interval(None, bound)
    return Predicate(subject, Op.RANGE, interval=interval)
