"""Turns of two sides → pairs. Who has no partner is counted, never guessed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from stef.runs.compare.rows import Told
from stef.runs.state import State

_ORDER = (State.SCORED, State.UNREADABLE, State.DECLINED, State.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Half:
    """One side of a pair: the turns of one question (and session), at least one."""

    turns: tuple[Told, ...]

    @property
    def state(self) -> State:
        """Scored where any turn is; else unreadable where any is; else declined; else nothing is known."""
        states = {turn.state for turn in self.turns}
        return next(state for state in _ORDER if state in states)

    def value(self, figure: str) -> float | None:
        """The mean of `figure` over the turns that have it; None where none has."""
        held = [turn.figures[figure] for turn in self.turns if figure in turn.figures]
        return fsum(held) / len(held) if held else None

    def value_with(self, figure: str, zeros: frozenset[State]) -> float | None:
        """The mean where turns in one of the states `zeros` count as 0."""
        held = [0.0 if turn.state in zeros else turn.figures.get(figure) for turn in self.turns]
        known = [value for value in held if value is not None]
        return fsum(known) / len(known) if known else None

    @property
    def shown(self) -> Told:
        """The turn that stands for all where one is shown: the first in the state of all."""
        return next(turn for turn in self.turns if turn.state is self.state)


@dataclass(frozen=True, slots=True)
class Pair:
    """What both sides did with one question. Pairs of one `cluster` move together."""

    cluster: str
    a: Half
    b: Half

    def difference(self, figure: str) -> float | None:
        """B − A in points; None where a side has no such figure."""
        before, after = self.a.value(figure), self.b.value(figure)
        return None if before is None or after is None else after - before

    @property
    def question(self) -> str:
        """The question's text."""
        return self.a.shown.question


@dataclass(frozen=True, slots=True)
class Paired:
    """The pairs in the order of A, the turns without a partner, and the turns without a key."""

    pairs: tuple[Pair, ...]
    only_a: tuple[Told, ...]
    only_b: tuple[Told, ...]
    without_key: int


def pair_up(a: Iterable[Told], b: Iterable[Told], *, with_agent: bool) -> Paired:
    """Pair the turns of two sides by key; `with_agent`: only those of one agent with each other.

    Where both sides hold a session in which the question was asked, the turns of that session are a pair. The other
    turns of a question are averaged on each side, and are one pair.
    """
    of_a, lost_a = _by_key(a, with_agent)
    of_b, lost_b = _by_key(b, with_agent)
    pairs: list[Pair] = []
    only_a: list[Told] = []
    only_b = [turn for key, turns in of_b.items() if key not in of_a for turn in turns]
    for key, turns in of_a.items():
        found, left_a, left_b = _within(turns, of_b.get(key, ()))
        pairs += found
        only_a += left_a
        only_b += left_b
    return Paired(tuple(pairs), tuple(only_a), tuple(only_b), lost_a + lost_b)


def _by_key(turns: Iterable[Told], with_agent: bool) -> tuple[dict[str, list[Told]], int]:
    groups: dict[str, list[Told]] = {}
    lost = 0
    for turn in turns:
        if turn.key is None:
            lost += 1
            continue
        groups.setdefault(f"{turn.agent}\x00{turn.key}" if with_agent else turn.key, []).append(turn)
    return groups, lost


def _within(a: Sequence[Told], b: Sequence[Told]) -> tuple[list[Pair], list[Told], list[Told]]:
    """The pairs of one question, and the turns that are left over on one side."""
    if not a or not b:
        return [], [*a], [*b]
    sessions_a, sessions_b = _by_session(a), _by_session(b)
    shared = [session for session in sessions_a if session is not None and session in sessions_b]
    pairs = [_pair(sessions_a.pop(session), sessions_b.pop(session)) for session in shared]
    rest_a = [turn for turns in sessions_a.values() for turn in turns]
    rest_b = [turn for turns in sessions_b.values() for turn in turns]
    if rest_a and rest_b:
        return [*pairs, _pair(rest_a, rest_b)], [], []
    return pairs, rest_a, rest_b


def _pair(a: Sequence[Told], b: Sequence[Told]) -> Pair:
    return Pair(a[0].cluster, Half(tuple(a)), Half(tuple(b)))


def _by_session(turns: Iterable[Told]) -> dict[str | None, list[Told]]:
    groups: dict[str | None, list[Told]] = {}
    for turn in turns:
        groups.setdefault(turn.session, []).append(turn)
    return groups


def cluster_means(turns: Iterable[Told], figure: str) -> Mapping[str, float]:
    """For each question that has it the mean of `figure`."""
    held: dict[str, list[float]] = {}
    for turn in turns:
        if figure in turn.figures:
            held.setdefault(turn.cluster, []).append(turn.figures[figure])
    return {name: fsum(values) / len(values) for name, values in held.items()}
