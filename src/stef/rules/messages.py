"""What is wrong with a rules file, in the words of the person who wrote it."""

from difflib import get_close_matches
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from stef.rules.strict_json import kind_of_json, path_text

_EXPECTED = {
    "string_type": "expected text",
    "int_type": "expected a whole number",
    "int_from_float": "expected a whole number",
    "float_type": "expected a number",
    "bool_type": "expected true or false",
    "dict_type": "expected an object {…}",
    "model_type": "expected an object {…}",
    "tuple_type": "expected a list […]",
}
_LONGEST = 60
_BLANK = {"string_too_short", "string_pattern_mismatch"}


def explain(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """One line for each problem: the path inside the JSON, what is wrong there, and the way out."""
    return [f"{path_text(place)}: {text}" if place else text for place, text in problems(error, model)]


def problems(error: ValidationError, model: type[BaseModel]) -> list[tuple[tuple[str | int, ...], str]]:
    """Each problem as the path it is told of, and its words; an unknown key is told of the object that holds it."""
    found: list[tuple[tuple[str | int, ...], str]] = []
    for detail in error.errors():
        if _takes_back(detail):
            continue
        path = tuple(part for part in detail["loc"] if part != "[key]")
        if detail["type"] == "extra_forbidden":
            found.append((path[:-1], _unknown_key(path, model)))
            continue
        key = "a key " if "[key]" in detail["loc"] else ""
        found.append((path, key + _what(detail)))
    return found


def _takes_back(detail: ErrorDetails) -> bool:
    """Whether this is a null in place of a key's value, which takes back what was inherited; not so inside a list."""
    within_list = any(isinstance(part, int) for part in detail["loc"])
    return detail["input"] is None and detail["type"] != "extra_forbidden" and not within_list


def nearest(word: str, known: list[str]) -> str | None:
    """The known word that `word` is most likely meant to be, or None where nothing is near."""
    by_fold = {name.casefold(): name for name in known}
    found = get_close_matches(word.casefold(), by_fold, n=1, cutoff=0.6)
    return by_fold[found[0]] if found else None


def _unknown_key(path: tuple[str | int, ...], model: type[BaseModel]) -> str:
    *parent, key = path
    owner = _model_at(tuple(parent), model)
    known = sorted(owner.model_fields) if owner else []
    near = nearest(str(key), known)
    way_out = f"did you mean {near!r}?" if near else f"known keys: {', '.join(known)}"
    return f"unknown key {_short(key)}; {way_out}"


def _what(detail: ErrorDetails) -> str:
    kind, found = detail["type"], detail["input"]
    if kind == "missing":
        return "is missing"
    if kind in _EXPECTED:
        return f"{_EXPECTED[kind]}, found {kind_of_json(found)}"
    if kind in _BLANK:
        return "must not be blank"
    if kind in {"enum", "literal_error"}:
        return _one_of(found, detail["ctx"]["expected"])
    message = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return message if kind == "value_error" else f"{message}, found {_short(found)}"


def _one_of(found: object, expected: str) -> str:
    known = [name.strip().strip("'") for name in expected.replace(" or ", ", ").split(", ")]
    near = nearest(found, known) if isinstance(found, str) else None
    hint = f"; did you mean {near!r}?" if near else ""
    return f"{_short(found)} is not one of {', '.join(known)}{hint}"


def _short(found: object) -> str:
    text = repr(found)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _model_at(path: tuple[str | int, ...], model: type[BaseModel]) -> type[BaseModel] | None:
    here: Any = model
    for part in path:
        if isinstance(here, type) and issubclass(here, BaseModel):
            field = here.model_fields.get(str(part))
            here = _plain(field.annotation) if field else None
        else:
            here = _plain(get_args(here)[-1 if get_origin(here) is dict else 0]) if get_args(here) else None
    return here if isinstance(here, type) and issubclass(here, BaseModel) else None


def _plain(annotation: Any) -> Any:
    """An annotation without `| None`."""
    if get_origin(annotation) in {Union, UnionType}:
        return next((arg for arg in get_args(annotation) if arg is not type(None)), None)
    return annotation
