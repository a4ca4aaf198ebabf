"""An agent, and a retriever, around whatever makes the call: a function, an endpoint, a command."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Protocol

from stef.agents.fields import NotReadableError
from stef.agents.replies import AskFailedError, Identity, failed, reply_of_value, retrieved_of
from stef.records.asking import AgentFault, AgentReply, AgentRequest, Retrieved


class Caller(Protocol):
    """Makes one call. What it gives is not looked into."""

    @property
    def takes_hide(self) -> bool:
        """Whether the ids to hide go with the call."""

    def call(self, request: AgentRequest) -> Any:
        """What came back. Raises AskFailedError for this question, AgentSetupError for all of them."""

    def close(self) -> None:
        """Let go of what is held."""


def as_given(value: Any) -> Any:
    """What came back, as it is."""
    return value


@dataclass(frozen=True, slots=True)
class CalledAgent:
    """An agent: `caller` asks, `extract` takes the fields out of what comes back, `reads` are those it declares."""

    who: Identity
    caller: Caller
    extract: Callable[[Any], Any] = as_given
    reads: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the agent is called."""
        return self.who.name

    @property
    def version(self) -> str | None:
        """Its version, where it has one."""
        return self.who.version

    @property
    def can_hide(self) -> bool:
        """Whether the ids to hide reach it."""
        return self.caller.takes_hide

    def ask(self, request: AgentRequest) -> AgentReply:
        """The agent's turn, or its fault."""
        start = perf_counter()
        try:
            given = self.caller.call(request)
            seconds = perf_counter() - start
            return reply_of_value(self.extract(given), request, self.who, seconds)
        except (AskFailedError, NotReadableError) as error:
            return failed(request, self.who, _failure(error), perf_counter() - start)

    def close(self) -> None:
        """Let go of what the caller holds."""
        self.caller.close()


@dataclass(frozen=True, slots=True)
class CalledRetriever:
    """A retriever around a caller, as CalledAgent is an agent."""

    name: str
    caller: Caller
    extract: Callable[[Any], Any] = as_given
    reads: tuple[str, ...] = ()

    @property
    def can_hide(self) -> bool:
        """Whether the ids to hide reach it."""
        return self.caller.takes_hide

    def retrieve(self, request: AgentRequest) -> Retrieved:
        """What is offered for the question, or the fault."""
        start = perf_counter()
        try:
            given = self.caller.call(request)
            seconds = perf_counter() - start
            return retrieved_of(self.extract(given), seconds)
        except (AskFailedError, NotReadableError) as error:
            failure = _failure(error)
            return Retrieved(fault=failure.fault, detail=failure.detail, seconds=perf_counter() - start)

    def close(self) -> None:
        """Let go of what the caller holds."""
        self.caller.close()


def _failure(error: AskFailedError | NotReadableError) -> AskFailedError:
    return error if isinstance(error, AskFailedError) else AskFailedError(AgentFault.NOT_READABLE, str(error))
