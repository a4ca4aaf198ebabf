"""One field of JSON objects set in their text."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from stef.gold.cases.splicing import Place, chosen, newline_count

_SPACE = " \t\r\n"
_LISTS = ("cases", "data", "questions", "examples")
_DECODER = json.JSONDecoder()

_Member = tuple[str, int, int, int]
"""A key, where it begins, where its value begins, and where that ends."""


def splice_json(text: str, field: str, values: Mapping[Place, Any], *, lines: bool) -> str:
    """`text` with `field` of the objects that `values` name by line and id; others stay as they are.

    `lines`: one object a line; else the objects are those of a list, of the list in one object, or the one object.
    """
    starts = list(_starts(text, lines=lines))
    found = [(line, _held(text, start), start) for line, start in newline_count(text, starts)]
    plain = text.isascii()
    edits = [
        _edit(text, start, field, json.dumps(value, ensure_ascii=plain, default=str))
        for start, value in chosen(found, values)
    ]
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _held(text: str, start: int) -> frozenset[str]:
    """The plain values of an object, of which one may be its id."""
    members = _members(text, start)
    return frozenset(str(json.loads(text[begin:end])) for _, _, begin, end in members if text[begin] not in "[{")


def _edit(text: str, start: int, field: str, value: str) -> tuple[int, int, str]:
    members = _members(text, start)
    if not members:
        return start + 1, start + 1, f"{json.dumps(field)}: {value}"
    for key, _, begin, end in members:
        if key == field:
            return begin, end, value
    # What stands between two members stands before the new one: nothing, a space, or a line break and its indent.
    if len(members) > 1:
        before = text[text.index(",", members[0][3]) + 1 : members[1][1]]
    else:
        before = text[start + 1 : members[0][1]] or " "
    colon = ": " if text[members[0][2] - 1] == " " else ":"
    last = members[-1][3]
    return last, last, f",{before}{json.dumps(field)}{colon}{value}"


def _starts(text: str, *, lines: bool) -> Iterator[int]:
    """Where each entry's object begins."""
    if lines:
        at = 0
        for row in text.split("\n"):
            lead = len(row) - len(row.lstrip())
            if row[lead : lead + 1] == "{":
                yield at + lead
            at += len(row) + 1
        return
    start = _skip(text, 0)
    if text[start] == "{":
        held = [one for one in _members(text, start) if one[0] in _LISTS and text[one[2]] == "["]
        if not held:
            yield start
            return
        start = held[0][2]
    at = _skip(text, start + 1)
    while text[at] != "]":
        if text[at] == "{":
            yield at
        _, end = _DECODER.raw_decode(text, at)
        at = _skip(text, end, _SPACE + ",")


def _members(text: str, start: int) -> list[_Member]:
    """The members of the object that begins at `start`."""
    found: list[_Member] = []
    at = _skip(text, start + 1)
    while text[at] == '"':
        key, end = _DECODER.raw_decode(text, at)
        begin = _skip(text, _skip(text, end) + 1)
        _, value_end = _DECODER.raw_decode(text, begin)
        found.append((key, at, begin, value_end))
        at = _skip(text, value_end, _SPACE + ",")
    return found


def _skip(text: str, at: int, what: str = _SPACE) -> int:
    while at < len(text) and text[at] in what:
        at += 1
    return at
