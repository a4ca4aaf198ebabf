"""Why a figure changed: did the questions move, or the SQL?"""

import numpy as np

from stef.runs.monitor.alarms import POINTS
from stef.runs.monitor.kinds import Kinds
from stef.runs.monitor.model import Blame, Cause, Change
from stef.runs.monitor.moves import class_moves, finding_moves, question_moves, version_moves
from stef.runs.monitor.turns import Units, Watched
from stef.stats.mixture import Decomposition, decompose
from stef.stats.paired import Difference, Drawing, clustered_difference

ALPHA = 0.05
ENOUGH_AGAIN = 30
"""Questions that were asked before and after, from which on they decide whether the SQL moved."""

_DRAWING = Drawing(resamples=1_000, flips=2_000)


def cause_of(change: Change, before: Watched, after: Watched, kinds: Kinds) -> Cause:
    """Why the figure of `change` is another in the turns `after` it than in those `before`."""
    one, other = (side.units(side.figure(change.figure)) for side in (before, after))
    kinded = [_kinded(change.figure, side.sample, kinds) for side in (before, after)]
    parts = decompose(kinded[0], kinded[1])
    again = _again(one, other)
    return Cause(
        blame=_blame(change, parts, again),
        parts=parts,
        again=again if again.pairs else None,
        questions=question_moves(before.sample, after.sample, kinds),
        findings=finding_moves(before, after),
        classes=class_moves(before, after),
        versions=version_moves(before, after),
    )


def _again(one: Units, other: Units) -> Difference:
    """The questions that were asked before and after."""
    _, a, b = np.intersect1d(one.clusters, other.clusters, assume_unique=True, return_indices=True)
    return clustered_difference(np.arange(len(a)), (other.values[b] - one.values[a]) * POINTS, _DRAWING)


def _kinded(figure: str, turns: Watched, kinds: Kinds) -> list[tuple[str, float]]:
    """Each question's kind (with its application) and value, in points."""
    units = turns.units(turns.figure(figure))
    last = turns.last[np.searchsorted(turns.cluster[turns.last], units.clusters)]
    facts, every = turns.facts.all, kinds.all
    asked = zip(turns.fact[last].tolist(), turns.asked[last].tolist(), units.values.tolist(), strict=True)
    return [(f"{facts[fact].app or ''}\x00{every[kind].kind}", value * POINTS) for fact, kind, value in asked]


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
