"""From what an agent logged to the query in it, comments removed, literals and case kept."""

import html
import json
import re
from collections.abc import Callable

from stef.records.reading import Note
from stef.records.record import record
from stef.sql import chat, prose
from stef.sql.segments import choose_lexis, map_code, search_code, strip_comments
from stef.sql.starts import begins_query, begins_statement

_ENDS = " \t\r\n;\ufeff\u200b\u200c\u200d\u2060\xa0"
_MARKS = ("--", "/*", "#", "\\", "&", "</", "<|", "```", "\n\n", "\r", ";", "\n \n")
_PLAIN_STARTS = frozenset({"select ", "select\n", "select(", "with "})
_LONGEST_NOTE = 300
_MOST_NOTES = 20


@record(frozen=True, slots=True)
class Cleaned:
    """The text that is parsed, and what was repaired in it. `text` is empty where nothing but comments was there."""

    text: str
    notes: tuple[Note, ...] = ()


def clean(text: str, dialect: str | None = None) -> Cleaned:
    """The query in `text`, without what surrounds it in real logs. Text that is clean already comes back as it is."""
    text = text.strip(_ENDS)
    if _is_plain(text):
        return Cleaned(text)
    notes: list[Note] = []
    for code, stage in _STAGES:
        changed = stage(text, dialect)
        if changed is not None and changed != text:
            if code == "fence_removed" and text.count("```") % 2:
                # A reply that was cut off: the query may lack its end.
                notes.append(Note("fence_unclosed"))
            notes.append(Note(code))
            text = changed
    text, comments = strip_comments(text, choose_lexis(text, dialect))
    notes += (Note("comment_removed", comment[:_LONGEST_NOTE]) for comment in comments[:_MOST_NOTES])
    return Cleaned(text.strip(_ENDS), tuple(notes))


def _is_plain(text: str) -> bool:
    head = text[:7].lower()
    if head not in _PLAIN_STARTS and head[:5] not in _PLAIN_STARTS:
        return False
    return text.isascii() and not any(mark in text for mark in _MARKS)


def _unwrap_json(text: str, _dialect: str | None) -> str | None:
    """The one query in a JSON string, object or list."""
    if text[:1] not in ('"', "{", "[") or text[-1:] not in ('"', "}", "]"):
        return None
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    values = value.values() if isinstance(value, dict) else value if isinstance(value, list) else (value,)
    queries = [item for item in values if isinstance(item, str) and begins_query(item)]
    return queries[0].strip(_ENDS) if len(queries) == 1 else None


_LITERAL = re.compile(r"'[^']*'")


def _bare(text: str) -> str:
    """`text`, and where it begins as a query does, without its literals: a fence inside one is none."""
    return _LITERAL.sub("''", text) if begins_query(text) else text


def _cut_chat(text: str, _dialect: str | None) -> str | None:
    return chat.cut_chat(text) if chat.cut_chat(_bare(text)) is not None else None


def _unfence(text: str, _dialect: str | None) -> str | None:
    return chat.unfence(text) if "```" in text and "```" in _bare(text) else None


def _untag(text: str, _dialect: str | None) -> str | None:
    return chat.untag(text)


def _unlabel(text: str, _dialect: str | None) -> str | None:
    return chat.unlabel(text)


def _unquote(text: str, _dialect: str | None) -> str | None:
    """A whole query between one pair of back-quotes or quotes."""
    if len(text) > 2 and text[0] == text[-1] and text[0] in "`\"'" and begins_query(text[1:-1]):
        return text[1:-1].strip(_ENDS)
    return None


def _drop_prose_before(text: str, _dialect: str | None) -> str | None:
    return None if begins_statement(text) else prose.drop_prose_before(text)


def _drop_prose_after(text: str, _dialect: str | None) -> str | None:
    return prose.drop_prose_after(text) if begins_statement(text) else None


_ENTITY = re.compile(r"&(?:lt|gt|amp|quot|apos|nbsp|#39|#34|#60|#62|#x27|#x22);", re.IGNORECASE)
_ESCAPED_SPACE = re.compile(r"\\(?:[nrt]|\Z)")
_ESCAPED_MARKUP = re.compile(r"\\([_*<>\[\]()#~+.!|=-])")
_ESCAPES = {"\\n": "\n", "\\r": "\n", "\\t": "\t", '\\"': '"', "\\'": "'"}
_ESCAPE = re.compile(r"\\[nrt\"']")


def _unescape_html(text: str, dialect: str | None) -> str | None:
    if "&" not in text or not search_code(text, choose_lexis(text, dialect), _ENTITY):
        return None
    return html.unescape(text)


def _unescape_json(text: str, dialect: str | None) -> str | None:
    """Real line ends and quotes for `\\n` and `\\"` outside literals."""
    if "\\" not in text:
        return None
    lex = choose_lexis(text, dialect)
    found = search_code(text, lex, _ESCAPED_SPACE)
    if not found:
        return None
    if found == "\\":
        return _ESCAPE.sub(lambda match: _ESCAPES[match.group()], text)
    return map_code(text, lex, lambda code: _ESCAPE.sub(lambda match: _ESCAPES[match.group()], code))


def _unescape_markdown(text: str, dialect: str | None) -> str | None:
    if "\\" not in text:
        return None
    return map_code(text, choose_lexis(text, dialect), lambda code: _ESCAPED_MARKUP.sub(r"\1", code))


_CURLY = str.maketrans({**dict.fromkeys("‘’‚‛´", "'"), **dict.fromkeys("“”„‟", '"')})
_TYPOGRAPHIC = str.maketrans(
    {
        **dict.fromkeys("\xa0\u2002\u2003\u2007\u2009\u202f\u3000", " "),
        **dict.fromkeys("\ufeff\u200b\u200c\u200d\u2060\u00ad", None),
        "，": ",",
        "（": "(",
        "）": ")",
        "；": ";",
        "＝": "=",
        "＊": "*",
        "．": ".",
        "＜": "<",
        "＞": ">",
        "−": "-",
        "≥": ">=",
        "≤": "<=",
        "≠": "<>",
        "×": "*",
        "…": "...",
    }
)


def _straighten(text: str, dialect: str | None) -> str | None:
    if text.isascii():
        return None
    return map_code(text, choose_lexis(text, dialect), lambda code: code.translate(_CURLY))


def _normalise_characters(text: str, dialect: str | None) -> str | None:
    if text.isascii():
        return None
    return map_code(text, choose_lexis(text, dialect), lambda code: code.translate(_TYPOGRAPHIC))


def _unexplain(text: str, _dialect: str | None) -> str | None:
    return chat.unexplain(text)


_STAGES: tuple[tuple[str, Callable[[str, str | None], str | None]], ...] = (
    ("json_unwrapped", _unwrap_json),
    ("chat_removed", _cut_chat),
    ("fence_removed", _unfence),
    ("tag_removed", _untag),
    ("label_removed", _unlabel),
    ("quotes_removed", _unquote),
    ("prose_removed", _drop_prose_before),
    ("prose_removed", _drop_prose_after),
    ("html_unescaped", _unescape_html),
    ("line_ends_unescaped", _unescape_json),
    ("markdown_unescaped", _unescape_markdown),
    ("curly_quotes_repaired", _straighten),
    ("characters_repaired", _normalise_characters),
    ("explain_removed", _unexplain),
)

SALVAGE: tuple[tuple[str, Callable[[str], str | None]], ...] = (
    ("doubled_select", prose.undouble),
    ("chat_removed", prose.drop_labelled_lines),
    ("prose_removed", prose.drop_prose_after_semicolon),
)
"""Repairs for text that did not parse, in their order: on text that parses they could take away SQL."""
