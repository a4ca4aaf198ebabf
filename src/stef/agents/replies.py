"""What came back from an agent → an AgentReply or a Retrieved, never an exception."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from stef.agents.fields import READERS, RETRIEVED, NotReadableError, read_fields
from stef.records.asking import AgentFault, AgentReply, AgentRequest, Retrieved
from stef.records.turn import Turn

TO_JUDGE = ("sql", "answer", "outcome")
"""A turn needs one of these."""


class AskFailedError(Exception):
    """A question that brought no reply: which fault, and what is known of it. It never leaves agents/."""

    def __init__(self, fault: AgentFault, detail: str) -> None:
        super().__init__(detail)
        self.fault = fault
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Identity:
    """Who answers: the agent's name and version, and the SQL dialect it writes, as far as they are known."""

    name: str
    version: str | None = None
    dialect: str | None = None


def reply_of_value(given: Any, request: AgentRequest, who: Identity, seconds: float) -> AgentReply:
    """The reply that `given` is: an AgentReply, a Turn, SQL text, or a mapping of a reply's fields.

    Raises NotReadableError where it is none of them.
    """
    match given:
        case AgentReply():
            return given
        case Turn():
            return reply_of_turn(given, request, who, seconds)
        case str():
            return reply_of({"sql": given}, request, who, seconds)
        case Mapping():
            return reply_of(given, request, who, seconds)
        case None:
            raise NotReadableError("nothing came back")
        case _:
            kind = type(given).__name__
            raise NotReadableError(f"expected SQL text, a Turn or a mapping of {', '.join(READERS)}; found {kind}")


def reply_of(values: Mapping[str, Any], request: AgentRequest, who: Identity, seconds: float) -> AgentReply:
    """The reply whose fields, in stef's own names, are `values`. Raises NotReadableError where they do not fit."""
    found = read_fields(values)
    if not any(field in found for field in TO_JUDGE):
        raise NotReadableError(f"the reply holds none of {', '.join(TO_JUDGE)}")
    examples = found.pop("examples", ())
    return AgentReply(_turn(found, request, who, seconds), seconds=seconds, offered_examples=examples)


def reply_of_turn(turn: Turn, request: AgentRequest, who: Identity, seconds: float) -> AgentReply:
    """The reply that is a whole Turn already; what it leaves open is filled in from the request."""
    open_fields = {name: value for name, value in _known(request, who).items() if getattr(turn, name) in (None, ())}
    return AgentReply(turn.model_copy(update=open_fields), seconds=seconds)


def failed(request: AgentRequest, who: Identity, error: AskFailedError, seconds: float | None) -> AgentReply:
    """The reply of an agent that gave none."""
    turn = Turn(question=request.question, outcome="failed", **_known(request, who))
    return AgentReply(turn, fault=error.fault, detail=error.detail, seconds=seconds)


def retrieved_of(value: Any, seconds: float) -> Retrieved:
    """What a retriever gave: a Retrieved, CREATE statements alone, or an object with `ddl` and `examples`.

    Raises NotReadableError where the values do not fit.
    """
    if isinstance(value, Retrieved):
        return value
    values = value if isinstance(value, Mapping) else {"ddl": value}
    found = read_fields(values, RETRIEVED)
    if not found:
        raise NotReadableError(f"the reply holds none of {', '.join(RETRIEVED)}")
    ddl = tuple(one for one in found.get("ddl", ()) if one.strip())
    return Retrieved(ddl, found.get("examples", ()), seconds=seconds)


def _known(request: AgentRequest, who: Identity) -> dict[str, Any]:
    known = {
        "agent": who.name,
        "agent_version": who.version,
        "dialect": who.dialect,
        "database": request.database,
        "history": request.history,
    }
    return {name: value for name, value in known.items() if value}


def _turn(found: dict[str, Any], request: AgentRequest, who: Identity, seconds: float) -> Turn:
    names = found.pop("columns", None)
    if "rows" in found:
        found["rows"] = _rows(found["rows"], names)
    in_milliseconds = found.pop("latency_ms", None)
    found.setdefault("latency", seconds if in_milliseconds is None else in_milliseconds / 1000)
    try:
        return Turn(**{"question": request.question, **_known(request, who), **found})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise NotReadableError(f"{place}: {first['msg']}" if place else first["msg"]) from None


def _rows(rows: tuple[Any, ...], names: tuple[str, ...] | None) -> tuple[dict[str, Any], ...]:
    if all(isinstance(row, Mapping) for row in rows):
        return tuple({str(key): value for key, value in row.items()} for row in rows)
    if names is None:
        raise NotReadableError("rows: expected objects, found lists; say which `columns` they have")
    wrong = next((row for row in rows if not isinstance(row, list | tuple) or len(row) != len(names)), None)
    if wrong is not None:
        raise NotReadableError(f"rows: expected lists of {len(names)} values, as `columns` has")
    return tuple(dict(zip(names, row, strict=True)) for row in rows)
