"""How a turn ended: by the agent's own word, else by its SQL, else by its text."""

import re

from stef.records.gold import Outcome
from stef.records.record import record
from stef.records.turn import Turn
from stef.sql.replies import languages
from stef.sql.replies.constants import said_by_constant
from stef.sql.replies.declining import PLACEHOLDER
from stef.sql.replies.says import Says, says
from stef.sql.replies.status import outcome_of_status
from stef.sql.starts import begins_statement

_LIKE_SQL = re.compile(
    r"""\bselect\s+\S | \bfrom\b[\s\S]*\b(?:where|join|group\s+by|order\s+by|limit)\b | \*\s*from\b | ;\s*\Z
    | \bwith\s+\w+\s+as\s*\( | \A\s*(?:insert|update|delete|create|drop|alter|merge|truncate|pragma|exec|call|show
    |explain|describe)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_QUERY_INSIDE = re.compile(r"\bSELECT\b[\s\S]{1,4000}?\bFROM\b|\bSELECT\s+\S", re.IGNORECASE)
_PRESENTS = re.compile(
    r"""\b(?:here(?:['’]s|\ is|\ are)|(?:the|this|following|final|corrected|revised|resulting
    |correct)\ (?:sql\ )?(?:query|sql|statement)
        |(?:sql|answer|query)\s*: | as\ follows | (?:instead|therefore|so|hence)\b[^.\n]{0,60}:?)[^.?!]{0,200}\Z""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words that hand a query over, right before it."""
_ELSE = re.compile(
    r"\b(?:if|once|when|should|assuming|e\.g|for\ example|such\ as|otherwise|either|option|let\ me\ know)\b",
    re.IGNORECASE | re.VERBOSE,
)
_INSTEAD = re.compile(
    r"""\b(?:instead|however|but\ (?:here|i\ can|you\ can|the)|closest|nearest|alternativ\w+|approximat\w+
    |as\ a\ proxy|what\ (?:i|we)\ (?:can|have)|here(?:['’]s|\ is|\ are)
    |stattdessen|à\ la\ place|en\ su\ lugar|em\ vez|invece|in\ plaats)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NOT_THERE = re.compile(
    r"""\b(?:answer|answered|determine\w*|tell|help|assist|provide|compute|calculate|respond|not\ possible
    |out\ of\ scope|supported)\b
    | \b(?:columns?|fields?|tables?|schema|attributes?|information|data\ (?:about|on|model)|(?:record|track|store
    |captur)\w*)\b
    | beantwort|répond|respond|rispond|spalte|tabelle|colonne|columna|coluna|colonna|kolom|tabel|回答|答复|表|列|字段
    |お答え|テーブル|답변|테이블|ответить""",
    re.IGNORECASE | re.VERBOSE,
)
"""What beside a query that ran tells "it cannot be known" from "none was found"."""


@record(frozen=True, slots=True)
class Markers:
    """An application's own phrases: by which its agent declines, and by which it asks back."""

    refusals: tuple[str, ...] = ()
    clarifications: tuple[str, ...] = ()


_OF_SAID = {
    Says.DECLINES: Outcome.DECLINED,
    Says.ASKS: Outcome.CLARIFIED,
    Says.SMALL_TALK: Outcome.SMALL_TALK,
    Says.BROKE: Outcome.FAILED,
    Says.STATES: Outcome.NO_QUERY,
}


def outcome_of_turn(turn: Turn, query: str, markers: Markers | None = None) -> Outcome:
    """How `turn` ended. `query` is what `clean` makes of its SQL, empty where it holds none.

    The agent's own word decides; `answered` only where there is a query. Else the SQL does, with what stands around it;
    a constant (`SELECT 'no data'`) says what its text says. Else the final text: one that states something has no query
    behind it. A turn that holds nothing failed.
    """
    markers = markers or Markers()
    own = outcome_of_status(turn.outcome)
    if own in {Outcome.DECLINED, Outcome.CLARIFIED, Outcome.FAILED}:
        return own
    logged = turn.sql or ""
    if not any(character.isalnum() or character == "?" for character in logged):
        return _of_text(turn.answer or "", markers)
    if own is Outcome.ANSWERED and begins_statement(query):
        return Outcome.ANSWERED
    return _of_sql(logged, query, turn, markers)


def _of_text(text: str, markers: Markers) -> Outcome:
    if not text.strip():
        return Outcome.FAILED
    if PLACEHOLDER.match(text):
        return Outcome.DECLINED
    return _OF_SAID[_said(text, markers)]


def _said(text: str, markers: Markers) -> Says:
    found = says(text, markers.refusals, markers.clarifications)
    return Says.DECLINES if found is Says.NOTHING else found


def _of_sql(logged: str, query: str, turn: Turn, markers: Markers) -> Outcome:
    """By the SQL, and by the prose that stands before it in its field."""
    if not begins_statement(query):
        return _of_prose(logged, query, turn, markers)
    before = _prose_before(logged)
    if before is not None:
        said = _said(before, markers)
        if said in {Says.DECLINES, Says.ASKS} and not _hands_over(before, said):
            return _OF_SAID[said]
    constant = said_by_constant(query, turn.dialect, (markers.refusals, markers.clarifications))
    if constant is None:
        return _beside_text(turn, markers)
    if constant is not Says.STATES:
        return _OF_SAID.get(constant, Outcome.DECLINED)
    # A placeholder, and the reason in a comment or in the text.
    beside = [_comments(logged), turn.answer or ""]
    found = [one for text in beside if text.strip() and (one := _said(text, markers)) in _NO_ANSWER]
    return _OF_SAID[found[0]] if found else Outcome.ANSWERED


_NO_ANSWER = frozenset({Says.DECLINES, Says.ASKS})
_NOT_PROSE = re.compile(r"```\w*|--[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMENT = re.compile(r"--([^\n]*)|/\*(.*?)\*/", re.DOTALL)


def _comments(logged: str) -> str:
    return " ".join("".join(found.groups(default="")) for found in _COMMENT.finditer(logged))


def _of_prose(logged: str, query: str, turn: Turn, markers: Markers) -> Outcome:
    """By a text that stands where SQL should stand."""
    if not query and (comments := _comments(logged)).strip():
        logged = comments
    if PLACEHOLDER.match(logged):
        # A field that says "none" defers to the agent's words.
        return _of_text(turn.answer or logged, markers)
    outcome = _OF_SAID[_said(logged, markers)]
    if outcome is Outcome.NO_QUERY and _LIKE_SQL.search(logged):
        return Outcome.ANSWERED  # SQL that nobody can read: the agent meant it as an answer
    return outcome


def _prose_before(logged: str) -> str | None:
    """What stands before the first query of a field, where the field begins with something else."""
    if begins_statement(logged):
        return None
    found = _QUERY_INSIDE.search(logged)
    before = _NOT_PROSE.sub(" ", logged[: found.start()]) if found else ""
    return before if any(character.isalpha() for character in before) else None


def _hands_over(before: str, said: Says) -> bool:
    """Whether the query is given all the same, and not as one of several, or on a condition."""
    if languages.asks().search(before):
        return False
    last = re.split(r"[.?!]\s|\n", before.rstrip(" \n`:"))[-1]
    return said is Says.DECLINES and _PRESENTS.search(before) is not None and _ELSE.search(last) is None


def _beside_text(turn: Turn, markers: Markers) -> Outcome:
    """A query that reads data: answered, unless the words beside it say that what was asked is not there."""
    text = turn.answer or ""
    if not text.strip() or _said(text, markers) is not Says.DECLINES or not _NOT_THERE.search(text):
        return Outcome.ANSWERED
    return Outcome.FELL_BACK if turn.rows or _INSTEAD.search(text) else Outcome.DECLINED
