"""An agent's file: YAML that says how it is asked, and where in its replies the fields of a turn stand."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from stef.agents.extract import Extractor, extractor
from stef.agents.paths import PathError
from stef.agents.template import TemplateError, places
from stef.errors import AgentSetupError
from stef.rules.messages import explain
from stef.rules.strict_json import kind_of_json

_MAX_BYTES = 1_000_000

Text = Annotated[str, Field(min_length=1)]


def _as_text(value: Any) -> Any:
    """What is text in HTTP and in an environment is written as a number more often than not."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


class Described(BaseModel):
    """What every description may say. `response` is a JMESPath expression for each field that is to be read."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False)

    kind: ClassVar[str] = ""

    name: Text | None = None
    version: Text | None = None
    dialect: Text | None = None
    request: Any = None
    response: dict[str, Text] = {}
    required: tuple[str, ...] = ()
    outcomes: dict[str, Literal["answered", "declined", "clarified", "failed"]] = {}


class HttpDescription(Described):
    """An HTTP endpoint: one call a question."""

    kind: ClassVar[str] = "http"

    url: Text
    method: Literal["GET", "POST", "PUT", "PATCH"] = "POST"
    headers: dict[str, Annotated[str, BeforeValidator(_as_text)]] = {}
    params: dict[str, Any] = {}


class CommandDescription(Described):
    """A command: one process a question. `folder` is where it runs, the file's own unless said."""

    kind: ClassVar[str] = "command"

    command: Text | Annotated[tuple[Text, ...], Field(min_length=1)]
    folder: Text | None = None
    env: dict[str, Annotated[str, BeforeValidator(_as_text)]] = {}


D = TypeVar("D", bound=Described)


@dataclass(frozen=True, slots=True)
class AgentFile:
    """A description that was read: what it says, what it extracts, which places its request has."""

    path: Path
    said: Described
    extract: Extractor
    places: frozenset[str] = field(default_factory=frozenset)

    @property
    def name(self) -> str:
        """The name that it states, else the file's."""
        return self.said.name or self.path.stem


def read_description(path: str | Path, readers: Mapping[str, Any], kind: str | None = None) -> AgentFile:
    """The description in a YAML file; `readers` are the fields that its replies may have.

    `kind` is `http` or `command`; unless it is given, the file's keys tell. Raises AgentSetupError that names file and
    path.
    """
    path = Path(path)
    data = _mapping(path)
    kind = kind or ("command" if "command" in data else "http")
    model = CommandDescription if kind == "command" else HttpDescription
    try:
        said: Described = model.model_validate(data)
    except ValidationError as error:
        raise AgentSetupError("\n".join(f"{path}: {line}" for line in explain(error, model))) from None
    try:
        extract = extractor(said.response, said.required, said.outcomes, readers)
        return AgentFile(path, said, extract, _places(said))
    except (PathError, TemplateError) as error:
        raise AgentSetupError(f"{path}: {error}") from None


def _places(said: Described) -> frozenset[str]:
    try:
        json.dumps(said.request, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TemplateError(f"request: {error}; put the value in quotes") from None
    found = places(said.request, "request")
    if isinstance(said, HttpDescription):
        found |= places(said.url, "url") | places(said.params, "params")
        if said.method == "GET" and said.request is not None:
            raise TemplateError("request: a GET sends no body; write it under params, or say method: POST")
    elif said.request is None:
        return frozenset()
    if "question" not in found:
        raise TemplateError('request: the question is never sent; write such as request: {question: "{question}"}')
    return found


def _mapping(path: Path) -> dict[str, Any]:
    import yaml  # noqa: PLC0415  # only where a description is read

    from stef.agents.strict_yaml import StrictLoader  # noqa: PLC0415

    try:
        raw = path.read_bytes()
    except OSError as error:
        raise AgentSetupError(f"{path}: cannot be read: {error.strerror or error}") from error
    if len(raw) > _MAX_BYTES:
        raise AgentSetupError(f"{path}: {len(raw):,} bytes is too large for a description (at most {_MAX_BYTES:,})")
    try:
        data = yaml.load(raw, Loader=StrictLoader)  # noqa: S506  # a SafeLoader that refuses double keys
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f": line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = getattr(error, "problem", None) or str(error)
        problem += "; a path with brackets or braces is quoted" if problem.endswith(("'['", "'{'")) else ""
        raise AgentSetupError(f"{path}{place}: not valid YAML: {problem}") from None
    except (ValueError, RecursionError) as error:
        raise AgentSetupError(f"{path}: not valid YAML: {error}") from None
    if not isinstance(data, dict):
        found = "nothing" if data is None else kind_of_json(data)
        raise AgentSetupError(f"{path}: expected keys such as url and response, found {found}")
    return {str(key): value for key, value in data.items()}
