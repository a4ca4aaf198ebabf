"""Do periods differ from each other by more than what is in them explains?"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True)
class Dispersion:
    """`ratio`: the variance between periods over the one that their values explain (1: none of its own).

    `p`: how often periods that do not differ show as large a ratio (the F test of a one-way analysis of variance).
    """

    ratio: float
    p: float


def dispersion(segments: Sequence[Sequence[Sequence[float]]]) -> Dispersion | None:
    """How periods differ within segments, by the values of each period; None where there is too little to tell."""
    between = within = 0.0
    freedom, left = 0, 0
    for segment in segments:
        periods = [period for period in segment if period]
        if len(periods) < 2:
            continue
        every = [value for period in periods for value in period]
        mean = fsum(every) / len(every)
        means = [fsum(period) / len(period) for period in periods]
        between += fsum(len(period) * (own - mean) ** 2 for period, own in zip(periods, means, strict=True))
        within += fsum((value - own) ** 2 for period, own in zip(periods, means, strict=True) for value in period)
        freedom += len(periods) - 1
        left += len(every) - len(periods)
    if not freedom or left <= 0 or within <= 0.0:
        return None
    from scipy.special import fdtrc  # noqa: PLC0415  heavy

    ratio = (between / freedom) / (within / left)
    return Dispersion(ratio, float(fdtrc(freedom, left, ratio)))
