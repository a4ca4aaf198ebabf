"""The rows of a verification, counted in one pass: a RUN may hold more of them than fit into the memory."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OUTCOMES = ("supported", "unopposed", "doubtful", "refuted", "unknown")


@dataclass(slots=True)
class OfAgent:
    """The answers of one agent: outcomes, and of those whose wording was checked how many hold a loose claim."""

    outcomes: Counter[str] = field(default_factory=Counter)
    checked: int = 0
    loose: int = 0


@dataclass(slots=True)
class OfRung:
    """One rung: on how many answers it was climbed, its stands, seconds, calls, and US dollars (None: not known)."""

    climbed: int = 0
    stands: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    calls: int = 0
    cost: float | None = 0.0

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "climbed": self.climbed,
            "stands": dict(self.stands),
            "seconds": round(self.seconds, 3),
            "calls": self.calls,
            "cost": self.cost,
        }


@dataclass(slots=True)
class Counts:
    """All that is counted."""

    agents: dict[str, OfAgent] = field(default_factory=dict)
    rungs: dict[str, OfRung] = field(default_factory=dict)
    signs: Counter[str] = field(default_factory=Counter)

    def add(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Count one row in; its record."""
        name = " ".join(filter(None, (row["agent"], row["agent_version"]))) or "–"
        agent = self.agents.setdefault(name, OfAgent())
        agent.outcomes[row["outcome"]] += 1
        agent.checked += row["claims"] is not None
        agent.loose += bool(row["unsupported"])
        self.signs.update(list(dict.fromkeys(row["signs"])))
        record: dict[str, Any] = json.loads(row["verification"])
        for report in record["rungs"]:
            rung = self.rungs.setdefault(report["rung"], OfRung())
            rung.climbed += 1
            rung.stands[report["stand"]] += 1
            rung.seconds += report["seconds"]
            rung.calls += report["calls"]
            rung.cost = None if rung.cost is None or report["cost"] is None else rung.cost + report["cost"]
        return record

    @property
    def outcomes(self) -> dict[str, int]:
        """How many answers have each outcome."""
        found: Counter[str] = sum((agent.outcomes for agent in self.agents.values()), Counter())
        return {name: found[name] for name in OUTCOMES}

    @property
    def all(self) -> OfAgent:
        """All agents together."""
        agents = self.agents.values()
        return OfAgent(Counter(self.outcomes), sum(one.checked for one in agents), sum(one.loose for one in agents))
