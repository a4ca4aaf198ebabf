"""Bounds on a text before it is parsed: a text that nests deeply enough ends the interpreter with a signal.

Measured with sqlglot 30.30, compiled, on a stack of 8 MB:

- parentheses, CASE, NOT, IF raise RecursionError from a depth of about 450; functions, brackets, braces, CTEs, INTERVAL
  and unary minus from about 900: no harm, the error is caught;
- the path through FROM recurses without a Python frame: 5,000 nested `from(` are read, 20,000 overflow the stack. Each
  kind is safe up to 500 on a thread with a quarter of that stack (2 MB), up to 200 with a sixteenth;
- flat chains (OR, AND, UNION, `+`, `||`, IN lists, casts, WHEN) are read in a loop: 160,000 terms of each were read;
- four kinds of chain are read in a loop and freed by recursion, which overflows the stack: JOINs whose ONs all stand at
  the end (from 40,000), subscripts and `:=` (from 80,000), AT TIME ZONE (from 160,000). `MAX_CHAIN` bounds those.
"""

import re
from collections.abc import Iterator

from stef.records.reading import Unreadable
from stef.records.reasons import UnscoredReason
from stef.sql.dialects import lexis

MAX_LENGTH = 1_048_576
"""Characters of the text as logged (1 MB of plain SQL)."""

MAX_DEPTH = 500
"""Levels of nesting, outside strings and comments."""

MAX_CHAIN = 2_000
"""Links of a chain whose tree is freed by recursion."""

_SHORTEST_PREFIX = 2
_CHAINS = (
    (re.compile(r"\bjoin\b", re.IGNORECASE), "joins"),
    (re.compile(r"\]\s*\["), "subscripts"),
    (re.compile(r":="), "assignments"),
    (re.compile(r"\bat\s+time\b", re.IGNORECASE), "time zones"),
)
_OPENERS = "([{<-+~!@"
_PREFIX_OPERATORS = frozenset({"not", "-", "+", "~", "!", "@", "<", "interval", "prior", "if"})
_PREFIX_KEYWORDS = frozenset(
    {
        *(
            "from",
            "select",
            "exists",
            "explain",
            "lateral",
            "distinct",
            "all",
            "any",
            "some",
            "with",
            "in",
            "then",
            "else",
        ),
        *(
            "when",
            "describe",
            "table",
            "recursive",
            "unnest",
            "values",
            "connect_by_root",
            "binary",
            "using",
            "on",
            "join",
        ),
        *(
            "union",
            "except",
            "intersect",
            "where",
            "having",
            "by",
            "as",
            "return",
            "is",
            "and",
            "or",
            "like",
            "between",
        ),
        *("array", "map", "struct"),
    }
)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORD_RUN = re.compile(r"(?:\b(?:not|from|select|interval|prior|case|if|explain|exists)\b[\s(\[{]*)", re.IGNORECASE)


def check_length(text: str) -> Unreadable | None:
    """TOO_LARGE for a text above `MAX_LENGTH`."""
    if len(text) <= MAX_LENGTH:
        return None
    return Unreadable(UnscoredReason.TOO_LARGE, f"{len(text):,} characters; at most {MAX_LENGTH:,} are read")


def check_depth(text: str, dialect: str | None = None) -> Unreadable | None:
    """TOO_LARGE for a text that nests deeper than `MAX_DEPTH`: brackets, CASE, runs of prefix operators together."""
    if len(text) <= MAX_DEPTH:
        return None
    if len(text) > MAX_CHAIN * _SHORTEST_PREFIX and (chain := _longest_chain(text)):
        return chain
    if not _may_be_deep(text):
        return None
    depth = nesting_depth(text, dialect)
    if depth <= MAX_DEPTH:
        return None
    return Unreadable(UnscoredReason.TOO_LARGE, f"nested {depth:,} levels deep; at most {MAX_DEPTH} are read")


def _longest_chain(text: str) -> Unreadable | None:
    for pattern, name in _CHAINS:
        links = sum(1 for _ in pattern.finditer(text))
        if links > MAX_CHAIN:
            return Unreadable(UnscoredReason.TOO_LARGE, f"{links:,} {name} in one text; at most {MAX_CHAIN:,} are read")
    return None


def _may_be_deep(text: str) -> bool:
    """An upper bound that costs next to nothing: no text nests deeper than it opens."""
    opened = sum(map(text.count, _OPENERS))
    if opened > MAX_DEPTH:
        return True
    if len(text) <= MAX_DEPTH * _SHORTEST_PREFIX:
        return False
    return opened + sum(1 for _ in _WORD_RUN.finditer(text)) > MAX_DEPTH


def nesting_depth(text: str, dialect: str | None = None) -> int:
    """The deepest nesting in `text`: open brackets, open CASEs, and prefix operators that still wait for an operand."""
    deepest = depth = operators = keywords = 0
    waiting: list[int] = []
    for mark in _code_tokens(text, dialect):
        if mark in "([{" or mark == "case":
            waiting.append(operators)
            depth += operators + 1
            operators = keywords = 0
        elif mark in ")]}" or mark == "end":
            depth -= waiting.pop() + 1 if waiting else 0
            operators = keywords = 0
        elif mark in _PREFIX_OPERATORS:
            operators += 1
        elif mark in _PREFIX_KEYWORDS:
            # A keyword before a bracket nests with it, as one level; only a run of keywords nests by itself.
            keywords += 1
        else:
            operators = keywords = 0
        deepest = max(deepest, depth + operators + keywords)
    return deepest


def _code_tokens(text: str, dialect: str | None) -> Iterator[str]:
    position = 0
    for quoted in lexis(dialect).opaque.finditer(text):
        for mark in _TOKEN.finditer(text, position, quoted.start()):
            yield mark.group().lower()
        if not quoted["comment"]:
            yield "literal"
        position = quoted.end()
    for mark in _TOKEN.finditer(text, position):
        yield mark.group().lower()
