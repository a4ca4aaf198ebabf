"""Code apart from quoted text and comments: what every repair of a text needs, as literals are never touched."""

import re
from collections import deque
from collections.abc import Callable

from stef.sql.dialects import Lexis, lexis


def choose_lexis(text: str, dialect: str | None) -> Lexis:
    r"""The lexis of `dialect`, or its twin with the other reading of `\'`, where only that one closes every quote."""
    own = lexis(dialect)
    if "\\" not in text or _closes(text, own):
        return own
    for escapes in (True, False):
        other = lexis(dialect, escapes)
        if other is not own and _closes(text, other):
            return other
    return own


def _closes(text: str, lex: Lexis) -> bool:
    last = next(iter(deque(lex.opaque.finditer(text), maxlen=1)), None)
    if last is None or last.end() < len(text) or last["comment"]:
        return True
    quote = last.group()
    return len(quote) > 1 and quote[0] == quote[-1]


def map_code(text: str, lex: Lexis, change: Callable[[str], str]) -> str:
    """`text` with `change` applied to each stretch outside quotes and comments."""
    parts: list[str] = []
    position = 0
    for quoted in lex.opaque.finditer(text):
        if quoted.start() > position:
            parts.append(change(text[position : quoted.start()]))
        parts.append(quoted.group())
        position = quoted.end()
    if position == 0:
        return change(text)
    return "".join((*parts, change(text[position:])))


def search_code(text: str, lex: Lexis, pattern: re.Pattern[str]) -> str | None:
    """The first match of `pattern` outside quotes and comments."""
    if not pattern.search(text):
        return None
    position = 0
    for quoted in lex.opaque.finditer(text):
        if found := pattern.search(text, position, quoted.start()):
            return found.group()
        position = quoted.end()
    found = pattern.search(text, position)
    return found.group() if found else None


def strip_comments(text: str, lex: Lexis) -> tuple[str, tuple[str, ...]]:
    """`text` without its comments, and the comments. A line comment ends with its line; a block leaves one space."""
    parts: list[str] = []
    comments: list[str] = []
    position = start = 0
    nested = lex.nested_comments
    while found := lex.opaque.search(text, position):
        position = found.end()
        comment = found["comment"]
        if not comment:
            continue
        if comment.startswith("/*"):
            if nested:
                end = _end_of_nested(text, found.start())
                # Not balanced: as in a dialect without nesting, the first end closes it, and no further count is made.
                nested = end is not None
                position = end or position
            parts += (text[start : found.start()], " ")
        else:
            parts.append(text[start : found.start()].rstrip(" \t"))
        comments.append(text[found.start() : position])
        start = position
    if not comments:
        return text, ()
    return "".join((*parts, text[start:])), tuple(comments)


_COMMENT_MARK = re.compile(r"/\*|\*/")


def _end_of_nested(text: str, start: int) -> int | None:
    depth = 0
    for mark in _COMMENT_MARK.finditer(text, start):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return None
