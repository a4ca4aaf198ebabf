"""What is sent: a request with places for the question and what goes with it, and `${NAME}` for secrets."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from stef.agents.json_reply import mended
from stef.records.asking import AgentRequest
from stef.rules.messages import nearest
from stef.rules.strict_json import path_text

PLACES: Final = ("question", "database", "hint", "hide", "history")
"""What a template can ask for. `hide` and `history` are lists."""

# `${NAME}` is a variable and no place; it is filled in before, or stands for itself.
_PLACE = re.compile(r"\{\{|\}\}|(?<!\$)\{([A-Za-z_]+)\}")
_VARIABLE = re.compile(r"\$(\$?)\{([A-Za-z_][A-Za-z0-9_]*)\}")
_SHORTEST_SECRET: Final = 4


class TemplateError(ValueError):
    """A template that cannot be filled in; the message begins with the path inside the file."""


@dataclass(frozen=True, slots=True)
class Secrets:
    """Values that came from the environment, to be taken out of everything that is shown."""

    by_value: Mapping[str, str]

    def hidden(self, text: str) -> str:
        """`text` with each value replaced by its `${NAME}`."""
        for value in sorted(self.by_value, key=len, reverse=True):
            if len(value) >= _SHORTEST_SECRET:
                text = text.replace(value, f"${{{self.by_value[value]}}}")
        return text


def with_variables(
    template: Any, environment: Mapping[str, str], *path: str | int, has_places: bool = False
) -> tuple[Any, Secrets]:
    """`template` with `${NAME}` filled in from `environment`; `$${NAME}` stays as `${NAME}`. Raises TemplateError.

    `has_places` says that the result is a template still: braces in a value are doubled then, and mean themselves.
    """
    used: dict[str, str] = {}

    def filled(value: Any, here: tuple[str | int, ...]) -> Any:
        match value:
            case str():
                return _VARIABLE.sub(lambda found: variable(found, here), value)
            case list() | tuple():
                return [filled(entry, (*here, index)) for index, entry in enumerate(value)]
            case Mapping():
                return {key: filled(entry, (*here, str(key))) for key, entry in value.items()}
            case _:
                return value

    def variable(found: re.Match[str], here: tuple[str | int, ...]) -> str:
        name = found[2]
        if found[1]:
            return found[0][1:]
        if name not in environment:
            raise TemplateError(f"{path_text(here)}: ${{{name}}} is not set; export {name}=… first")
        # A line's end, as files of secrets have one, would break a header.
        value = environment[name].strip()
        used[value] = name
        return value.replace("{", "{{").replace("}", "}}") if has_places else value

    return filled(template, path), Secrets(used)


def places(template: Any, *path: str | int) -> frozenset[str]:
    """The places that `template` has. Raises TemplateError for one that is unknown."""
    found: set[str] = set()
    for text, here in _texts(template, path):
        for match in _PLACE.finditer(text):
            name = match[1]
            if name is None:
                continue
            if name not in PLACES:
                near = nearest(name, list(PLACES))
                way_out = f"did you mean {{{near}}}?" if near else f"there are {', '.join(f'{{{p}}}' for p in PLACES)}"
                raise TemplateError(
                    f"{path_text(here)}: unknown place {{{name}}}; {way_out} (braces are doubled: {{{{)"
                )
            found.add(name)
    return frozenset(found)


def fill(template: Any, request: AgentRequest) -> Any:
    """`template` for `request`. A value that is one place alone keeps its type, and is left out where it has no value.

    Within a longer text a list stands as JSON, and what has no value as nothing. One pass: what a question holds is
    never read as a template.
    """
    match template:
        case str():
            whole = _PLACE.fullmatch(template)
            return _value(whole[1], request) if whole and whole[1] else _filled(template, request)
        case list() | tuple():
            return [value for entry in template if (value := fill(entry, request)) is not None or entry is None]
        case Mapping():
            filled = {key: fill(entry, request) for key, entry in template.items()}
            return {key: value for key, value in filled.items() if value is not None or template[key] is None}
        case _:
            return template


def fill_url(template: str, request: AgentRequest) -> str:
    """An address for `request`, what is filled in percent-encoded."""
    return _filled(template, request, quoted=True)


def _value(name: str, request: AgentRequest) -> Any:
    value = getattr(request, name)
    # Half of a surrogate pair, which a file of cases can hold, cannot be sent.
    return mended(list(value) if isinstance(value, tuple) else value)


def _filled(template: str, request: AgentRequest, *, quoted: bool = False) -> str:
    def one(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0][0]
        value = _value(match[1], request)
        text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return quote(text, safe="") if quoted else text

    return _PLACE.sub(one, template)


def _texts(template: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    match template:
        case str():
            yield template, path
        case list() | tuple():
            for index, entry in enumerate(template):
                yield from _texts(entry, (*path, index))
        case Mapping():
            for key, entry in template.items():
                yield from _texts(entry, (*path, str(key)))
