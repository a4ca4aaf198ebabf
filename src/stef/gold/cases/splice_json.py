"""One field of JSON objects set in their text."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

_SPACE = " \t\r\n"
_DECODER = json.JSONDecoder()


def splice_json(text: str, field: str, values: Mapping[tuple[int, str], Any], *, lines: bool) -> str:
    """`text` with `field` of the objects that begin on a line (from 1) and have an id, as `values` say.

    `lines`: one object a line; else the objects are those of a list, of the list in one object, or the one object.
    """
    by_line: dict[int, list[tuple[str, Any]]] = {}
    for (line, id_), value in values.items():
        by_line.setdefault(line, []).append((id_, value))
    plain = text.isascii()
    line, counted = 1, 0
    edits: list[tuple[int, str, int]] = []
    for start in list(_starts(text, lines=lines)):
        line += text.count("\n", counted, start)
        counted = start
        wanted = by_line.get(line, [])
        members = _members(text, start) if wanted else []
        chosen = _chosen(text, members, wanted)
        if chosen is not None:
            edits.append(_edit(text, start, members, field, json.dumps(chosen[1], ensure_ascii=plain, default=str)))
            wanted.remove(chosen)
    for start, new, end in reversed(edits):
        text = text[:start] + new + text[end:]
    return text


_Member = tuple[str, int, int, int]
"""A key, where it begins, where its value begins, and where that ends."""


def _chosen(text: str, members: list[_Member], wanted: list[tuple[str, Any]]) -> tuple[str, Any] | None:
    """What is to be written into this object: of several on one line, what its id says."""
    if len(wanted) <= 1:
        return wanted[0] if wanted and members else None
    held = {str(json.loads(text[start:end])) for _, _, start, end in members if text[start] in '"-0123456789'}
    return next((one for one in wanted if one[0] in held), None)


def _edit(text: str, start: int, members: list[_Member], field: str, value: str) -> tuple[int, str, int]:
    for key, _, begin, end in members:
        if key == field:
            return begin, value, end
    # What stands before the first key stands before the new one: a space, or a line break and its indent.
    first, last = members[0][1], members[-1][3]
    before = text[start + 1 : first]
    if len(members) > 1:
        before = text[text.index(",", members[0][3]) + 1 : members[1][1]]
    colon = text[first + len(json.dumps(members[0][0])) : members[0][2]]
    colon = colon if colon.strip() == ":" else ": "
    return last, f",{before}{json.dumps(field)}{colon}{value}", last


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


_LISTS = ("cases", "data", "questions", "examples")


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
