"""One field of YAML entries set in their text."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import yaml

from stef.gold.cases.splicing import Place, chosen
from stef.gold.cases.yaml_entries import LOADER, items_of

_LISTS = ("cases", "data", "questions", "examples")


def splice_yaml(text: str, field: str, values: Mapping[Place, Any], lists: tuple[str, ...] = _LISTS) -> str:
    """`text` with `field` of the entries that `values` name by line and id; others stay as they are.

    A field that is there is replaced in its place, a new one is put at the end of its entry.
    """
    found = [
        (entry.start_mark.line + 1, _held(entry), entry)
        for document in yaml.compose_all(text, Loader=LOADER)
        for entry in (items_of(document, lists) if document is not None else ())
        if isinstance(entry, yaml.MappingNode) and entry.value
    ]
    edits = [_edit(text, entry, field, value) for entry, value in chosen(found, values)]
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _held(entry: yaml.MappingNode) -> frozenset[str]:
    """The plain values of an entry, of which one may be its id."""
    return frozenset(str(value.value) for _, value in entry.value if isinstance(value, yaml.ScalarNode))


def _edit(text: str, entry: yaml.MappingNode, field: str, value: Any) -> tuple[int, int, str]:
    new = f"{field}: {_flow(value)}"
    for key, old in entry.value:
        if key.value == field:
            return key.start_mark.index, _end(text, old), new
    last = _end(text, entry.value[-1][1])
    if entry.flow_style:
        return last, last, f", {new}"
    # A comment behind the last value stays on its line.
    line_end = text.find("\n", last)
    at = len(text) if line_end < 0 else line_end
    carriage = at > 0 and text[at - 1] == "\r"
    at -= carriage
    indent = " " * entry.value[0][0].start_mark.column
    return at, at, f"{chr(13) if carriage or text.endswith(chr(13) + chr(10)) else ''}\n{indent}{new}"


def _end(text: str, node: yaml.Node) -> int:
    """Where the last word of a value ends: a block's own end is where the next thing begins."""
    if not getattr(node, "flow_style", False):
        if isinstance(node, yaml.MappingNode) and node.value:
            return _end(text, node.value[-1][1])
        if isinstance(node, yaml.SequenceNode) and node.value:
            return _end(text, node.value[-1])
    end = int(node.end_mark.index)
    start = int(node.start_mark.index)
    return start + len(text[start:end].rstrip())


def _flow(value: Any) -> str:
    """Plain data on one line of YAML; text that YAML would read as something else stands in quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return value.isoformat() if isinstance(value, date) else json.dumps(value, ensure_ascii=False)
