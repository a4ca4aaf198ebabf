"""YAML as a list of entries, each with the lines of its fields."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import yaml
from yaml.constructor import SafeConstructor

_MAX_NODES = 5_000_000
"""Nodes of a file with every alias written out: a few lines of aliases of aliases can stand for billions."""

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class YamlEntry:
    """One entry: its data, its line, where its fields stand, and the keys that it has twice."""

    data: dict[str, Any]
    line: int
    line_of: Callable[[tuple[str | int, ...]], int]
    twice: tuple[str, ...] = ()


def yaml_entries(text: str, lists: tuple[str, ...]) -> Iterator[YamlEntry | tuple[int, str]]:
    """The entries of a text: those of its list, of the list under one of the keys `lists`, or one a document.

    In place of what cannot be read stands its line and what is wrong there.
    """
    documents: list[yaml.Node] = []
    try:
        documents.extend(node for node in yaml.compose_all(text, Loader=LOADER) if node is not None)
    except (yaml.YAMLError, RecursionError) as error:
        yield _broken(error)
        return
    for document in documents:
        if _size(document, {}) > _MAX_NODES:
            yield _line(document), "aliases that contain themselves, or stand for too much; write the values out"
            continue
        for node in items_of(document, lists):
            yield _entry(node)


def line_of(text: str, keys: tuple[str | int, ...]) -> int:
    """The line (from 1) at which the field `keys` stands in the one object that `text` is; 1 where it is not there."""
    try:
        node = yaml.compose(text, Loader=LOADER)
    except (yaml.YAMLError, RecursionError):
        return 1
    return _find(node, keys) if node is not None else 1


def items_of(document: yaml.Node, lists: tuple[str, ...]) -> list[yaml.Node]:
    """The entries of a document: of its list, of the list under one of the keys `lists`, or the document itself."""
    if isinstance(document, yaml.SequenceNode):
        return list(document.value)
    if isinstance(document, yaml.MappingNode):
        for key, value in document.value:
            if key.value in lists and isinstance(value, yaml.SequenceNode):
                return list(value.value)
    return [document]


def _entry(node: yaml.Node) -> YamlEntry | tuple[int, str]:
    if not isinstance(node, yaml.MappingNode):
        return _line(node), "expected an entry with fields, such as `question: …`"
    twice = _twice(node)
    constructor = SafeConstructor()
    try:
        data = constructor.construct_document(node)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return _broken(error, _line(node))
    return YamlEntry({str(key): value for key, value in data.items()}, _line(node), partial(_find, node), twice)


def _twice(node: yaml.MappingNode) -> tuple[str, ...]:
    seen: set[str] = set()
    twice = []
    for key, _ in node.value:
        name = str(key.value)
        if name in seen and name != "<<":
            twice.append(name)
        seen.add(name)
    return tuple(twice)


def _find(node: yaml.Node, keys: tuple[str | int, ...]) -> int:
    """The line of the deepest part of `keys` that is there."""
    line = _line(node)
    for key in keys:
        found = _step(node, key)
        if found is None:
            break
        line, node = found
    return line


def _step(node: yaml.Node, key: str | int) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        # The last one: of a key that stands twice, it is the one that counts.
        return next(((_line(name), value) for name, value in reversed(node.value) if name.value == str(key)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        return _line(node.value[key]), node.value[key]
    return None


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """Nodes under `node` with its aliases written out; more than `_MAX_NODES` for one that contains itself."""
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = _MAX_NODES + 1  # stands while its own parts are counted: only a circle meets it
    size = 1
    if isinstance(node, yaml.SequenceNode):
        size += sum(_size(part, known) for part in node.value)
    elif isinstance(node, yaml.MappingNode):
        size += sum(_size(key, known) + _size(value, known) for key, value in node.value)
    known[id(node)] = size
    return size


def _broken(error: Exception, line: int = 1) -> tuple[int, str]:
    mark = getattr(error, "problem_mark", None)
    if mark is not None:
        return int(mark.line) + 1, f"no valid YAML: {getattr(error, 'problem', None) or 'syntax error'}"
    return line, "nested too deeply" if isinstance(error, RecursionError) else f"no valid YAML: {error}"
