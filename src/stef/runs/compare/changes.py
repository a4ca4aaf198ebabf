"""Pairs that got worse or better, one by one, and what changed in them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from stef.runs.compare.figures import Flipped, corrected_flips, flipped
from stef.runs.compare.model import Change, Flip, Moved, Transition
from stef.runs.compare.pairs import Half, Pair
from stef.runs.compare.rows import CORRECT, P_CORRECT, POINTS, SCORE, Told
from stef.runs.state import State
from stef.stats.paired import Drawing

_NOTHING = 1e-9
_Z = 1.96
"""Standard errors of the judge's own noise within which a change says nothing."""

_FEWEST_FLIPS = 5
"""Pairs in which a finding must have come or gone, to be tested."""


def score_changes(pairs: Iterable[Pair], samples: int | None) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """Regressions and improvements of a score: those that became unreadable (or readable) first, then the largest."""
    found = [change for pair in pairs if (change := _score_change(pair, samples)) is not None]
    return _sorted(found, ("unreadable", "declined", "lower")), _sorted(found, ("readable", "answered", "higher"))


def gold_changes(pairs: Iterable[Pair]) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """Cases that became wrong (or less often right), and right."""
    found = [change for pair in pairs if (change := _gold_change(pair)) is not None]
    return _sorted(found, ("wrong",)), _sorted(found, ("right",))


def transitions(pairs: Iterable[Pair], column: str) -> tuple[Transition, ...]:
    """From which class to which the pairs of single turns went, the most frequent first."""
    groups: dict[tuple[str, str], list[float]] = {}
    for pair in pairs:
        before, after = pair.a.shown.facts[column], pair.b.shown.facts[column]
        difference = pair.difference(SCORE)
        if before is not None and after is not None and difference is not None:
            groups.setdefault((before, after), []).append(difference)
    found = [Transition(a, b, len(values), sum(values) / len(values)) for (a, b), values in groups.items()]
    return tuple(sorted(found, key=lambda one: (-one.pairs, one.a, one.b)))


def finding_flips(pairs: Sequence[Pair], drawing: Drawing) -> tuple[Flip, ...]:
    """The findings that came or went, each tested, corrected by Holm as one family; the most changed first."""
    came: dict[str, list[str]] = {}
    went: dict[str, list[str]] = {}
    both: Counter[str] = Counter()
    for pair in pairs:
        before, after = _codes(pair.a), _codes(pair.b)
        both.update(before & after)
        for code in after - before:
            came.setdefault(code, []).append(pair.cluster)
        for code in before - after:
            went.setdefault(code, []).append(pair.cluster)
    single = len({pair.cluster for pair in pairs}) == len(pairs)
    flips = [
        flipped(Flipped(code, len(pairs), came.get(code, ()), went.get(code, ()), both[code]), drawing, single=single)
        for code in sorted({*came, *went})
        if len(came.get(code, ())) + len(went.get(code, ())) >= _FEWEST_FLIPS
    ]
    return tuple(sorted(corrected_flips(flips), key=lambda one: (one.p, -one.became - one.ceased, one.name)))


def same_sql(pair: Pair) -> bool:
    """Whether both sides give the same SQL, in every turn."""
    queries = {turn.facts["sql"] for half in (pair.a, pair.b) for turn in half.turns}
    return len(queries) == 1 and None not in queries


def judge_variance(half: Half, samples: int) -> float:
    """The variance, in points², that the judge's own spread gives to the mean p_correct of `half`.

    `spread` is the standard deviation of k samples with divisor k; their mean varies by spread² / (k − 1).
    """
    spreads = [turn.facts["spread"] or 0.0 for turn in half.turns if P_CORRECT in turn.figures]
    if not spreads or samples < 2:
        return 0.0
    return sum((POINTS * spread) ** 2 / (samples - 1) for spread in spreads) / len(spreads) ** 2


def _codes(half: Half) -> set[str]:
    return {code for turn in half.turns for code in turn.facts["findings"] or ()}


def _sorted(found: Iterable[Change], kinds: tuple[str, ...]) -> tuple[Change, ...]:
    held = [change for change in found if change.kind in kinds]
    return tuple(sorted(held, key=lambda one: (kinds.index(one.kind), -abs(one.difference or 0.0), one.a_row)))


def _score_change(pair: Pair, samples: int | None) -> Change | None:
    match (pair.a.state, pair.b.state):
        case (State.SCORED, State.SCORED):
            difference = pair.difference(SCORE) or 0.0
            if abs(difference) < _NOTHING:
                return None
            kind = "higher" if difference > 0 else "lower"
            return _change(kind, pair, SCORE, _score_moves(pair), _within_noise(pair, samples))
        case (State.SCORED, State.UNREADABLE) | (State.DECLINED, State.UNREADABLE):
            return _change("unreadable", pair, SCORE, _score_moves(pair))
        case (State.UNREADABLE, State.SCORED):
            return _change("readable", pair, SCORE, _score_moves(pair))
        case (State.SCORED, State.DECLINED):
            return _change("declined", pair, SCORE, _score_moves(pair))
        case (State.DECLINED, State.SCORED):
            return _change("answered", pair, SCORE, _score_moves(pair))
        case _:
            return None


def _gold_change(pair: Pair) -> Change | None:
    difference = pair.difference(CORRECT)
    if difference is None or abs(difference) < _NOTHING:
        return None
    return _change("right" if difference > 0 else "wrong", pair, CORRECT, _gold_moves(pair))


def _change(kind: str, pair: Pair, figure: str, moved: Iterable[Moved], within_noise: bool | None = None) -> Change:
    a, b = pair.a.shown, pair.b.shown
    return Change(
        kind=kind,
        question=pair.question,
        a_id=a.id,
        b_id=b.id,
        a_row=a.row,
        b_row=b.row,
        turns=len(pair.a.turns) + len(pair.b.turns),
        a=pair.a.value(figure),
        b=pair.b.value(figure),
        difference=pair.difference(figure),
        moved=tuple(moved),
        same_sql=same_sql(pair),
        within_noise=within_noise,
    )


def _score_moves(pair: Pair) -> Iterator[Moved]:
    a, b = pair.a.shown.facts, pair.b.shown.facts
    yield from _column("unscored", "unscored_reason", a, b)
    yield from _column("verdict", "verdict", a, b)
    yield from _column("filters", "filter_alignment", a, b)
    yield from _listed("finding", "findings", a, b)
    yield from _listed("missing filter", "missing_filters", a, b)
    yield from _listed("extra filter", "extra_filters", a, b)


def _gold_moves(pair: Pair) -> Iterator[Moved]:
    a, b = _moved_most(pair.a, pair.b)
    for name in ("outcome", "bucket", "symptom", "error"):
        yield from _column(name, name, a.facts, b.facts)


def _moved_most(a: Half, b: Half) -> tuple[Told, Told]:
    """A turn of each side, of which one is right and the other is not where there are such."""
    high, low = (a, b) if (a.value(CORRECT) or 0.0) > (b.value(CORRECT) or 0.0) else (b, a)
    best = max(high.turns, key=lambda turn: turn.figures.get(CORRECT, -1.0))
    worst = min(low.turns, key=lambda turn: turn.figures.get(CORRECT, POINTS + 1))
    return (best, worst) if high is a else (worst, best)


def _column(what: str, column: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Moved]:
    if a.get(column) != b.get(column):
        yield Moved(what, a.get(column), b.get(column))


def _listed(what: str, column: str, a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[Moved]:
    """What is in the list of one side only; nothing where a side was not aligned."""
    before, after = a.get(column), b.get(column)
    if before is None or after is None:
        return
    for one in dict.fromkeys(before):
        if one not in after:
            yield Moved(what, one, None)
    for one in dict.fromkeys(after):
        if one not in before:
            yield Moved(what, None, one)


def _within_noise(pair: Pair, samples: int | None) -> bool | None:
    difference = pair.difference(P_CORRECT)
    if samples is None or difference is None:
        return None
    error = sqrt(judge_variance(pair.a, samples) + judge_variance(pair.b, samples))
    return abs(difference) <= _Z * error
