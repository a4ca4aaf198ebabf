"""Lets exactly one query through to a database, by its words alone: what a database can run, no parser may refuse.

The guard is the second line behind a connection that can only read, the first against what such a connection still
does (functions that wait or read files, INTO OUTFILE), and the only one where an engine has no read-only mode.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from stef.databases.forbidden import forbidden_functions
from stef.databases.tokens import MARK, QUOTED, TEXT, WORD, tokens
from stef.records.reading import Unreadable
from stef.records.reasons import UnscoredReason
from stef.records.result import Failure, FailureKind
from stef.sql import parse
from stef.sql.clean import clean
from stef.sql.limits import MAX_LENGTH
from stef.sql.starts import begins_statement

_STARTS = frozenset({"SELECT", "WITH", "VALUES", "TABLE", "("})
_STARTS_OF = {"duckdb": _STARTS | {"FROM", "PIVOT", "UNPIVOT"}, "bigquery": _STARTS | {"FROM"}}
_VERBS = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE"})
# In T-SQL a statement ends where the next begins, without a mark. All are reserved there: no bare name is one of them.
_TSQL_VERBS = frozenset(
    {
        *(
            "INSERT",
            "UPDATE",
            "DELETE",
            "MERGE",
            "TRUNCATE",
            "DROP",
            "CREATE",
            "ALTER",
            "GRANT",
            "REVOKE",
            "DENY",
            "EXEC",
        ),
        *(
            "EXECUTE",
            "BACKUP",
            "RESTORE",
            "SHUTDOWN",
            "KILL",
            "DBCC",
            "RECONFIGURE",
            "BULK",
            "USE",
            "WAITFOR",
            "DECLARE",
        ),
        *("COMMIT", "ROLLBACK", "SAVE", "SET"),
    }
)
_TSQL_HINTS = frozenset({"(", "JOIN", "HINT", "PLAN"})
_TSQL = frozenset({"tsql", "fabric"})
_LOCKS = frozenset({"UPDATE", "SHARE", "NO", "KEY"})
_READ_ONLY_ENGINES = frozenset({"sqlite", "duckdb", "postgres", "mysql"})

_LONGEST_KEPT = 10_000
"""Characters of a text whose answer is remembered."""

_SEVERAL = "several statements"
_FENCE = "```"

_PLAIN = re.compile(r"\s*(?:SELECT|WITH)\b", re.IGNORECASE)
_MARKS = re.compile(r";(?!\s*\Z)|/\*M?!|```|[Uu]&|(?<!\w)\d[\d.]*[^\W\d]")
_NAMES = re.compile(r"\w+")
_SUSPECT = _VERBS | {"INTO", "FOR", "LOCK", "NEXT"}


def _is_plain(sql: str, dialect: str) -> bool:
    """Whether nothing stands in `sql`, quoted or not, that the guard could object to; in doubt it is not."""
    if not _PLAIN.match(sql) or _MARKS.search(sql):
        return False
    words = set(_NAMES.findall(sql.upper()))
    if not _SUSPECT.isdisjoint(words):
        return False
    names, pattern = _watched(dialect)
    return names.isdisjoint(words) and not (pattern and pattern.search(sql))


@lru_cache(maxsize=64)
def _watched(dialect: str) -> tuple[frozenset[str], re.Pattern[str] | None]:
    """The forbidden functions by name, or where they are not just names, as a pattern."""
    pattern = forbidden_functions(dialect).pattern
    names = pattern.split("|")
    if all(name.isidentifier() for name in names):
        return frozenset(name.upper() for name in names), None
    return frozenset(), re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


def admit(sql: str, dialect: str) -> str | Failure:
    """The one query in `sql` as it is sent to the database, or NOT_ONE_QUERY with the reason.

    The text is sent as it stands, without what follows a last semicolon. Only where it is no query as it stands, what
    wraps it in a log (a fence, a label, prose) is taken off first.
    """
    if len(sql) > MAX_LENGTH:
        return _refused(f"{len(sql):,} characters; at most {MAX_LENGTH:,} are sent")
    return _admitted(sql, dialect) if len(sql) <= _LONGEST_KEPT else _admitted.__wrapped__(sql, dialect)


@lru_cache(maxsize=4096)
def _admitted(sql: str, dialect: str) -> str | Failure:
    if dialect in _READ_ONLY_ENGINES and _is_plain(sql, dialect):
        return sql.rstrip().removesuffix(";") if ";" in sql else sql
    read = _read(sql, dialect)
    if read.wrapped or _FENCE in sql:
        read = _unwrapped(sql, dialect, read)
    reason = read.reason
    if reason is None and dialect not in _READ_ONLY_ENGINES:
        reason = _objection_of_parser(read.text, dialect)
    return _refused(reason) if reason else read.text


class _Read(NamedTuple):
    """A text as its words read: the statement (of several the first), why it is not sent (None: it is), and may it be a
    query with something around it."""

    text: str
    reason: str | None = None
    wrapped: bool = False


def _unwrapped(sql: str, dialect: str, read: _Read) -> _Read:
    """The query without what wraps it, as far as `sql/` takes it off; else why it is not sent.

    Of a text that begins as a query and goes on after its semicolon, only what follows is taken off.
    """
    cleaned = clean(sql, dialect)
    if not cleaned.text or any(note.code == "explain_removed" for note in cleaned.notes):
        return read
    again = _read(cleaned.text, dialect)
    if again.wrapped:
        parsed = parse(sql, dialect)
        if isinstance(parsed, Unreadable) or any(note.code == "prelude" for note in parsed.notes):
            return again
        again = _read(parsed.text, dialect)
    return read if read.reason == _SEVERAL and again.text != read.text else again


def _refused(reason: str) -> Failure:
    return Failure(FailureKind.NOT_ONE_QUERY, reason)


def _objection_of_parser(text: str, dialect: str) -> str | None:
    """What the parser finds that writes. What it cannot read is left to the words."""
    parsed = parse(text, dialect)
    if not isinstance(parsed, Unreadable):
        return None
    objects = parsed.reason in (UnscoredReason.NOT_A_QUERY, UnscoredReason.SEVERAL_STATEMENTS)
    return str(parsed.detail) if objects else None


def _read(sql: str, dialect: str) -> _Read:
    found = list(tokens(sql, dialect))
    if not found:
        return _Read("", "nothing but comments or white space" if sql.strip() else "no text")
    if re.search(r'\bU&"', sql, re.IGNORECASE):
        return _Read(sql, "names in escaped Unicode are not sent")
    if any(kind == MARK and mark.startswith("/*") for kind, mark, _place in found):
        return _Read(sql, "a comment that is executed")
    first_kind, first, _place = found[0]
    if first_kind not in (WORD, MARK) or first not in _STARTS_OF.get(dialect, _STARTS):
        return _Read(sql.strip(), _why_no_query(first_kind, first), wrapped=True)
    for index, (kind, mark, place) in enumerate(found):
        if kind == MARK and mark == ";":
            statement = sql[:place].strip()
            if any(later[:2] != (MARK, ";") for later in found[index:]):
                return _Read(statement, _SEVERAL, wrapped=True)
            return _Read(statement, _objection(found[:index], dialect))
    return _Read(sql.strip(), _objection(found, dialect))


def _why_no_query(kind: str, word: str) -> str:
    if kind == WORD and begins_statement(word):
        return f"{word} is no query"
    return f"no query: it begins with {word[:40]!r}"


def _objection(found: list[tuple[str, str, int]], dialect: str) -> str | None:
    """What in one statement does more than read."""
    forbidden = forbidden_functions(dialect)
    ended = [*found, (MARK, "", 0), (MARK, "", 0)]
    before = (MARK, "", 0)
    # In Oracle what is dangerous is a package, and its functions are behind a dot.
    calls = ("(", ".") if dialect == "oracle" else ("(",)
    for index, token in enumerate(found):
        kind, word, _place = token
        following = ended[index + 1]
        if kind == WORD and (reason := _objection_to_word(word, before, following, dialect)):
            return reason
        if kind in (WORD, QUOTED) and following[1] in calls and forbidden.fullmatch(word):
            return f"{word.lower()}() does more than read the database"
        before = token
    return None


def _objection_to_word(
    word: str, before: tuple[str, str, int], following: tuple[str, str, int], dialect: str
) -> str | None:
    if before[1] == "." or (before[:2] == (WORD, "AS")):
        return None
    if word == "INTO":
        return "SELECT … INTO writes"
    if word == "FOR" and following[0] == WORD and following[1] in _LOCKS:
        return "FOR UPDATE and FOR SHARE lock rows"
    if word == "LOCK" and following[1] == "IN":
        return "LOCK IN SHARE MODE locks rows"
    if word == "NEXT" and following[1] == "VALUE":
        return "NEXT VALUE FOR moves a sequence"
    if word in _TSQL_VERBS and dialect in _TSQL and following[1] not in _TSQL_HINTS:
        return f"a second statement: {word}"
    if word in _VERBS and before[0] == MARK and before[1] in "()" and _begins_statement(word, following):
        return f"writes data: {word}"
    return None


def _begins_statement(word: str, following: tuple[str, str, int]) -> bool:
    """Whether a verb behind a bracket begins a statement: `(DELETE FROM t …)`, not a column named so."""
    if following[0] in (MARK, TEXT):
        return False
    return following[1] not in ("AS", "JOIN") and not (word != "DELETE" and following[1] == "FROM")
