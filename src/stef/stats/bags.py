"""Batches of values against bags of all values so far: where does each batch lie among batches drawn from its bag?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    Whole: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
    Cells: TypeAlias = np.ndarray[Any, np.dtype[np.uint8]]
    Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
    Names: TypeAlias = np.ndarray[Any, np.dtype[np.uint64]]

CELLS = 100
"""Steps between the lowest and the highest value: values are held on a grid that is fixed in advance."""

BATCH, MOST_BATCHES = 10, 8
"""Values of a batch, at least, where a period has so many; and batches of a period, at most."""

DRAWS = 399
_MANY, _AT_ONCE = 50, 500
"""Strata of a batch from which on values are drawn by their place, for all strata at once; and so many of them."""


@dataclass(frozen=True, slots=True)
class Values:
    """A period's values in [0, 1], each of one independent thing.

    `strata` names for each what it is compared with: values of the same name. None: all with all.
    """

    values: "Floats"
    strata: "Names | None" = None


def places_of(periods: Sequence[Values], seed: int = 0, before: Values | None = None) -> Iterator[list[float]]:
    """For each period, where its batches lie: standard normal, and independent, as long as nothing drifts.

    Which value of a period is in which of its batches is drawn, so that what is always asked first or last is no drift.
    `before` are values that later ones are held against. Raises ValueError for a value outside [0, 1].
    """
    import numpy as np  # noqa: PLC0415  heavy
    from scipy.special import ndtri  # noqa: PLC0415  heavy

    first = before or Values(np.array([], dtype=np.float64))
    sources = [np.random.default_rng([seed, number]) for number in range(len(periods))]
    orders = [source.permutation(len(one.values)) for source, one in zip(sources, periods, strict=True)]
    cells = [_cells(first), *(_cells(one)[order] for one, order in zip(periods, orders, strict=True))]
    bag: _Bag | _Bags = _Bag(cells[0])
    if any(one.strata is not None for one in (first, *periods)):
        names = [first.strata, *(_ordered(one.strata, order) for one, order in zip(periods, orders, strict=True))]
        bag = _Bags(np.concatenate(cells), np.concatenate([one for one in names if one is not None]), len(cells[0]))
        del names
    del orders
    started = len(first.values) > 0
    for period, source in zip(cells[1:], sources, strict=True):
        batches = np.array_split(period, min(MOST_BATCHES, max(1, len(period) // BATCH))) if len(period) else []
        found = []
        for batch in batches:
            bag.put(batch)
            if started:
                found.append(float(ndtri(_place(*bag.draw(batch, source), source))))
            started = True
        yield found


def _ordered(names: "Names | None", order: "Whole") -> "Names | None":
    return None if names is None else names[order]


def _cells(found: Values) -> "Cells":
    import numpy as np  # noqa: PLC0415  heavy

    values = found.values
    odd = ~((values >= 0.0) & (values <= 1.0))
    if odd.any():
        raise ValueError(f"a value must lie in [0, 1], not {float(values[odd][0])!r}")
    return np.rint(values * CELLS).astype(np.uint8)


def _place(own: int, drawn: "Whole", source: "np.random.Generator") -> float:
    """Where a sum lies among those drawn, in (0, 1); ties are broken at random."""
    lower, equal = int((drawn < own).sum()), int((drawn == own).sum())
    return (lower + (1.0 - source.random()) * (equal + 1)) / (DRAWS + 1) - 1e-12


def _drawn(bag: "Whole", number: int, source: "np.random.Generator") -> "Whole":
    """DRAWS sums of `number` values of a bag (counts of cells), drawn without putting them back."""
    import numpy as np  # noqa: PLC0415  heavy

    held = np.flatnonzero(bag)
    return np.asarray(source.multivariate_hypergeometric(bag[held], number, size=DRAWS) @ held)


class _Bag:
    """All values so far, as counts of cells."""

    __slots__ = ("_counts",)

    def __init__(self, before: "Cells") -> None:
        import numpy as np  # noqa: PLC0415  heavy

        self._counts = np.bincount(before, minlength=CELLS + 1)

    def put(self, batch: "Cells") -> None:
        """Put a batch into the bag."""
        import numpy as np  # noqa: PLC0415  heavy

        self._counts += np.bincount(batch, minlength=CELLS + 1)

    def draw(self, batch: "Cells", source: "np.random.Generator") -> "tuple[int, Whole]":
        """The sum of the last batch, and sums of as many values drawn from the bag; 0 where all are alike."""
        import numpy as np  # noqa: PLC0415  heavy

        if (self._counts > 0).sum() == 1:
            return 0, np.zeros(DRAWS, dtype=np.int64)
        return int(batch.sum(dtype=np.int64)), _drawn(self._counts, len(batch), source)


class _Bags:
    """A bag for each stratum, of which there may be millions with a few values each.

    All values that will ever come lie stratum by stratum, in their order: a bag is the first of a stratum's values.
    """

    __slots__ = ("_at", "_end", "_flat", "_put", "_start", "_unlike")

    def __init__(self, cells: "Cells", names: "Names", put: int) -> None:
        import numpy as np  # noqa: PLC0415  heavy

        order = np.argsort(names, kind="stable")
        self._flat = cells[order]
        names = names[order]
        new = np.concatenate([np.ones(min(1, len(names)), np.bool_), names[1:] != names[:-1]])
        # Of numbers that count values, four bytes each are enough for two thousand million of them.
        self._at = np.empty(len(order), dtype=np.int32)
        self._at[order] = np.arange(len(order), dtype=np.int32)
        self._start = np.maximum.accumulate(np.where(new, np.arange(len(order), dtype=np.int32), 0))
        # How many values, up to each, are another than the first of their stratum.
        self._unlike = np.cumsum(self._flat != self._flat[self._start], dtype=np.int32)
        self._put, self._end = put, put

    def put(self, batch: "Cells") -> None:
        """Put the next batch into the bags of its strata."""
        self._put, self._end = self._end, self._end + len(batch)

    def draw(self, batch: "Cells", source: "np.random.Generator") -> "tuple[int, Whole]":
        """The sum of the last batch, and sums of as many values drawn from the bag of each stratum.

        Strata whose values are all alike are left out of both: whatever is drawn, their sum is the same.
        """
        import numpy as np  # noqa: PLC0415  heavy

        at = self._at[self._put : self._end]
        start = self._start[at]
        strata, first, of, counts = np.unique(start, return_index=True, return_inverse=True, return_counts=True)
        last = np.zeros(len(strata), dtype=np.int64)
        np.maximum.at(last, of, at)
        moving = self._unlike[last] > self._unlike[strata]
        own = int(batch[moving[of]].sum(dtype=np.int64))
        chosen = np.flatnonzero(moving)
        chosen = chosen[np.argsort(first[chosen])]
        if len(chosen) >= _MANY and (counts[chosen] == 1).all():
            return own, self._by_place(strata[chosen], last[chosen] + 1 - strata[chosen], source)
        drawn = np.zeros(DRAWS, dtype=np.int64)
        for one in chosen:
            bag = np.bincount(self._flat[strata[one] : last[one] + 1])
            drawn += _drawn(bag, int(counts[one]), source)
        return own, drawn

    def _by_place(self, starts: "Whole", sizes: "Whole", source: "np.random.Generator") -> "Whole":
        """DRAWS sums of one value of each stratum."""
        import numpy as np  # noqa: PLC0415  heavy

        drawn = np.zeros(DRAWS, dtype=np.int64)
        for low in range(0, len(starts), _AT_ONCE):
            start, size = starts[low : low + _AT_ONCE], sizes[low : low + _AT_ONCE]
            places = (source.random((DRAWS, len(start))) * size).astype(np.int32) + start
            drawn += np.take(self._flat, places).sum(axis=1, dtype=np.int32)
        return drawn
