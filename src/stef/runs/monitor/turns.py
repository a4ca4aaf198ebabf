"""The turns that are watched, in columns: numbers in arrays, and what many turns have in common kept once."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from stef.runs.monitor.facts import Facts
from stef.runs.numbering import Digests, Floats, Truths, Whole, sums

SCORE, P_CORRECT, READABLE, DECLINED = "score", "p_correct", "readable", "declined"
AGAIN = "score_again"
"""The score, each question held against itself: what moves though the same is asked."""


@dataclass(frozen=True, slots=True)
class Turns:
    """Turns as they are read; each array has an entry for each of them.

    `moment`: microseconds since 1970. `cluster`: a digest of the question, with its database. `fact` is a number of
    `facts`, `yardstick` that of its RUN's, `place` its number among the rows of all RUNs. `score` in points and
    `p_correct` are NaN where there is none.
    """

    facts: Facts
    moment: Whole
    cluster: Digests
    fact: Whole
    yardstick: Whole
    place: Whole
    score: Floats
    p_correct: Floats

    def __len__(self) -> int:
        return len(self.moment)

    def where(self, chosen: Truths | Whole) -> "Turns":
        """Some of them."""
        arrays: dict[str, Any] = {name: getattr(self, name)[chosen] for name in self.columns()}
        return replace(self, **arrays)

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The names of the arrays."""
        return tuple(one.name for one in fields(cls) if one.name != "facts")


class Units:
    """What is asked, each question once: the digests in order, and one value for each."""

    __slots__ = ("clusters", "values")

    def __init__(self, clusters: Digests, values: Floats) -> None:
        self.clusters = clusters
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def among(self, clusters: Digests) -> "Units":
        """Those of some questions."""
        held = np.isin(self.clusters, clusters, assume_unique=True)
        return Units(self.clusters[held], self.values[held])


@dataclass(frozen=True)
class Watched:
    """Turns ordered by question, and those of one question by time; each array has an entry for each of them.

    `asked` is the number of what kind of question it is; negative where that is not looked at.
    """

    facts: Facts
    cluster: Digests
    fact: Whole
    score: Floats
    p_correct: Floats
    asked: Whole

    def __len__(self) -> int:
        return len(self.cluster)

    @cached_property
    def sample(self) -> "Watched":
        """Those whose question is looked at."""
        held = self.asked >= 0
        return self if held.all() else self._where(held)

    @property
    def at(self) -> Whole:
        """For each the number of its question, in their order."""
        return np.cumsum(self._new) - 1

    @property
    def _new(self) -> Truths:
        """Which are the first of their question."""
        return np.concatenate([np.ones(min(1, len(self)), np.bool_), self.cluster[1:] != self.cluster[:-1]])

    @property
    def last(self) -> Whole:
        """Of each question the last turn."""
        return np.append(np.flatnonzero(self._new)[1:], len(self))[: len(self)] - 1

    def figure(self, name: str) -> Floats:
        """A figure of each turn in [0, 1]; NaN where the turn says nothing of it.

        `score`, `score_again`: Φ / 100. `p_correct`: of scored turns, as the judge has it.
        `readable`: of turns that hold SQL. `declined`: of turns whose end is the agent's.
        """
        match name:
            case "score" | "score_again":
                return self.score / 100.0
            case "p_correct":
                return self.p_correct
            case "readable":
                return self.facts.readable[self.fact]
            case "declined":
                return self.facts.declined[self.fact]
            case _:
                raise ValueError(f"no figure {name!r}")

    def units(self, values: Floats) -> Units:
        """One value for each question that has any: the mean of its turns. Asked 500 times, it is one question."""
        clusters, held = self.cluster[self._new], ~np.isnan(values)
        at = self.at[held]
        counts = np.bincount(at, minlength=len(clusters))
        has = counts > 0
        return Units(clusters[has], sums(at, values[held], len(clusters))[has] / counts[has])

    def questions(self, of: Truths) -> tuple[Floats, int]:
        """Of the turns whose fact is among these: for each fact the share of each question's turns, added up over the
        questions; and how many questions there are. Turns of one question are no new evidence.
        """
        held = of[self.fact]
        at, fact = self.at[held], self.fact[held]
        counts = np.bincount(at)
        weights = 1.0 / counts[at] if len(at) else np.array([], dtype=np.float64)
        return sums(fact, weights, len(self.facts)), int((counts > 0).sum())

    def _where(self, chosen: Truths | Whole) -> "Watched":
        return Watched(
            self.facts,
            self.cluster[chosen],
            self.fact[chosen],
            self.score[chosen],
            self.p_correct[chosen],
            self.asked[chosen],
        )

    @classmethod
    def joined(cls, several: Sequence["Watched"]) -> "Watched":
        """All of several, which are in order of time."""
        cluster = np.concatenate([one.cluster for one in several])
        order = np.argsort(cluster, kind="stable")
        return cls(
            several[0].facts,
            cluster[order],
            *(
                np.concatenate([getattr(one, name) for one in several])[order]
                for name in ("fact", "score", "p_correct", "asked")
            ),
        )
