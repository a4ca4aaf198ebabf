"""Which tables a text describes: those that it creates, none that it only mentions."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from stef.sql.literals import fold_name

_PART = r'(?:"(?:[^"]|"")+"|`[^`]+`|\[[^\]]+\]|[^\W\d][\w$]*)'
_NAME = rf"{_PART}(?:\s*\.\s*{_PART})*"
_CREATE = re.compile(
    rf"""--[^\n]*|/\*.*?\*/|^[ \t]*\#[^\n]*|'(?:[^'\n]|'')*'
    |\bCREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?
    (?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|EXTERNAL|FOREIGN|TRANSIENT|VOLATILE|HYBRID|DYNAMIC|ICEBERG|VIRTUAL
        |COLUMN|ROW|MULTISET|SET|MATERIALIZED|RECURSIVE|SECURE|FORCE)\s+)*
    (?:TABLE|VIEW)\s+(?:IF\s+NOT\s+EXISTS\s+)?(?P<name>{_NAME})""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE | re.MULTILINE,
)
_LISTED = re.compile(rf"[\s#*-]*(?:Table:?\s+)?(?P<name>{_NAME})\s*(?:\(|:|,\s*columns\b).*", re.IGNORECASE)
_PARTS = re.compile(_PART)
_TABLE_KEYS = ("table", "table_name", "tableName", "name")
_COLUMN_KEYS = ("columns", "fields", "column_names")


def tables_of_ddl(statements: Iterable[str], dialect: str | None = None) -> tuple[str, ...]:
    """The tables that `statements` describe, folded, without their schema, in order and once each.

    Read are the headers of CREATE TABLE and CREATE VIEW, wherever they stand outside of comments and strings: the rest
    of a statement may be cut or broken, and what it refers to (foreign keys, a view's query) is not described by it.
    A text that creates nothing is read as JSON (`{"table": …, "columns": …}`, `{"orders": {"columns": …}}`, lists of
    these), else, where every line has that form, as lines of `orders(id, amount)`. Examples and prose do not count.
    """
    _ = dialect  # The header of CREATE TABLE is the same in all of them.
    found: dict[str, None] = {}
    for text in statements:
        for name in _of_text(text):
            found[_bare(name)] = None
    return tuple(found)


def _of_text(text: str) -> Iterator[str]:
    if text.lstrip()[:1] in ("{", "["):
        try:
            yield from _of_json(json.loads(text))
        except (ValueError, RecursionError):
            pass
        else:
            return
    created = [match["name"] for match in _CREATE.finditer(text) if match["name"]]
    yield from created or _of_lines(text)


def _of_json(value: Any) -> Iterator[str]:
    """Names of objects that have columns, and DDL in texts."""
    if isinstance(value, str):
        yield from (match["name"] for match in _CREATE.finditer(value) if match["name"])
    elif isinstance(value, list):
        for item in value:
            yield from _of_json(item)
    elif isinstance(value, dict):
        name = next((value[key] for key in _TABLE_KEYS if isinstance(value.get(key), str)), None)
        if name is not None and _has_columns(value):
            yield name
            return
        for key, item in value.items():
            if isinstance(item, dict) and _has_columns(item) and not any(word in item for word in _TABLE_KEYS):
                yield key
            else:
                yield from _of_json(item)


def _has_columns(value: dict[str, Any]) -> bool:
    return any(isinstance(value.get(key), list | dict) for key in _COLUMN_KEYS)


def _of_lines(text: str) -> Iterator[str]:
    lines = [line for line in text.splitlines() if line.strip(" \t#-*")]
    matches = [_LISTED.fullmatch(line) for line in lines]
    if matches and all(matches):
        yield from (match["name"] for match in matches if match is not None)


def _bare(name: str) -> str:
    parts = _PARTS.findall(name)
    last = parts[-1] if parts else name
    if last[:1] in ('"', "`", "["):
        last = last[1:-1].replace('""', '"')
    return fold_name(last)
