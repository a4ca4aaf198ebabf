"""The paired permutation test: under the null hypothesis each cluster could as well have the other sign."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

FLIPS = 10_000
_EXACT = 16
"""Clusters that differ, up to which every combination of signs is looked at."""

_NORMAL = 2_000
"""Distinct differences, from which on the sum of random signs is normal to three digits."""


def sign_flip(sums: "np.ndarray[Any, np.dtype[np.float64]]", flips: int = FLIPS, seed: int = 0) -> float:
    """The two-sided p of the sum of `sums` (one a cluster) over random signs of whole clusters; 1.0 where all are 0.

    Every combination of signs is looked at where up to 16 clusters differ; else it is (1 + as extreme) / (1 + flips)
    (Phipson & Smyth 2010). The test is exact where A and B could be swapped. Where the mean difference is 0 and its
    distribution is lopsided, it is right for large samples only, so that a verdict should ask the interval, too.
    """
    import numpy as np  # noqa: PLC0415  heavy

    sizes = np.abs(sums[sums != 0])
    if not len(sizes):
        return 1.0
    scale = float(np.sqrt((sizes**2).sum()))
    observed = abs(float(sums.sum())) - 1e-9 * scale
    if len(sizes) <= _EXACT:
        combinations = np.arange(1 << len(sizes))[:, None] >> np.arange(len(sizes)) & 1
        return float((np.abs((2.0 * combinations - 1.0) @ sizes) >= observed).mean())
    values, counts = np.unique(sizes, return_counts=True)
    if len(values) > _NORMAL:
        from math import erfc, sqrt  # noqa: PLC0415

        return erfc(max(observed, 0.0) / scale / sqrt(2))
    heads = np.random.default_rng(seed).binomial(counts, 0.5, size=(flips, len(values)))
    flipped = np.abs((2.0 * heads - counts) @ values)
    return float((1 + (flipped >= observed).sum()) / (1 + flips))
