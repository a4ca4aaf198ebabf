"""A sequential test for drift that may be looked at after every period, for ever, and keeps its false-alarm rate.

The values of a batch are held against all values so far, those of the batch among them: where does their sum lie among
the sums of batches of the same size, drawn at random from these? As long as nothing drifts (the values are
exchangeable, whatever their distribution), that place is uniform, and independent of those of all other batches: a
conformal transducer for batches (Vovk, Gammerman & Shafer 2005; Vovk et al. 2021, "Retrain or not retrain"). Bets that
it becomes low, or high, then win nothing on average, and by Ville's inequality the chance that such bets *ever*
multiply their stake by 1/α is at most α. No level of the values is assumed, no baseline is set aside, and the test
needs no state: the same values give the same evidence, and that of a longer series begins with that of a shorter one.

Bets are placed at the start of every period, with a part of the stake that is settled in advance
(1 / log₂(k + 1) − 1 / log₂(k + 2) for period k, which adds up to 1), so that a long time without drift does not ruin
it.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, inf, log, log2

from stef.stats.bags import Values, places_of

BETS = (0.25, 0.5, 1.0, 2.0, 3.0)
"""How far a batch is said to lie off, in standard deviations of a place that drifts nowhere."""


@dataclass(frozen=True, slots=True)
class Valued:
    """One independent thing: its value in [0, 1], and the stratum within which it is compared (None: with all)."""

    value: float
    stratum: Hashable = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """After a period: what the bets on lower and on higher values have made of a stake of 1, as natural logarithms."""

    lower: float
    higher: float


@dataclass(frozen=True, slots=True)
class Alarm:
    """Evidence that reached the threshold after `period`; `sign` −1: the values fell, 1: they rose."""

    period: int
    sign: int
    evidence: float


def threshold(rate: float) -> float:
    """The evidence (a natural logarithm) at which a test in both directions has the false-alarm rate `rate`.

    Raises ValueError for a rate outside (0, 1).
    """
    if not 0.0 < rate < 1.0:
        raise ValueError(f"rate must lie in (0, 1), not {rate!r}")
    return log(2.0 / rate)


def first_alarm(series: Iterable[Evidence], rate: float) -> Alarm | None:
    """Where the evidence first reaches the threshold of `rate`, and in which direction; None where it never does."""
    return _until_alarm(series, rate)[0]


def watch(
    periods: Sequence[Values], rate: float, seed: int = 0, before: Values | None = None
) -> tuple[Alarm | None, Evidence]:
    """Test period by period up to the first alarm; the alarm, and the evidence up to there, or after all periods.

    `before` are values that later ones are held against, without a bet on them.
    """
    return _until_alarm(_evidence(periods, seed, before), rate)


def _until_alarm(series: Iterable[Evidence], rate: float) -> tuple[Alarm | None, Evidence]:
    reach, last = threshold(rate), Evidence(0.0, 0.0)
    for period, last in enumerate(series):
        most = max(last.lower, last.higher)
        if most >= reach:
            return Alarm(period, -1 if last.lower >= last.higher else 1, most), last
    return None, last


def evidence(periods: Sequence[Sequence[Valued]], seed: int = 0, before: Sequence[Valued] = ()) -> list[Evidence]:
    """The evidence for drift after each of `periods`.

    `before` are values that later ones are held against, without a bet on them. An empty period leaves all as it is.
    Raises ValueError for a value outside [0, 1].
    """
    first, *others = _columns([before, *periods])
    return evidence_of(others, seed, first)


def evidence_of(periods: Sequence[Values], seed: int = 0, before: Values | None = None) -> list[Evidence]:
    """The same for values in columns."""
    return list(_evidence(periods, seed, before))


def _evidence(periods: Sequence[Values], seed: int, before: Values | None) -> Iterator[Evidence]:
    lower, higher = _Stake(), _Stake()
    for period in places_of(periods, seed, before):
        if period:
            lower.bet([-place for place in period])
            higher.bet(period)
        yield Evidence(lower.total(), higher.total())


def places(periods: Sequence[Sequence[Valued]], seed: int = 0, before: Sequence[Valued] = ()) -> Iterator[list[float]]:
    """For each period, where its batches lie: standard normal, and independent, as long as nothing drifts."""
    first, *others = _columns([before, *periods])
    return places_of(others, seed, first)


def _columns(periods: Sequence[Sequence[Valued]]) -> list[Values]:
    """Periods in columns; the strata numbered, where there are any."""
    import numpy as np  # noqa: PLC0415  heavy

    numbers: dict[Hashable, int] = {}
    strata = [[numbers.setdefault(one.stratum, len(numbers)) for one in period] for period in periods]
    plain = numbers.keys() <= {None}
    return [
        Values(np.array([one.value for one in period], np.float64), None if plain else np.array(names, np.uint64))
        for period, names in zip(periods, strata, strict=True)
    ]


class _Stake:
    """A stake of 1 on high places, spread over bets and over the periods at which they start."""

    __slots__ = ("periods", "won")

    def __init__(self) -> None:
        self.periods = 0
        self.won = [-inf] * len(BETS)

    def bet(self, found: Sequence[float]) -> None:
        """Place this period's part of the stake, and settle all bets by the places that were `found` in it.

        A bet on δ multiplies its stake by exp(δ z − δ²/2), which is 1 on average for a standard normal z.
        """
        self.periods += 1
        part = log((_left(self.periods) - _left(self.periods + 1)) / len(BETS))
        total = sum(found)
        self.won = [
            _add(won, part) + bet * total - len(found) * bet * bet / 2.0
            for won, bet in zip(self.won, BETS, strict=True)
        ]

    def total(self) -> float:
        """The logarithm of all that is won, and of the part that is not placed yet."""
        total = log(_left(self.periods + 1))
        for won in self.won:
            total = _add(total, won)
        return total


def _left(period: int) -> float:
    """The part of the stake that is left before `period`, which counts from 1."""
    return 1.0 / log2(period + 1)


def _add(a: float, b: float) -> float:
    """log(eᵃ + eᵇ)."""
    high, low = max(a, b), min(a, b)
    return high if low == -inf else high + log(1.0 + exp(low - high))
