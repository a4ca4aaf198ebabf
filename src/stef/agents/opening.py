"""`replay:turns.jsonl`, `python:module:function`, `http:agent.yaml`, `command:…` → agents and retrievers."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from stef.agents.function import agent_of, retriever_of
from stef.agents.modules import load_object
from stef.agents.protocol import Agent, Retriever
from stef.agents.replay import replays
from stef.errors import AgentSetupError

T = TypeVar("T")


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
    if scheme is Scheme.REPLAY:
        return replays(rest)
    return (open_agent(spec, environment=environment),)


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
        case _:
            raise AgentSetupError(f"{spec}: not there yet")


def open_retriever(spec: str, *, environment: Mapping[str, str] | None = None) -> Retriever:
    """The retriever that `spec` names. Raises AgentSetupError."""
    scheme, rest = _parted(spec, "retriever")
    match scheme:
        case Scheme.PYTHON:
            thing = load_object(rest)
            return thing if isinstance(thing, Retriever) and not isinstance(thing, type) else retriever_of(thing)
        case _:
            raise AgentSetupError(f"{spec}: not there yet")


def _parted(spec: str, what: str) -> tuple[Scheme, str]:
    scheme, colon, rest = spec.partition(":")
    if not colon or scheme not in list(Scheme) or not rest or rest.startswith("//"):
        forms = "replay:turns.jsonl, python:module:function, http:agent.yaml or command:./ask.sh"
        hint = "; describe the endpoint in a YAML file" if rest.startswith("//") else ""
        raise AgentSetupError(f"{spec}: is no {what}{hint}; write it as {forms}")
    return Scheme(scheme), rest
