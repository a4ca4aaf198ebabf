"""Do periods differ from each other by more than what is in them explains?"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Dispersion:
    """`ratio`: the variance between periods over the one that their values explain (1: none of its own).

    `p`: how often periods that do not differ show as large a ratio (the F test of a one-way analysis of variance).
    """

    ratio: float
    p: float


def dispersion(segments: Sequence[Sequence["Sequence[float] | Floats"]]) -> Dispersion | None:
    """How periods differ within segments, by the values of each period; None where there is too little to tell."""
    import numpy as np  # noqa: PLC0415  heavy

    between = within = 0.0
    freedom, left = 0, 0
    for segment in segments:
        periods = [np.asarray(period, dtype=np.float64) for period in segment if len(period)]
        if len(periods) < 2:
            continue
        # One period at a time: what is watched may be millions of values a night.
        sums = [fsum(period.tolist()) for period in periods]
        sizes = [len(period) for period in periods]
        mean = fsum(sums) / sum(sizes)
        means = [total / size for total, size in zip(sums, sizes, strict=True)]
        between += fsum(size * (own - mean) ** 2 for size, own in zip(sizes, means, strict=True))
        within += fsum(fsum(((one - own) ** 2).tolist()) for one, own in zip(periods, means, strict=True))
        freedom += len(periods) - 1
        left += sum(sizes) - len(periods)
    if not freedom or left <= 0 or within <= 0.0:
        return None
    from scipy.special import fdtrc  # noqa: PLC0415  heavy

    ratio = (between / freedom) / (within / left)
    return Dispersion(ratio, float(fdtrc(freedom, left, ratio)))
