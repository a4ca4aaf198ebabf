"""What is more or less frequent after a change than before: features of questions, findings, classes, agents."""

import random
from collections.abc import Sequence
from math import sqrt
from typing import TypeAlias

import numpy as np

from stef.runs.monitor.kinds import FEATURES, Kinds, Traits
from stef.runs.monitor.model import Move
from stef.runs.monitor.turns import Watched
from stef.runs.numbering import Truths
from stef.stats.multiple import holm

_ALPHA = 0.05
_LEAST_MOVE = 0.03
"""A share of questions that is another by less is not worth a word, however sure."""

_FEWEST = 5
_WORDS = "with new words"

Counts: TypeAlias = tuple[float, int, float, int]
"""Of how many it is so before, and how many there are; the same after."""


def question_moves(before: Watched, after: Watched, kinds: Kinds) -> tuple[Move, ...]:
    """Features of what is asked that are more or less frequent, each distinct question once."""
    one, other = (side.asked[side.last] for side in (before, after))
    counted = []
    for name in FEATURES:
        has = kinds.having(name)
        counted.append((name, float(has[one].sum()), len(one), float(has[other].sum()), len(other)))
    fresh = _new_words(_asked(before, kinds), _asked(after, kinds))
    if fresh is not None:
        counted.append((_WORDS, *fresh))
    return tuple(move for move in _moves(counted) if abs(move.after - move.before) >= _LEAST_MOVE)


def _asked(turns: Watched, kinds: Kinds) -> dict[int, Traits]:
    """Each distinct question."""
    last = turns.last
    return {
        name: kinds.all[number]
        for name, number in zip(turns.cluster[last].tolist(), turns.asked[last].tolist(), strict=True)
    }


def _new_words(before: dict[int, Traits], after: dict[int, Traits]) -> Counts | None:
    """Questions with a word that one half of the earlier questions lacks: of the other half, and of the later ones.

    Later ones that stand in the first half are left out, as none of the other half does. None where there are too few.
    """
    names = list(before)
    random.Random(0).shuffle(names)  # noqa: S311  no secret: the same questions give the same halves
    known, control = set(names[::2]), [before[name] for name in names[1::2]]
    if len(control) < _FEWEST:
        return None
    words = {stem for name in known for stem in before[name].stems}
    later = [asked for name, asked in after.items() if name not in known]
    fresh = [sum(not words.issuperset(asked.stems) for asked in side) for side in (control, later)]
    return fresh[0], len(control), fresh[1], len(later)


def finding_moves(before: Watched, after: Watched) -> tuple[Move, ...]:
    """Findings, among the turns that were aligned; for each question the share of its turns."""
    return _fact_moves(before, after, "findings", before.facts.aligned)


def class_moves(before: Watched, after: Watched) -> tuple[Move, ...]:
    """Filter classes, bands, and reasons of unscored turns, likewise."""
    return _fact_moves(before, after, "classes", np.ones(len(before.facts), dtype=np.bool_))


def _fact_moves(before: Watched, after: Watched, field: str, of: Truths) -> tuple[Move, ...]:
    facts = before.facts
    (one, m), (other, n) = before.questions(of), after.questions(of)
    counted = []
    for name in facts.values(field, (one > 0) | (other > 0)):
        has = facts.says(field, name)
        counted.append((name, float(one[has].sum()), m, float(other[has].sum()), n))
    return _moves(counted)


def version_moves(before: Watched, after: Watched) -> tuple[Move, ...]:
    """Agents and their versions, where there are several; by turns."""
    facts = before.facts
    one, other = (np.bincount(side.fact, minlength=len(facts)) for side in (before, after))
    here = (one > 0) | (other > 0)
    found: list[tuple[str, float, int, float, int]] = []
    for words, field in (("agent", "agent"), ("version", "agent_version")):
        if len({getattr(fact, field) for fact, so in zip(facts.all, here, strict=True) if so}) > 1:
            for value in facts.values(field, here):
                has = facts.says(field, value)
                counts = float(one[has].sum()), len(before), float(other[has].sum()), len(after)
                found.append((f"{words} {value}", *counts))
    return _moves(found)


def _moves(counted: Sequence[tuple[str, float, int, float, int]]) -> tuple[Move, ...]:
    """What is shown to be another, the surest first."""
    usable = [one for one in counted if one[2] and one[4] and one[1] + one[3] >= _FEWEST]
    corrected = holm([_p(*one[1:]) for one in usable])
    found = [
        Move(name, x / m, y / n, m, n, p)
        for (name, x, m, y, n), p in zip(usable, corrected, strict=True)
        if p is not None and p <= _ALPHA
    ]
    return tuple(sorted(found, key=lambda move: (move.p, -abs(move.after - move.before), move.name)))


def _p(x: float, m: int, y: float, n: int) -> float:
    """The two-sided p of two shares: the pooled z test."""
    from scipy.special import erfc  # noqa: PLC0415  heavy

    pooled = (x + y) / (m + n)
    spread = pooled * (1 - pooled) * (1 / m + 1 / n)
    return 1.0 if spread <= 0 else float(erfc(abs(y / n - x / m) / sqrt(2 * spread)))
