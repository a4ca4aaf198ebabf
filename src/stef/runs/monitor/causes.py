"""Why a figure changed: did the questions move, or the SQL?"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import TypeAlias, TypeVar

from stef.findings.registry import FAULT
from stef.runs.monitor.alarms import POINTS, Slot, units
from stef.runs.monitor.kinds import FEATURES, Traits
from stef.runs.monitor.model import Blame, Cause, Change, Move
from stef.runs.monitor.rows import Watched, figure_of
from stef.stats.mixture import Decomposition, decompose
from stef.stats.multiple import holm
from stef.stats.paired import Difference, Drawing, paired_difference

ALPHA = 0.05
ENOUGH_AGAIN = 30
"""Questions that were asked before and after, from which on they decide whether the SQL moved."""

_LEAST_MOVE = 0.03
"""A share of questions that is another by less is not worth a word, however sure."""

_FEWEST = 5
_WORDS = "with new words"

T = TypeVar("T")

Counts: TypeAlias = tuple[float, int, float, int]
"""Of how many it is so before, and how many there are; the same after."""


def cause_of(change: Change, before: Sequence[Slot], after: Sequence[Slot]) -> Cause:
    """Why the figure of `change` is another in the periods `after` it than in those `before`."""
    a, b = _turns(before), _turns(after)
    figure = change.figure
    one, other = (units(side, lambda turn: figure_of(turn, figure)) for side in (a, b))
    parts = decompose(_kinded(one, a), _kinded(other, b))
    drawing = Drawing(resamples=1_000, flips=2_000)
    shared = sorted(one.keys() & other.keys())
    again = paired_difference(((name, (other[name] - one[name]) * POINTS) for name in shared), drawing)
    return Cause(
        blame=_blame(change, parts, again),
        parts=parts,
        again=again if again.pairs else None,
        questions=_question_moves(a, b),
        findings=_finding_moves(a, b),
        classes=_class_moves(a, b),
        versions=_version_moves(a, b),
    )


def _turns(slots: Sequence[Slot]) -> list[Watched]:
    return [turn for slot in slots for turn in slot.turns]


def _kinded(values: dict[str, float], turns: Sequence[Watched]) -> list[tuple[str, float]]:
    """Each question's kind (with its application) and value, in points."""
    asked = {turn.cluster: turn for turn in turns}
    return [(f"{asked[name].app or ''}\x00{asked[name].asked.kind}", value * POINTS) for name, value in values.items()]


def _blame(change: Change, parts: Decomposition | None, again: Difference) -> Blame:
    """What moved: the same questions asked again decide, where they can; else questions of the same kind."""
    if parts is None:
        return Blame.UNCLEAR
    sql, mixed = parts.within.sign() == change.sign, parts.mix.sign() == change.sign
    if again.clusters >= ENOUGH_AGAIN and again.sign(ALPHA) == change.sign:
        sql = True
    elif again.clusters >= ENOUGH_AGAIN and _cleared(change, again):
        # Others fell than those that were asked before: they are harder, in a way that their kind need not show.
        sql, mixed = False, True
    match (sql, mixed):
        case (True, True):
            return Blame.BOTH
        case (True, False):
            return Blame.SQL
        case (False, True):
            return Blame.QUESTIONS
        case _:
            return Blame.UNCLEAR


def _cleared(change: Change, again: Difference) -> bool:
    """Whether the same questions are shown not to have moved as far as all of them did."""
    if again.interval is None:
        return not again.discordant
    return not again.interval.low <= change.difference <= again.interval.high


def _question_moves(a: Sequence[Watched], b: Sequence[Watched]) -> tuple[Move, ...]:
    """Features of what is asked that are more or less frequent, each distinct question once."""
    one, other = _asked(a), _asked(b)
    before, after = list(one.values()), list(other.values())
    counted = [(name, *_counts(before, after, _with(name))) for name in FEATURES]
    fresh = _new_words(one, other)
    if fresh is not None:
        counted.append((_WORDS, *fresh))
    return tuple(move for move in _moves(counted) if abs(move.after - move.before) >= _LEAST_MOVE)


def _asked(turns: Iterable[Watched]) -> dict[str, Traits]:
    """Each distinct question."""
    questions = {turn.cluster: turn.asked for turn in turns}
    return {name: questions[name] for name in sorted(questions)}


def _new_words(before: dict[str, Traits], after: dict[str, Traits]) -> Counts | None:
    """Questions with a word that one half of the earlier questions lacks: of the other half, and of the later ones.

    Later ones that stand in the first half are left out, as none of the other half does. None where there are too few.
    """
    names = list(before)
    random.Random(0).shuffle(names)  # noqa: S311  no secret: the same questions give the same halves
    known, control = set(names[::2]), names[1::2]
    if len(control) < _FEWEST:
        return None
    words = {stem for name in known for stem in before[name].stems}
    later = [asked for name, asked in after.items() if name not in known]
    return _counts([before[name] for name in control], later, lambda asked: not words.issuperset(asked.stems))


def _finding_moves(a: Sequence[Watched], b: Sequence[Watched]) -> tuple[Move, ...]:
    one, other = ([turn for turn in side if turn.filters is not None] for side in (a, b))
    codes = sorted({code for turn in (*one, *other) for code in turn.findings} - {FAULT})
    return _moves([(code, *_questions(one, other, _coded(code))) for code in codes])


def _class_moves(a: Sequence[Watched], b: Sequence[Watched]) -> tuple[Move, ...]:
    """Filter classes, bands, and reasons of unscored turns."""
    names = sorted({name for turn in (*a, *b) for name in _classes(turn) if name is not None})
    return _moves([(name, *_questions(a, b, _in_class(name))) for name in names])


def _version_moves(a: Sequence[Watched], b: Sequence[Watched]) -> tuple[Move, ...]:
    """Agents and their versions, where there are several; by turns."""
    found: list[tuple[str, float, int, float, int]] = []
    for words, field in (("agent", "agent"), ("version", "agent_version")):
        values = Counter(getattr(turn, field) for turn in (*a, *b))
        if len(values) > 1:
            named = sorted(one for one in values if one is not None)
            found += [(f"{words} {value}", *_counts(a, b, _holding(field, value))) for value in named]
    return _moves(found)


def _with(feature: str) -> Callable[[Traits], bool]:
    return lambda asked: feature in asked.features


def _coded(code: str) -> Callable[[Watched], bool]:
    return lambda turn: code in turn.findings


def _classes(turn: Watched) -> tuple[str | None, ...]:
    return turn.filters, turn.band, turn.reason


def _in_class(name: str) -> Callable[[Watched], bool]:
    return lambda turn: name in _classes(turn)


def _holding(field: str, value: str) -> Callable[[Watched], bool]:
    return lambda turn: bool(getattr(turn, field) == value)


def _counts(a: Sequence[T], b: Sequence[T], is_so: Callable[[T], bool]) -> Counts:
    """Of how many it is so on both sides."""
    return sum(map(is_so, a)), len(a), sum(map(is_so, b)), len(b)


def _questions(a: Sequence[Watched], b: Sequence[Watched], is_so: Callable[[Watched], bool]) -> Counts:
    """Of how many questions it is so: for each the share of its turns. Turns of one question are no new evidence."""
    one, other = (units(side, lambda turn: float(is_so(turn))) for side in (a, b))
    return sum(one.values()), len(one), sum(other.values()), len(other)


def _moves(counted: Sequence[tuple[str, float, int, float, int]]) -> tuple[Move, ...]:
    """What is shown to be another, the surest first."""
    usable = [one for one in counted if one[2] and one[4] and one[1] + one[3] >= _FEWEST]
    corrected = holm([_p(*one[1:]) for one in usable])
    found = [
        Move(name, x / m, y / n, m, n, p)
        for (name, x, m, y, n), p in zip(usable, corrected, strict=True)
        if p is not None and p <= ALPHA
    ]
    return tuple(sorted(found, key=lambda move: (move.p, -abs(move.after - move.before), move.name)))


def _p(x: float, m: int, y: float, n: int) -> float:
    """The two-sided p of two shares: the pooled z test."""
    from scipy.special import erfc  # noqa: PLC0415  heavy

    pooled = (x + y) / (m + n)
    spread = pooled * (1 - pooled) * (1 / m + 1 / n)
    return 1.0 if spread <= 0 else float(erfc(abs(y / n - x / m) / sqrt(2 * spread)))
