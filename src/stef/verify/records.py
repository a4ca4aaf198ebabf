"""What the ladder says of one answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from stef.verify.wording.records import Wording


class Rung(StrEnum):
    """The rungs, from cheap to dear."""

    EXECUTE = "execute"
    SANITY = "sanity"
    BACK_TRANSLATION = "back-translation"
    CONSISTENCY = "consistency"


class Stand(StrEnum):
    """What one rung makes of the answer."""

    FOR = "for"
    NEUTRAL = "neutral"  # looked, and saw nothing that would speak for or against it
    AGAINST = "against"
    NOTHING = "nothing"  # could not look: the reason is told, and no number comes of it


class Outcome(StrEnum):
    """What the ladder as a whole makes of the answer."""

    SUPPORTED = "supported"  # something independent agrees with it
    UNOPPOSED = "unopposed"  # it runs, and nothing speaks against it
    DOUBTFUL = "doubtful"  # something speaks against it
    REFUTED = "refuted"
    UNKNOWN = "unknown"  # nothing could be looked at


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that a rung saw. `weight` is what it adds to the log-odds of being right; `facts` are for a program."""

    code: str
    message: str
    weight: float = 0.0
    way_out: str = ""
    sql: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "code": self.code,
            "message": self.message,
            "weight": round(self.weight, 3),
            "way_out": self.way_out,
            "proposed_sql": self.sql,
            "facts": dict(self.facts),
        }


@dataclass(frozen=True, slots=True)
class RungReport:
    """What one rung did: its stand and signs, the log-odds that it adds, what it took.

    `seconds` is its time. `calls` are model calls, or questions to an agent, and `cost` their US dollars: 0 without
    calls, None where it is not known. `p` is the ladder's probability after it, None as long as nothing is known.
    """

    rung: Rung
    stand: Stand
    detail: str = ""
    signs: tuple[Sign, ...] = ()
    weight: float = 0.0
    seconds: float = 0.0
    cost: float | None = 0.0
    calls: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    p: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "rung": self.rung.value,
            "stand": self.stand.value,
            "detail": self.detail,
            "signs": [sign.to_json() for sign in self.signs],
            "weight": round(self.weight, 3),
            "p": None if self.p is None else round(self.p, 4),
            "seconds": round(self.seconds, 4),
            "calls": self.calls,
            "cost": self.cost,
            "facts": dict(self.facts),
        }


@dataclass(frozen=True, slots=True)
class Repair:
    """What an agent can be handed to do better: a message, and the candidates for what is wrong with the query.

    `kind` is the failure's kind, or `result` where the query runs. `sql` is a query that a check proposes.
    """

    kind: str
    message: str
    near: tuple[str, ...] = ()
    sql: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"kind": self.kind, "message": self.message, "near": list(self.near), "proposed_sql": self.sql}


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of one answer. `p` is the probability that it is right, None where nothing is known of it.

    `left_out` says of each rung that was not climbed why not. `reason` is there where nothing could be looked at.
    """

    outcome: Outcome
    p: float | None
    rungs: tuple[RungReport, ...] = ()
    left_out: Mapping[Rung, str] = field(default_factory=dict)
    repair: Repair | None = None
    wording: Wording | None = None
    sql: str | None = None
    reason: str = ""
    faults: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """The time of all rungs."""
        return sum(one.seconds for one in self.rungs)

    @property
    def calls(self) -> int:
        """The calls of all rungs, and of who looked at the wording."""
        return sum(one.calls for one in self.rungs) + (self.wording.calls if self.wording else 0)

    @property
    def cost(self) -> float | None:
        """US dollars of all rungs; None where that of one is not known."""
        costs = [*(one.cost for one in self.rungs), self.wording.cost if self.wording else 0.0]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def signs(self) -> tuple[Sign, ...]:
        """What was seen, rung by rung."""
        return tuple(sign for one in self.rungs for sign in one.signs)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "outcome": self.outcome.value,
            "p": None if self.p is None else round(self.p, 4),
            "reason": self.reason,
            "sql": self.sql,
            "rungs": [one.to_json() for one in self.rungs],
            "left_out": {rung.value: why for rung, why in self.left_out.items()},
            "repair": self.repair and self.repair.to_json(),
            "wording": self.wording and self.wording.to_json(),
            "seconds": round(self.seconds, 4),
            "calls": self.calls,
            "cost": self.cost,
            "faults": list(self.faults),
        }
