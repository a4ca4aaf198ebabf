"""Lets exactly one query through to a database, by its words alone: what a database can run, no parser may refuse.

The guard is the second line behind a connection that can only read, the first against what such a connection still
does (functions that wait or read files, INTO OUTFILE), and the only one where an engine has no read-only mode.
"""

import re
from functools import lru_cache

from stef.databases.forbidden import forbidden_functions
from stef.databases.tokens import MARK, QUOTED, TEXT, WORD, tokens
from stef.records.reading import Unreadable
from stef.records.reasons import UnscoredReason
from stef.records.result import Failure, FailureKind
from stef.sql import parse
from stef.sql.clean import clean
from stef.sql.limits import MAX_LENGTH

_STARTS = frozenset({"SELECT", "WITH", "VALUES", "TABLE", "("})
_STARTS_OF = {"duckdb": _STARTS | {"FROM", "PIVOT", "UNPIVOT"}, "bigquery": _STARTS | {"FROM"}}
_VERBS = frozenset(
    {
        *("INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "UPSERT", "TRUNCATE", "DROP", "CREATE", "ALTER", "COPY"),
        *("GRANT", "REVOKE", "EXECUTE", "CALL"),
    }
)
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

_EXECUTED_COMMENT = "a comment that is executed"

_PLAIN = re.compile(r"\s*(?:SELECT|WITH)\b", re.IGNORECASE)
_MARKS = re.compile(r";(?!\s*\Z)|/\*M?!|```|[Uu]&|(?<!\w)\d[\d.]*[^\W\d]")
_NAMES = re.compile(r"\w+")
_SUSPECT = _VERBS | _TSQL_VERBS | {"INTO", "FOR", "LOCK", "NEXT"}


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
    text, reason = _one_statement(sql, dialect)
    if reason and reason is not _EXECUTED_COMMENT:
        text, reason = _unwrapped(sql, dialect, reason)
    if reason is None and dialect not in _READ_ONLY_ENGINES:
        reason = _objection_of_parser(text, dialect)
    return _refused(reason) if reason else text


def _unwrapped(sql: str, dialect: str, reason: str) -> tuple[str, str | None]:
    """The query without what wraps it, as far as reading takes it off; else why it is not sent."""
    cleaned = clean(sql, dialect)
    if not cleaned.text or any(note.code == "explain_removed" for note in cleaned.notes):
        return "", reason
    text, objection = _one_statement(cleaned.text, dialect)
    if objection is None:
        return text, None
    parsed = parse(sql, dialect)
    if isinstance(parsed, Unreadable) or any(note.code == "prelude" for note in parsed.notes):
        return "", objection
    return _one_statement(parsed.text, dialect)


def _refused(reason: str) -> Failure:
    return Failure(FailureKind.NOT_ONE_QUERY, reason)


def _objection_of_parser(text: str, dialect: str) -> str | None:
    """What the parser finds that writes. What it cannot read is left to the words."""
    parsed = parse(text, dialect)
    if not isinstance(parsed, Unreadable):
        return None
    objects = parsed.reason in (UnscoredReason.NOT_A_QUERY, UnscoredReason.SEVERAL_STATEMENTS)
    return str(parsed.detail) if objects else None


def _one_statement(sql: str, dialect: str) -> tuple[str, str | None]:
    """The statement without its last semicolon, and why it is not sent (None: it is)."""
    found = list(tokens(sql, dialect))
    if not found:
        return "", "nothing but comments or white space" if sql.strip() else "no text"
    if "U&" in sql.upper() and re.search(r'\bU&"', sql, re.IGNORECASE):
        return sql, "names in escaped Unicode are not sent"
    if any(kind == MARK and mark.startswith("/*") for kind, mark, _place in found):
        return sql, _EXECUTED_COMMENT
    for index, (kind, mark, place) in enumerate(found):
        if kind == MARK and mark == ";":
            if any(later[:2] != (MARK, ";") for later in found[index:]):
                return sql, "several statements"
            sql, found = sql[:place], found[:index]
            break
    if not found:
        return "", "no text"
    first = found[0][1]
    if found[0][0] not in (WORD, MARK) or first not in _STARTS_OF.get(dialect, _STARTS):
        return sql.strip(), _why_no_query(*found[0][:2])
    return sql.strip(), _objection(found, dialect)


def _why_no_query(kind: str, word: str) -> str:
    if kind == WORD and word in _VERBS | _TSQL_VERBS:
        return f"{word} is no query: it writes, or runs something else"
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
    return not (word == "UPDATE" and following[1] in ("FROM", "AS"))
