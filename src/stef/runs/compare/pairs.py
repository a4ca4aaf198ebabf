"""Turns of two sides → pairs, in columns. Who has no partner is counted, never guessed."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from stef.runs.compare.turns import STATES, Turns
from stef.runs.numbering import NONE, Floats, Truths, Whole
from stef.runs.state import State


class Half:
    """One side of all pairs: `of` says of each turn which pair it belongs to (NONE: to none). A pair has one or more.

    Every array that comes back has an entry for each of the `pairs`.
    """

    def __init__(self, turns: Turns, of: Whole, pairs: int) -> None:
        self.turns = turns
        self._of = of
        self._pairs = pairs
        self._values: dict[tuple[str, frozenset[State]], Floats] = {}

    @cached_property
    def _order(self) -> Whole:
        """The turns, those of one pair together, in their order."""
        order = np.argsort(self._of, kind="stable")
        return np.asarray(order[np.searchsorted(self._of[order], 0) :])

    @cached_property
    def _starts(self) -> Whole:
        return np.searchsorted(self._of[self._order], np.arange(self._pairs))

    @cached_property
    def counts(self) -> Whole:
        """How many turns."""
        return np.diff(np.append(self._starts, len(self._order)))

    def members(self, pair: int) -> Whole:
        """The turns of one pair."""
        start = int(self._starts[pair])
        return self._order[start : start + int(self.counts[pair])]

    @cached_property
    def state(self) -> Whole:
        """Scored where any turn is; else unreadable where any is; else declined; else nothing is known."""
        return self.reduced(np.minimum, self.turns.state)

    @cached_property
    def shown(self) -> Whole:
        """The turn that stands for all where one is shown: the first in the state of all."""
        of = self._of[self._order]
        right = self.turns.state[self._order] == self.state[of]
        return np.asarray(self._order[right][np.unique(of[right], return_index=True)[1]])

    @cached_property
    def sql(self) -> Whole:
        """The SQL, where all turns have one and the same; else NONE."""
        low, high = (self.reduced(ufunc, self.turns.sql) for ufunc in (np.minimum, np.maximum))
        return np.where(low == high, low, NONE)

    def value(self, figure: str, zeros: Collection[State] = ()) -> Floats:
        """The mean of a figure over the turns that have it, NaN where none has; those in a state of `zeros` count 0."""
        asked = (figure, frozenset(zeros))
        if asked not in self._values:
            self._values[asked] = self._value(figure, zeros)
        return self._values[asked]

    def _value(self, figure: str, zeros: Collection[State]) -> Floats:
        values = self.turns.figures[figure]
        for state in zeros:
            values = np.where(self.turns.in_state(state), 0.0, values)
        held = (self._of >= 0) & ~np.isnan(values)
        sums = np.bincount(self._of[held], weights=values[held], minlength=self._pairs)
        counts = np.bincount(self._of[held], minlength=self._pairs)
        found: Floats = np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
        return found

    def any(self, of_turns: Truths) -> Truths:
        """Whether any turn is so."""
        return np.asarray(np.bincount(self._of[(self._of >= 0) & of_turns], minlength=self._pairs) > 0)

    def sums(self, of_turns: Floats) -> Floats:
        """What the turns add up to."""
        held = self._of >= 0
        return np.bincount(self._of[held], weights=of_turns[held], minlength=self._pairs).astype(np.float64)

    def reduced(self, ufunc: np.ufunc, values: Whole) -> Whole:
        """The turns' values, taken together by `ufunc`."""
        return np.asarray(ufunc.reduceat(values[self._order], self._starts)) if self._pairs else values[:0]


@dataclass(frozen=True, slots=True)
class Pairs:
    """What both sides did with each question; `chosen` are the numbers of these pairs in both halves.

    Pairs of one `cluster` move together. Every array has an entry for each of them.
    """

    a: Half
    b: Half
    cluster: Whole
    chosen: Whole

    def __len__(self) -> int:
        return len(self.chosen)

    def where(self, held: Truths | Whole) -> "Pairs":
        """Some of them."""
        return replace(self, chosen=self.chosen[held], cluster=self.cluster[held])

    def in_states(self, states: Collection[State]) -> "Pairs":
        """Those of which both halves are in one of these states."""
        numbers = [STATES.index(state) for state in states]
        a, b = self.states
        return self.where(np.isin(a, numbers) & np.isin(b, numbers))

    @property
    def states(self) -> tuple[Whole, Whole]:
        """The states of both halves."""
        return self.a.state[self.chosen], self.b.state[self.chosen]

    @property
    def shown(self) -> tuple[Whole, Whole]:
        """Of both halves the turn that stands for all."""
        return self.a.shown[self.chosen], self.b.shown[self.chosen]

    @property
    def turns(self) -> Whole:
        """How many turns of both halves stand behind each."""
        return (self.a.counts + self.b.counts)[self.chosen]

    def values(self, figure: str, zeros: Collection[State] = ()) -> tuple[Floats, Floats]:
        """A figure of both halves, NaN where undefined."""
        return self.a.value(figure, zeros)[self.chosen], self.b.value(figure, zeros)[self.chosen]

    def difference(self, figure: str) -> Floats:
        """B − A in points; NaN where a side has no such figure."""
        before, after = self.values(figure)
        return after - before

    def any(self, of_a: Truths, of_b: Truths) -> tuple[Truths, Truths]:
        """Whether it is so of any turn, by pair; `of_a` and `of_b` say it of the turns of each side."""
        return self.a.any(of_a)[self.chosen], self.b.any(of_b)[self.chosen]

    @property
    def same_sql(self) -> Truths:
        """Whether both sides give the same SQL, in every turn."""
        a, b = self.a.sql[self.chosen], self.b.sql[self.chosen]
        return np.asarray((a == b) & (a != NONE))

    @property
    def clusters(self) -> int:
        """How many questions."""
        return len(np.unique(self.cluster))


@dataclass(frozen=True, slots=True)
class Paired:
    """The pairs, the turns without a partner, and how many turns have no key."""

    pairs: Pairs
    only_a: Turns
    only_b: Turns
    without_key: int


def pair_up(a: Turns, b: Turns, *, with_agent: bool) -> Paired:
    """Pair the turns of two sides by key; `with_agent`: only those of one agent with each other.

    Where both sides hold a session in which the question was asked, the turns of that session are a pair. The other
    turns of a question are averaged on each side, and are one pair.
    """
    group_a, group_b = (_groups(turns, with_agent) for turns in (a, b))
    session_a, session_b = _shared_sessions(a, group_a, b, group_b)
    width = len(a.known.sessions) + 1
    # A pair is a question in a session that both hold (from 1 on), or what is left of a question (0).
    unit_a, unit_b = (
        np.where(group >= 0, group * width + session, NONE)
        for group, session in ((group_a, session_a), (group_b, session_b))
    )
    units = np.intersect1d(unit_a[unit_a >= 0], unit_b[unit_b >= 0])
    of_a, of_b = _places(unit_a, units), _places(unit_b, units)
    first = np.unique(of_a[of_a >= 0], return_index=True)[1]
    cluster = a.cluster[np.flatnonzero(of_a >= 0)[first]]
    pairs = Pairs(Half(a, of_a, len(units)), Half(b, of_b, len(units)), cluster, np.arange(len(units)))
    return Paired(
        pairs,
        a.where((of_a < 0) & (group_a >= 0)),
        b.where((of_b < 0) & (group_b >= 0)),
        int((group_a < 0).sum() + (group_b < 0).sum()),
    )


def cluster_means(turns: Turns, figure: str) -> tuple[Whole, Floats]:
    """The questions that have it, and of each the mean of `figure`."""
    held = turns.where(~np.isnan(turns.figures[figure]))
    clusters, at = np.unique(held.cluster, return_inverse=True)
    return clusters, np.bincount(at, weights=held.figures[figure]) / np.maximum(np.bincount(at), 1)


def _groups(turns: Turns, with_agent: bool) -> Whole:
    key = turns.key.astype(np.int64)
    grouped = key + len(turns.known.questions) * turns.agent.astype(np.int64) if with_agent else key
    return np.where(key >= 0, grouped, NONE)


def _shared_sessions(a: Turns, group_a: Whole, b: Turns, group_b: Whole) -> tuple[Whole, Whole]:
    """For each turn the number, from 1 on, of its session where both sides asked the question in it; else 0."""
    width = len(a.known.sessions)
    asked_a, asked_b = (
        np.where((turns.session >= 0) & (group >= 0), group * width + turns.session, NONE)
        for turns, group in ((a, group_a), (b, group_b))
    )
    shared = np.intersect1d(asked_a, asked_b)
    shared = shared[shared >= 0]
    one, other = (
        np.where(np.isin(combined, shared), turns.session.astype(np.int64) + 1, 0)
        for turns, combined in ((a, asked_a), (b, asked_b))
    )
    return one, other


def _places(units: Whole, known: Whole) -> Whole:
    """Where each of `units` stands among those known, which are sorted; NONE where it does not."""
    if not len(known):
        return np.full(len(units), NONE)
    at = np.searchsorted(known, units).clip(max=len(known) - 1)
    return np.where(known[at] == units, at, NONE)
