"""The turns of one side in columns: numbers in arrays, and what many turns have in common kept once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from stef.runs.numbering import Floats, Numbers, Truths, Whole
from stef.runs.state import State

STATES = (State.SCORED, State.UNREADABLE, State.DECLINED, State.UNKNOWN)
"""Of several turns the first of these that any is in is the state of all."""


@dataclass(frozen=True, slots=True)
class Known:
    """What both sides of a comparison number alike. `facts` are tuples of what `columns` say of a turn."""

    columns: tuple[str, ...]
    questions: Numbers = field(default_factory=Numbers)
    agents: Numbers = field(default_factory=Numbers)
    sessions: Numbers = field(default_factory=Numbers)
    facts: Numbers = field(default_factory=Numbers)
    places: Numbers = field(default_factory=Numbers)

    def of_each(self, column: str) -> list[Any]:
        """What each of the facts, by its number, says in `column`."""
        at = self.columns.index(column)
        return [one[at] for one in self.facts.all()]


@dataclass(frozen=True, slots=True)
class Turns:
    """Turns in the order of their RUN; each array has an entry for each of them.

    `key` pairs a turn with the other side's (NONE: it has none), `cluster` names the question whose pairs move
    together. `id` and `sql` are hashes, which say only what is the same (`sql` NONE: there is none). `state` counts in
    STATES. `figures` are in points (0 to 100), NaN where undefined; `spread` is NaN where the judge was asked once.
    `fact` and, by name, `places` are numbers of `known`.
    """

    known: Known
    row: Whole
    id: Whole
    key: Whole
    cluster: Whole
    session: Whole
    agent: Whole
    state: Whole
    sql: Whole
    spread: Floats
    fact: Whole
    figures: Mapping[str, Floats]
    places: Mapping[str, Whole]

    def __len__(self) -> int:
        return len(self.row)

    def where(self, chosen: Truths | Whole) -> "Turns":
        """Some of them, in their order."""
        arrays: dict[str, Any] = {
            one.name: value[chosen] for one in fields(self) if isinstance(value := getattr(self, one.name), np.ndarray)
        }
        return replace(
            self,
            **arrays,
            figures={name: values[chosen] for name, values in self.figures.items()},
            places={name: values[chosen] for name, values in self.places.items()},
        )

    def says(self, column: str, at: int) -> Any:
        """What the turn number `at` says in a column of the facts."""
        known = self.known
        return known.facts.all()[int(self.fact[at])][known.columns.index(column)]

    def in_state(self, state: State) -> Truths:
        """Which are in a state."""
        return np.asarray(self.state == STATES.index(state))

    @property
    def repeated_ids(self) -> int:
        """Turns whose id an earlier one has."""
        return len(self) - len(np.unique(self.id))

    @property
    def agents(self) -> frozenset[str]:
        """Their agents."""
        names = self.known.agents.all()
        return frozenset(names[number] for number in np.unique(self.agent))

    def counted(self, place: str) -> dict[str, int]:
        """How many turns have each value of a place."""
        values = self.known.places.all()
        found: dict[str, int] = {}
        for number, turns in zip(*np.unique(self.places[place], return_counts=True), strict=True):
            for value in values[number]:
                found[value] = found.get(value, 0) + int(turns)
        return found

    def having(self, place: str, value: str) -> Truths:
        """Which have a value of a place."""
        has = np.array([value in one for one in self.known.places.all()], dtype=np.bool_)
        return np.asarray(has[self.places[place]])
