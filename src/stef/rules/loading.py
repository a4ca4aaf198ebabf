"""Reading rules files: strict JSON, checked key by key, merged with what they extend."""

import json
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from stef.errors import RulesError
from stef.resources import resource_path
from stef.rules.merging import OWN, merge
from stef.rules.messages import explain
from stef.rules.model import AppRules
from stef.rules.strict_json import read_object

DEFAULT = "default"
_MAX_PROBLEMS = 20
_ONE_OR_MANY = ("critical_columns", "refusal_markers", "clarification_markers", "notes")


_Part: TypeAlias = tuple[Path, dict[str, Any]]
"""A file, and what it says itself as plain data."""


def load_rules(path: str | Path) -> AppRules:
    """The rules in the file at `path`, merged with what they extend.

    Raises RulesError with the file, the path inside the JSON, what is wrong there, and the way out.
    """
    return _build(_chain(Path(path), ()), str(path))


def load_parts(path: str | Path) -> tuple[tuple[Path, AppRules], ...]:
    """The file at `path` and those that it extends, nearest first, each with its own keys only; raises RulesError."""
    return tuple((file, _build([(file, own)], str(file))) for file, own in _chain(Path(path), ()))


def load_default() -> AppRules:
    """The rules that hold for every application unless it says otherwise."""
    return _build([_default()], "default rules")


def resolve(rules: AppRules | None, folder: str | Path = ".") -> AppRules:
    """`rules` merged with what they extend; merged rules are given back as they are, None is the default rules.

    A file named in `extends` is looked up in `folder`. Raises RulesError where it cannot be read.
    """
    if rules is None:
        return load_default()
    if rules.extends is None:
        return rules
    here = Path(folder) / "rules"
    own = rules.model_dump(mode="json", exclude_unset=True)
    return _build([(here, own), *_bases(rules.extends, here, ())], "rules")


def _chain(path: Path, seen: tuple[Path, ...]) -> list[_Part]:
    """The file at `path`, valid on its own, and all that it extends, nearest first."""
    own = read_object(_read(path), str(path))
    own.pop("$schema", None)
    _validate(own, str(path))
    return [(path, _lists(own)), *_bases(own.get("extends", DEFAULT), path, (*seen, path.resolve()))]


def _bases(extends: str | None, path: Path, seen: tuple[Path, ...]) -> list[_Part]:
    if extends is None:
        return []
    if extends == DEFAULT:
        return [_default()]
    base = path.parent / extends
    try:
        place, there = base.resolve(), base.is_file()
    except (OSError, ValueError) as error:
        raise RulesError(f"{path}: extends: {extends[:60]!r} is no name of a file") from error
    if place in seen:
        chain = " → ".join(file.name for file in (*seen, base))
        raise RulesError(f"{path}: extends: a circle of files: {chain}")
    if not there:
        raise RulesError(f"{path}: extends: there is no file {base}; use 'default', a file beside this one, or null")
    return _chain(base, seen)


def _default() -> _Part:
    raw = resource_path("rules/default.json").read_bytes()
    return Path("rules/default.json"), _lists(read_object(raw, "rules/default.json"))


def _lists(own: dict[str, Any]) -> dict[str, Any]:
    """`own` where a single text that stands for a list of one is that list, so that lists are joined."""
    data: dict[str, Any] = {
        key: [value] if key in _ONE_OR_MANY and isinstance(value, str) else value for key, value in own.items()
    }
    for key in ("column_mappings", "agent_adds"):
        mapping = data.get(key)
        if isinstance(mapping, dict):
            data[key] = _names(mapping)
    values = data.get("value_mappings")
    if isinstance(values, dict):
        data["value_mappings"] = {
            column: _names(mapping) if isinstance(mapping, dict) else mapping for column, mapping in values.items()
        }
    return data


def _names(mapping: dict[str, Any]) -> dict[str, Any]:
    """`mapping`, whose only texts are lists of one."""
    return {key: [value] if isinstance(value, str) else value for key, value in mapping.items()}


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise RulesError(f"{path}: there is no such file") from error
    except IsADirectoryError as error:
        raise RulesError(f"{path}: is a folder; name one of the files in it") from error
    except (OSError, ValueError) as error:
        raise RulesError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _validate(data: dict[str, Any], where: str) -> AppRules | None:
    """The rules in `data`; None where it is valid only as part of a merge, as nulls take back what is inherited."""
    try:
        return AppRules.model_validate_json(json.dumps(data), strict=True)
    except ValidationError as error:
        lines = explain(error, AppRules)
        if not lines:
            return None
        shown = [f"{where}: {line}" for line in lines[:_MAX_PROBLEMS]]
        if len(lines) > _MAX_PROBLEMS:
            shown.append(f"{where}: … and {len(lines) - _MAX_PROBLEMS} more")
        raise RulesError("\n".join(shown)) from error


def _build(parts: list[_Part], where: str) -> AppRules:
    merged: dict[str, Any] = {}
    for _, own in reversed(parts):
        merged = merge({key: value for key, value in merged.items() if key not in OWN}, own)
    rules = _validate({**merged, "extends": None}, where)
    if rules is None:
        raise RulesError(f"{where}: null is not allowed here")
    return rules
