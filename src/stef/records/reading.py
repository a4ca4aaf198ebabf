"""What a reader brings back: a Spec, the notes that canonicalising would otherwise lose, or why it cannot be read."""

from dataclasses import field
from enum import StrEnum

from stef.records.expressions import Expr, Phrase, Span
from stef.records.predicates import Clause
from stef.records.reasons import UnscoredReason
from stef.records.record import record
from stef.records.spec import Spec


@record(frozen=True, slots=True)
class Note:
    """An observation that the Spec does not hold: a `code` (snake_case), the words it rests on, where they stand."""

    code: str
    text: str = ""
    span: Span | None = None


@record(frozen=True, slots=True)
class Unreadable:
    """Why a text holds no single readable query."""

    reason: UnscoredReason
    detail: str


@record(frozen=True, slots=True)
class SqlReading:
    """One query as read. Spans refer to `text`, the cleaned SQL; exactly one of `spec`, `unreadable` is set."""

    text: str
    dialect: str | None = None
    spec: Spec | None = None
    notes: tuple[Note, ...] = ()
    unreadable: Unreadable | None = None


class MentionKind(StrEnum):
    """What a stretch of a question is."""

    NUMBER = "number"
    PERIOD = "period"
    VALUE = "value"
    HINT = "hint"


@record(frozen=True, slots=True)
class Mention:
    """A constant in a question: a number, a period, a quoted or capitalised value, or a hint's formula.

    `clause` is the filter that it states, where it states one (a bare "top 5" states none). `certain`: the reader
    is sure that it is a constraint on rows; an uncertain one grounds SQL but is not required of it.
    """

    kind: MentionKind
    text: str
    span: Span
    clause: Clause | None = None
    certain: bool = True


@record(frozen=True, slots=True)
class Word:
    """A word of a question: as written, folded, and stemmed."""

    text: str
    stem: str
    span: Span
    stop: bool = False


@record(frozen=True, slots=True)
class Tie:
    """What a hint says that a phrase stands for ("superpowers refers to power_name"): a Column, or another Phrase."""

    phrase: Phrase
    target: Expr
    text: str = ""
    span: Span | None = None


@record(frozen=True, slots=True)
class Formula:
    """What a hint says how something is computed ("percentage = DIVIDE(…)", "tallest refers to MAX(height)").

    `phrase` is what is explained, without stems where the hint is the formula alone. `expr` speaks of Columns, or of
    Phrases where the hint does; DIVIDE, SUBTRACT and their kind are `Binary`.
    """

    phrase: Phrase
    expr: Expr
    text: str = ""
    span: Span | None = None


@record(frozen=True, slots=True)
class QuestionReading:
    """A question as read. `spec` is always there where the question is readable; `mentions` and `words` ground SQL.

    `ties` and `formulas` come from hints that follow the question; the conditions that hints state are mentions.
    """

    text: str
    spec: Spec | None = None
    notes: tuple[Note, ...] = ()
    words: tuple[Word, ...] = ()
    mentions: tuple[Mention, ...] = ()
    ties: tuple[Tie, ...] = ()
    formulas: tuple[Formula, ...] = ()
    unreadable: Unreadable | None = None
    reader: str = field(default="rules")
