"""Taking sentences off a query: before it, after it, and between its first two words."""

import re

from stef.sql.starts import begins_statement

_QUERY_LINE = re.compile(
    r"^[ \t>*-]*(?=\(*\s*(?:SELECT\s+\S|"
    r"WITH\s+(?:RECURSIVE\s+)?[\w\"`\[\]]+\s*(?:\([^()\n]*\)\s*)?AS\s*(?:\w+\s+)*\())",
    re.IGNORECASE | re.MULTILINE,
)
_QUERY_AFTER_COLON = re.compile(r":\s*[`\"']?(?=(?:SELECT|WITH)\s)", re.IGNORECASE)
_QUERY_SHOUTED = re.compile(r"\b(?=SELECT\s+[^.!?]{1,2000}?\sFROM\s)|\b(?=WITH\s+\w+\s+AS\s*\()")


def drop_prose_before(text: str) -> str | None:
    """`text` from where its query begins; None: nothing stands before a query, or there is no query."""
    for pattern in (_QUERY_LINE, _QUERY_AFTER_COLON, _QUERY_SHOUTED):
        for found in pattern.finditer(text):
            if found.end() and text[: found.end()].strip():
                return text[found.end() :].strip()
    return None


_CONTINUES = frozenset({
    "select", "from", "where", "and", "or", "not", "group", "order", "by", "having", "limit", "offset", "union",
    "all", "intersect", "except", "minus", "join", "inner", "left", "right", "full", "outer", "cross", "natural",
    "on", "using", "with", "as", "case", "when", "then", "else", "end", "in", "exists", "between", "like", "ilike",
    "is", "null", "fetch", "qualify", "window", "over", "partition", "rows", "range", "values", "for", "lateral",
    "pivot", "unpivot", "sample", "tablesample", "set", "top", "into", "asc", "desc", "nulls", "distinct",
    "straight_join", "connect", "start", "escape", "collate", "if", "declare",
})  # fmt: skip
"""Words with which a query goes on after a blank line, or which it does not end with before one."""

_PARAGRAPH = re.compile(r"\n[ \t\r]*\n\s*")
_FIRST_WORDS = re.compile(r"(?:-\s)?[*_#>\s\d.]*([A-Za-zÀ-ÿ'’]+)(?=[\s:,.!*`_]|\Z)")
_LABEL_LINE = re.compile(r"\n[ \t]*[*_#>]*[A-Z][A-Za-z]*(?:[ ]\w+){0,4}[*_]*[ \t]*:(?=\s|\Z|[*_])")
_ONE_WORD = re.compile(r"[A-Z][a-z]+[.:!]?")
_FUNCTION_CALL = re.compile(r"[A-Z_]{2,}\s*\(")
_TABLE_BORDER = re.compile(r"\n[ \t]*(?:\+[-=+]{3,}|\|[ -])")


def drop_prose_after(text: str) -> str | None:
    """`text` up to the blank line after which a sentence follows; None: no such line."""
    for gap in _PARAGRAPH.finditer(text):
        before, rest = text[: gap.start()], text[gap.end() :]
        if reads_as_prose(rest) and not _goes_on(before) and not _inside_something(before):
            return before.rstrip()
    return None


_LAST_WORD = re.compile(r"(\w+)\W{0,3}\Z")
_DEFINES = re.compile(r"\bAS\s*\(|\bAS\s*\Z", re.IGNORECASE)
_SENTENCE = re.compile(
    r"\b(?:the|this|that|these|it|is|are|will|would|should|we|you|your|i|a|an|of|to|query|which|note|because|if|please|here)\b"
)
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_MARKUP = ("***", "## ", "###", "**", "+--", "> ")


def _goes_on(text: str) -> bool:
    """Whether `text` ends where a query cannot end: after a comma, an operator, or a keyword that needs more."""
    if text.rstrip().endswith((",", "(", "=", "<", ">", "+", "-", "/", "|", ".")):
        return True
    last = _LAST_WORD.search(text)
    return bool(last and last.group(1).lower() in _NEEDS_MORE)


_NEEDS_MORE = _CONTINUES - {"end", "null", "asc", "desc", "nulls", "rows", "left", "right", "start", "set", "top"}


def reads_as_prose(text: str) -> bool:
    """Whether `text` begins with a sentence, a heading or a printed table rather than with SQL."""
    if text.startswith(_MARKUP):
        return True
    if text.startswith(("--", "/*")):
        return False
    if text.startswith("#"):
        # A comment in some dialects, a heading in Markdown: what follows tells.
        below = text.partition("\n")[2].lstrip()
        return not below or reads_as_prose(below)
    line = text.split("\n", 1)[0].strip()
    if _EAST_ASIAN.match(line):
        return True
    first = _FIRST_WORDS.match(text)
    if not first or first.group(1).lower() in _CONTINUES or line.endswith((",", "(")) or _DEFINES.search(line):
        return False
    words = line.split()
    if len(words) == 1:
        return bool(_ONE_WORD.fullmatch(line)) and line == text.strip()
    if not first.group(1)[0].isupper() or _FUNCTION_CALL.match(line):
        return False
    plain = not any(mark in line for mark in "=<>()")
    return bool(_SENTENCE.search(line)) or line[-1] in ".:!?" or (plain and len(words) >= 4)


def _inside_something(text: str) -> bool:
    return text.count("(") > text.count(")") or text.count("/*") > text.count("*/") or text.count("'") % 2 == 1


def drop_labelled_lines(text: str) -> str | None:
    """`text` up to the first line such as `Result: …` or a printed table; None: none. For text that did not parse."""
    found = _LABEL_LINE.search(text)
    border = _TABLE_BORDER.search(text)
    ends = [match.start() for match in (found, border) if match and text[: match.start()].strip()]
    return text[: min(ends)].rstrip() if ends else None


_SEMICOLON_PROSE = re.compile(r";\s*(?=[A-Z*#][^;]*\Z)")


def drop_prose_after_semicolon(text: str) -> str | None:
    """`text` up to a `;` that a sentence follows; None: no such sentence. For text that did not parse."""
    found = _SEMICOLON_PROSE.search(text)
    if found and not begins_statement(text[found.end() :]) and reads_as_prose(text[found.end() :]):
        return text[: found.start()]
    return None


_DOUBLED = re.compile(r"\s*SELECT\s+(?=SELECT\b|WITH\s+\w+\s+AS\s*\()", re.IGNORECASE)


def undouble(text: str) -> str | None:
    """`text` without a repeated first keyword (`SELECT SELECT a`, `SELECT WITH x AS (`); None: it is not repeated."""
    found = _DOUBLED.match(text)
    return text[found.end() :] if found else None
