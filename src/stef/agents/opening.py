"""`replay:turns.jsonl`, `python:module:function`, `http:agent.yaml`, `command:…` → agents and retrievers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, assert_never

from stef.agents.asked import CalledAgent, CalledRetriever, Caller, as_given
from stef.agents.command import CommandCaller, described_line, inline_line, printed_json, printed_reply
from stef.agents.description import read_description
from stef.agents.fields import READERS, RETRIEVED
from stef.agents.function import agent_of, retriever_of
from stef.agents.http import HttpCaller
from stef.agents.modules import load_object
from stef.agents.protocol import Agent, Retriever
from stef.agents.replay import replays
from stef.agents.replies import Identity
from stef.errors import AgentSetupError


class Scheme(StrEnum):
    """How an agent is reached."""

    REPLAY = "replay"
    PYTHON = "python"
    HTTP = "http"
    COMMAND = "command"


def open_agents(spec: str, *, environment: Mapping[str, str] | None = None) -> tuple[Agent, ...]:
    """The agents that `spec` names: one for each in a replayed log, else one.

    `environment` holds what descriptions may take as `${NAME}`. Raises AgentSetupError, and InputError for a log.
    """
    scheme, rest = _parted(spec, "agent")
    return replays(rest) if scheme is Scheme.REPLAY else (open_agent(spec, environment=environment),)


def open_agent(spec: str, *, environment: Mapping[str, str] | None = None) -> Agent:
    """The one agent that `spec` names. Raises as `open_agents` does, and for a log that holds several agents."""
    scheme, rest = _parted(spec, "agent")
    match scheme:
        case Scheme.REPLAY:
            found = replays(rest)
            if len(found) > 1:
                names = ", ".join(agent.name for agent in found)
                raise AgentSetupError(f"{spec}: holds {len(found)} agents ({names}), where one is expected")
            return found[0]
        case Scheme.PYTHON:
            thing = load_object(rest)
            return thing if isinstance(thing, Agent) and not isinstance(thing, type) else agent_of(thing)
        case Scheme.HTTP | Scheme.COMMAND:
            opened = _opened(scheme, rest, environment or {}, READERS)
            return CalledAgent(opened.who, opened.caller, opened.extract, opened.reads)
        case _:
            assert_never(scheme)


def open_retriever(spec: str, *, environment: Mapping[str, str] | None = None) -> Retriever:
    """The retriever that `spec` names. Raises AgentSetupError."""
    scheme, rest = _parted(spec, "retriever")
    match scheme:
        case Scheme.REPLAY:
            raise AgentSetupError(
                f"{spec}: a log holds what the agent's own call offered, and no direct call; name the retriever"
            )
        case Scheme.PYTHON:
            thing = load_object(rest)
            return thing if isinstance(thing, Retriever) and not isinstance(thing, type) else retriever_of(thing)
        case Scheme.HTTP | Scheme.COMMAND:
            opened = _opened(scheme, rest, environment or {}, RETRIEVED)
            return CalledRetriever(opened.who.name, opened.caller, opened.extract, opened.reads)
        case _:
            assert_never(scheme)


@dataclass(frozen=True, slots=True)
class _Opened:
    who: Identity
    caller: Caller
    extract: Callable[[Any], Any]
    reads: tuple[str, ...] = ()


def _opened(
    scheme: Literal[Scheme.HTTP, Scheme.COMMAND],
    rest: str,
    environment: Mapping[str, str],
    readers: Mapping[str, Any],
) -> _Opened:
    if scheme is Scheme.COMMAND and not rest.endswith((".yaml", ".yml")):
        line = inline_line(rest)
        return _Opened(Identity(Path(line.words[0]).stem), CommandCaller(line), printed_reply)
    file = read_description(rest, readers, scheme.value)
    who = Identity(file.name, file.said.version, file.said.dialect)
    reads = tuple(path.field for path in file.extract.paths)
    if scheme is Scheme.HTTP:
        return _Opened(who, HttpCaller(file, environment), file.extract.fields if reads else as_given, reads)
    line, request = described_line(file, environment)
    caller = CommandCaller(line, request, takes_hide="hide" in file.places)
    if not reads:
        return _Opened(who, caller, printed_reply)
    take = file.extract.fields
    return _Opened(who, caller, lambda printed: take(printed_json(printed)), reads)


def _parted(spec: str, what: str) -> tuple[Scheme, str]:
    scheme, colon, rest = spec.partition(":")
    if not colon or scheme not in list(Scheme) or not rest or rest.startswith("//"):
        forms = "replay:turns.jsonl, python:module:function, http:agent.yaml or command:./ask.sh"
        hint = "; describe the endpoint in a YAML file" if rest.startswith("//") else ""
        raise AgentSetupError(f"{spec}: is no {what}{hint}; write it as {forms}")
    return Scheme(scheme), rest
