"""Text patterns: LIKE with its wildcards and escapes, and the functions that mean the same."""

import re
import unicodedata

from stef.records.expressions import Expr, Literal, Span
from stef.records.predicates import Op, Pattern, PatternKind, Predicate
from stef.sql.literals import text_literal
from stef.sql.walk import Cnf

ESCAPES_BY_DEFAULT = frozenset(
    {
        None,
        "",
        "postgres",
        "mysql",
        "redshift",
        "bigquery",
        "databricks",
        "spark",
        "hive",
        "clickhouse",
        "starrocks",
        "doris",
        "materialize",
        "risingwave",
    }
)
"""Dialects in which a backslash escapes a wildcard of LIKE without an ESCAPE clause."""

CASELESS_LIKE = frozenset({"sqlite", "mysql", "tsql", "fabric", "starrocks", "doris"})
"""Dialects whose LIKE does not regard case."""

_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\|()]")


def fold_pattern(text: str) -> str:
    """A pattern's text in NFC with folded case; its spaces count."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).casefold()


def like(subject: Expr, text: str, escape: str | None, span: Span | None, *, folded: bool) -> Predicate:
    """The predicate that `subject LIKE text ESCAPE escape` means."""
    tokens = _tokens(text, escape)
    first = 0
    last = len(tokens)
    while first < last and tokens[first] == "%":
        first += 1
    while last > first and tokens[last - 1] == "%":
        last -= 1
    body = tokens[first:last]
    leading, trailing = first > 0, last < len(tokens)
    if not body and (leading or trailing):
        return Predicate(subject, Op.NULL, negated=True, span=span)
    if any(token in ("%", "_") for token in body):
        kind, words = PatternKind.WILDCARD, "".join(_escaped(token) for token in tokens)
    else:
        words = "".join(token[-1] for token in body)
        if not leading and not trailing:
            return Predicate(subject, Op.IN, values=(text_literal(words, span),), folded=folded, span=span)
        kind = PatternKind.CONTAINS if leading and trailing else PatternKind.SUFFIX if leading else PatternKind.PREFIX
    return pattern(subject, kind, words, span, folded=folded)


def _tokens(text: str, escape: str | None) -> list[str]:
    """The characters of a LIKE pattern: wildcards alone, every other one after a mark."""
    tokens: list[str] = []
    index = 0
    while index < len(text):
        char = text[index]
        if escape and char == escape and index + 1 < len(text):
            index += 1
            tokens.append("=" + text[index])
        elif char in "%_":
            tokens.append(char)
        else:
            tokens.append("=" + char)
        index += 1
    return tokens


def _escaped(token: str) -> str:
    if len(token) == 1:
        return token
    return "\\" + token[1] if token[1] in "%_\\" else token[1]


def pattern(subject: Expr, kind: PatternKind, text: str, span: Span | None, *, folded: bool = False) -> Predicate:
    """`subject` matches `text` as `kind` says."""
    return Predicate(subject, Op.LIKE, pattern=Pattern(kind, fold_pattern(text)), folded=folded, span=span)


def glob(subject: Expr, text: str, span: Span | None) -> Predicate:
    """The predicate that SQLite's GLOB means; character classes make it a regular expression."""
    if "[" in text:
        return pattern(subject, PatternKind.REGEX, text, span)
    escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return like(subject, escaped.replace("*", "%").replace("?", "_"), "\\", span, folded=False)


def regex(subject: Expr, text: str, span: Span | None, *, folded: bool, full: bool = False) -> Predicate:
    """The predicate that a regular expression means; one without special characters is a plain prefix, suffix, …"""
    start = text.startswith("^") or full
    end = text.endswith("$") or full
    body = text.removeprefix("^")
    body = body.removesuffix("$")
    if body.startswith(".*"):
        start, body = False, body[2:]
    if body.endswith(".*") and not body.endswith("\\.*"):
        end, body = False, body[:-2]
    if not body or _SPECIAL.search(body):
        return pattern(subject, PatternKind.REGEX, text, span, folded=folded)
    if start and end:
        return Predicate(subject, Op.IN, values=(text_literal(body, span),), folded=folded, span=span)
    kind = PatternKind.PREFIX if start else PatternKind.SUFFIX if end else PatternKind.CONTAINS
    return pattern(subject, kind, body, span, folded=folded)


def negate(predicate: Predicate, *, negated: bool) -> Cnf:
    """A CNF of one predicate, turned around where `negated`."""
    if not negated:
        return [(predicate,)]
    return [
        (
            Predicate(
                predicate.subject,
                predicate.op,
                not predicate.negated,
                predicate.values,
                predicate.interval,
                predicate.pattern,
                predicate.comparator,
                predicate.other,
                predicate.folded,
                predicate.span,
            ),
        )
    ]


def text_of(expr: Expr) -> str | None:
    """The text of a quoted constant as written; None for anything else."""
    return expr.text if type(expr) is Literal and expr.quoted else None
