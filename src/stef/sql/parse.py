"""From a logged text to one parsed query, or the reason why there is none."""

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError

from stef.records.reading import Note, Unreadable
from stef.records.reasons import UnscoredReason
from stef.records.record import record
from stef.sql.clean import SALVAGE, Cleaned, clean
from stef.sql.dialects import candidates, detect, lexis, parse_statements
from stef.sql.limits import check_depth, check_length
from stef.sql.replies.says import Says, says
from stef.sql.segments import choose_lexis
from stef.sql.starts import begins_query, begins_statement
from stef.sql.statements import count_glued_queries, find_write, not_a_query, pick_query, split_prelude
from stef.sql.templates import bind_site_parameters, find_template, find_unfilled

_MOST_DIALECTS = 6
_LONGEST_RETRY = 50_000
"""Characters of a text that is worth a second parse: above it, each would take a good part of a second."""

_NESTED = "nested too deeply to be parsed"


@record(frozen=True, slots=True)
class Parsed:
    """One query: its tree, the cleaned text that was parsed, the dialect (None: of none), and what was repaired."""

    tree: exp.Expr
    text: str
    dialect: str | None
    notes: tuple[Note, ...] = ()


def parse(text: str, dialect: str | None = None) -> "Parsed | Unreadable":
    """The one query in `text`, read in `dialect`, else in the dialect that its spelling speaks for, else in any.

    `dialect` is a name as `check_dialect` returns it. No text makes it raise.
    """
    if too_long := check_length(text):
        return too_long
    cleaned = clean(text, dialect)
    return parse_cleaned(cleaned, text, dialect)


def parse_cleaned(cleaned: Cleaned, raw: str, dialect: str | None = None) -> "Parsed | Unreadable":
    """As `parse`, for a text that is cleaned already; `raw` is the text as logged."""
    text, notes = cleaned.text, cleaned.notes
    if not text:
        return _empty(raw)
    if template := find_template(text):
        return Unreadable(UnscoredReason.UNPARSABLE, f"unrendered template: {template}")
    if too_deep := check_depth(text, dialect):
        return too_deep
    if text[:6].lower() != "select":
        text, prelude = split_prelude(text, lexis(dialect or "tsql"))
        notes += prelude
        if not begins_query(text):
            return _not_a_query(text, raw, after_prelude=bool(prelude))
    text, parameter = bind_site_parameters(text)
    if parameter:
        notes += (Note("template_placeholder", parameter),)
    if not dialect and (found := detect(text)):
        dialect = found
        notes += (Note("dialect_detected", found),)
    trees = _try_parse(text, dialect)
    if isinstance(trees, list):
        return _picked(trees, text, dialect, notes)
    return _salvaged(text, dialect, notes, trees)


def _try_parse(text: str, dialect: str | None) -> "list[exp.Expr | None] | SqlglotError | RecursionError":
    try:
        return parse_statements(text, dialect)
    except (SqlglotError, RecursionError) as error:
        return error


def _picked(
    trees: "list[exp.Expr | None]", text: str, dialect: str | None, notes: tuple[Note, ...]
) -> "Parsed | Unreadable":
    picked = pick_query(trees)
    if isinstance(picked, Unreadable):
        return picked
    tree, before = picked
    if before:
        notes += (Note("prelude", f"{before} statements"),)
    return Parsed(tree, text, dialect, notes)


def _salvaged(
    text: str, dialect: str | None, notes: tuple[Note, ...], error: SqlglotError | RecursionError
) -> "Parsed | Unreadable":
    """A text that did not parse: chat around it taken off, or read in another dialect, else the reason."""
    if isinstance(error, RecursionError):
        return Unreadable(UnscoredReason.TOO_LARGE, _NESTED)
    if unfilled := find_unfilled(text, dialect):
        return Unreadable(UnscoredReason.UNPARSABLE, f"placeholder left open: {unfilled}")
    if wrote := find_write(text, lexis(dialect)):
        return Unreadable(UnscoredReason.NOT_A_QUERY, f"writes data: {wrote}")
    if len(text) > _LONGEST_RETRY:
        return _broken(text, dialect, error)
    return _retried(text, dialect, notes) or _broken(text, dialect, error)


def _retried(text: str, dialect: str | None, notes: tuple[Note, ...]) -> "Parsed | Unreadable | None":
    """What a second look makes of `text`: shortened first, then in other dialects; None: nothing."""
    variants = [(text, notes), *_shortened(text, dialect, notes)]
    for variant, repaired in variants[1:]:
        if isinstance(trees := _try_parse(variant, dialect), list):
            return _picked(trees, variant, dialect, repaired)
    for variant, repaired in variants[:2]:
        for other in candidates(variant)[:_MOST_DIALECTS]:
            if other == (dialect or ""):
                continue
            if isinstance(trees := _try_parse(variant, other), list):
                return _picked(trees, variant, other or None, (*repaired, Note("dialect_guessed", other or "none")))
    return None


def _shortened(text: str, dialect: str | None, notes: tuple[Note, ...]) -> Iterator[tuple[str, tuple[Note, ...]]]:
    """`text` less the chat that each repair takes off, where it still begins as a query does."""
    for code, repair in SALVAGE:
        shorter = repair(text)
        if not shorter or shorter == text:
            continue
        again = clean(shorter, dialect)
        if begins_query(again.text) and not check_depth(again.text, dialect):
            yield again.text, (*notes, Note(code), *again.notes)


def _broken(text: str, dialect: str | None, error: SqlglotError) -> Unreadable:
    glued = count_glued_queries(text, choose_lexis(text, dialect))
    if glued > 1:
        return Unreadable(UnscoredReason.SEVERAL_STATEMENTS, f"{glued} queries without a semicolon between them")
    if unfilled := find_unfilled(text, dialect):
        return Unreadable(UnscoredReason.UNPARSABLE, f"placeholder left open: {unfilled}")
    return Unreadable(UnscoredReason.UNPARSABLE, _explain(text, error))


_IN_PLAIN_WORDS = (
    ("Required keyword", "an expression is missing"),
    ("Invalid expression", "unexpected word"),
    ("Expected table name", "a table is missing"),
)


def _explain(text: str, error: SqlglotError) -> str:
    details = getattr(error, "errors", None)
    if not details:
        quotes = text.count("'") % 2 or text.count('"') % 2 or text.count("`") % 2
        return "a quote is not closed" if quotes else "it cannot be split into tokens"
    first = details[0]
    description = str(first.get("description") or "syntax error")
    description = next((words for start, words in _IN_PLAIN_WORDS if description.startswith(start)), description)
    description = description.split("<", 1)[0].removesuffix("but got ").strip(" .")
    place = f"line {first.get('line')}, column {first.get('col')}"
    word = str(first.get("highlight") or "").strip()[:40]
    if _ends_there(text, first):
        return f"it ends in the middle: {description} ({place})"
    return f"{description} at {word!r} ({place})" if word else f"{description} ({place})"


def _ends_there(text: str, detail: "dict[str, object]") -> bool:
    after = str(detail.get("end_context") or "").strip(" \n;)")
    return not after and text.rstrip(" ;\n").endswith(str(detail.get("highlight") or "").strip())


def _empty(raw: str) -> Unreadable:
    if behaved := _behaved(raw):
        return behaved
    return Unreadable(UnscoredReason.EMPTY, "nothing but comments or white space" if raw.strip() else "no text")


def _not_a_query(text: str, raw: str, *, after_prelude: bool) -> Unreadable:
    """Why a text that does not begin as a query does holds none."""
    if begins_statement(text):
        return not_a_query(text.split(None, 1)[0].split("(", 1)[0].rstrip(";"))
    if after_prelude:
        return Unreadable(UnscoredReason.NOT_A_QUERY, "a script that sets variables, with no query after it")
    if behaved := _behaved(raw):
        return behaved
    return Unreadable(UnscoredReason.NOT_SQL, f"no SQL statement: {' '.join(raw.split())[:120]!r}")


_BEHAVED = {Says.DECLINES: UnscoredReason.DECLINED, Says.ASKS: UnscoredReason.CLARIFIED}


def _behaved(raw: str) -> Unreadable | None:
    """A text that declines or asks back in place of SQL."""
    reason = _BEHAVED.get(says(raw))
    return None if reason is None else Unreadable(reason, " ".join(raw.split())[:200])
