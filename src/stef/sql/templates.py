"""Templates that were never rendered, and placeholders that were never filled."""

import re

from stef.sql.dialects import lexis
from stef.sql.segments import map_code, search_code

_RENDERED_LATER = re.compile(
    r"\{\{[^{}]{0,200}\}\}|\{%[^{}]{0,200}%\}|\{\{|\{%|\{#|\$\{[^{}\n]{0,200}\}|<%[=\s-][^<%]{0,200}%>"
)
_FORMAT_FIELD = re.compile(r"(?<![\w$:'])\{[A-Za-z_]\w*\}")
_UNFILLED = re.compile(
    r"<\s*(?:your[_ ]\w+|[A-Za-z]\w*[_ ](?:name|id|value|column|table|condition|date|list)s?\w*"
    r"|(?:table|column|col|field|value|condition|schema|database|db|date|number|name|id|friend|string|placeholder)s?\d*)\s*>"
    r"|<[a-z]+(?:_[a-z]+)+>",
    re.IGNORECASE,
)
_UNFILLED_BRACKET = re.compile(
    r"\[\s*(?:your[_ ]\w[\w ]*|insert [\w ]+|placeholder)\s*\]|\b(?:from|join)\s+\[\s*table[_ ]?name\s*\]",
    re.IGNORECASE,
)
_SITE_PARAMETER = re.compile(r"##\s*([A-Za-z_]\w*)(?::\w+)?(?:\?[^#\n]*)?\s*##")


def find_template(text: str) -> str | None:
    """What in `text` shows that it was never rendered (jinja, dbt, `${x}`, `<% %>`, a format field), or None.

    A template inside a string counts too: the string's value is not known either.
    """
    if "{" not in text and "<%" not in text:
        return None
    if found := _RENDERED_LATER.search(text):
        return _short(found.group())
    found_field = search_code(text, lexis(None), _FORMAT_FIELD)
    return _short(found_field) if found_field else None


def find_unfilled(text: str, dialect: str | None) -> str | None:
    """A gap that the agent left open in `text`, such as `<table_name>` or `[your_column]`, or None.

    Bind parameters (`?`, `:id`, `%s`, `@p`, `$1`) are SQL and no gaps.
    """
    if "<" in text and (found := search_code(text, lexis(dialect), _UNFILLED)):
        return _short(found)
    if "[" in text and (bracket := _UNFILLED_BRACKET.search(text)):
        return _short(bracket.group())
    return None


def bind_site_parameters(text: str) -> tuple[str, str | None]:
    """`text` with each `##name:type?default##` outside quotes as the variable `@name`, and the first one replaced."""
    if "##" not in text:
        return text, None
    found = search_code(text, lexis("tsql"), _SITE_PARAMETER)
    if not found:
        return text, None
    return map_code(text, lexis("tsql"), lambda code: _SITE_PARAMETER.sub(r"@\1", code)), found


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "…"
