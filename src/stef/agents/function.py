"""A Python function as an agent or a retriever."""

import inspect
import traceback
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from typing import Any

from stef.agents.asked import CalledAgent, CalledRetriever
from stef.agents.calls import CLOSED, Loop, within
from stef.agents.replies import AskFailedError, Identity
from stef.errors import AgentSetupError, UserError
from stef.records.asking import AgentFault, AgentRequest

_KINDS_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
OPTIONS = ("database", "hint", "hide", "history", "case_id", "timeout")
"""What a function is given besides the question, where it has a parameter of that name."""


@dataclass(frozen=True, slots=True)
class FunctionCaller:
    """A function, how it wants to be called, and where its coroutines run."""

    function: Callable[..., Any]
    options: tuple[str, ...]
    takes_hide: bool
    loop: Loop = field(default_factory=lambda: Loop("stef-agent-loop"))

    def call(self, request: AgentRequest) -> Any:
        """What the function gives. Raises AskFailedError; UserError of the function's own passes."""
        options = {name: getattr(request, name) for name in self.options}
        try:
            given = within(request.timeout, lambda: self.function(request.question, **options))
            return self.loop.run(_awaited(given), request.timeout) if inspect.isawaitable(given) else given
        except TimeoutError:
            raise AskFailedError(AgentFault.TIMEOUT, f"no answer within {request.timeout:g} s") from None
        except CancelledError:
            raise AskFailedError(AgentFault.CRASH, CLOSED) from None
        except (UserError, KeyboardInterrupt):
            raise
        except BaseException as error:  # whatever an agent raises, SystemExit too, is a failure of that agent
            raise AskFailedError(AgentFault.CRASH, _told(error)) from error

    def close(self) -> None:
        """End the loop that its coroutines ran on."""
        self.loop.close()


def agent_of(function: Callable[..., Any], *, name: str | None = None, version: str | None = None) -> CalledAgent:
    """An agent of a function (asynchronous ones too), also in tests: `agent_of(lambda question: "SELECT 1")`.

    It gets the question first, and by name those of `OPTIONS` that it has a parameter for. Raises AgentSetupError
    where it cannot be called so.
    """
    said = version or getattr(function, "version", None)
    who = Identity(name or _name(function), str(said) if said is not None else None)
    return CalledAgent(who, _called(function))


def retriever_of(function: Callable[..., Any], *, name: str | None = None) -> CalledRetriever:
    """A retriever of a function, called as an agent's is."""
    return CalledRetriever(name or _name(function), _called(function))


async def _awaited(given: Any) -> Any:
    return await given


def _called(function: Callable[..., Any]) -> FunctionCaller:
    if not callable(function) or inspect.isclass(function):
        kind = "class" if inspect.isclass(function) else type(function).__name__
        raise AgentSetupError(f"{function!r} is a {kind}; name a function, or an object that can be called")
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return FunctionCaller(function, (), takes_hide=False)
    if not any(one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD, one.VAR_POSITIONAL) for one in parameters):
        raise AgentSetupError(f"{_name(function)}: takes no question; its first parameter is the question")
    named = [one.name for one in parameters if one.kind in _KINDS_BY_NAME]
    swallows = any(one.kind is one.VAR_KEYWORD for one in parameters)
    options = OPTIONS if swallows else tuple(name for name in OPTIONS if name in named)
    first = next(iter(parameters))
    unknown = [
        one.name
        for one in parameters
        if one is not first and one.default is one.empty and one.kind in _KINDS_BY_NAME and one.name not in OPTIONS
    ]
    if unknown:
        raise AgentSetupError(
            f"{_name(function)}: stef has nothing for its parameter {unknown[0]!r}; it can give {', '.join(OPTIONS)}"
        )
    return FunctionCaller(function, options, takes_hide="hide" in named)


def _name(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", None) or type(function).__name__
    return "function" if name == "<lambda>" else str(name)


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    last = next((frame for frame in reversed(frames) if frame.filename != __file__), None)
    place = f" ({last.filename.rpartition('/')[2]} line {last.lineno})" if last is not None else ""
    said = str(error).strip()
    return f"{type(error).__name__}{f': {said}' if said else ''}{place}"[:1000]
