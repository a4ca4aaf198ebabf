"""Rows that meet on a shelf are matched one to one so that the most cells agree; a row is used once.

A shelf is solved exactly up to `SHELF` pairs of rows (2,500 by 2,500), all shelves of a comparison together up to
`TOTAL`, smallest first; the others are handed back. Which are solved depends on the sizes of shelves only, so the order
of rows cannot change it.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stef.gold.coding import dense
from stef.gold.numbering import Codes

Counts: TypeAlias = NDArray[np.int64]
Sides: TypeAlias = tuple[Codes, Codes]
Similar: TypeAlias = Callable[[Codes, Codes], Counts]  # rows of both sides, in shapes that spread: cells that agree

SHELF = 2_500 * 2_500
TOTAL = 10 * SHELF
FEW = 256  # pairs of rows, up to which no arrays of shelves are made


@dataclass(frozen=True, slots=True)
class Matched:
    """Cells that agree under the best matching of the shelves that were solved, and the rows of those that were not."""

    cells: int
    left: Codes
    right: Codes


@dataclass(frozen=True, slots=True)
class Shelves:
    """The rows of both sides by shelf: `rows[starts[n] : starts[n + 1]]` stand on the nth."""

    left: Codes
    left_starts: Codes
    right: Codes
    right_starts: Codes

    def rows(self, shelf: int) -> tuple[Codes, Codes]:
        """The reference's and the candidate's rows on one shelf."""
        return (
            self.left[self.left_starts[shelf] : self.left_starts[shelf + 1]],
            self.right[self.right_starts[shelf] : self.right_starts[shelf + 1]],
        )

    def sizes(self) -> tuple[Codes, Codes]:
        """How many rows of either side stand on every shelf."""
        left, right = self.left_starts, self.right_starts
        return left[1:] - left[:-1], right[1:] - right[:-1]


def shelve(left: Codes, right: Codes, keys: Sides) -> Shelves:
    """Rows (their numbers) of both sides by their keys; equal keys share a shelf."""
    ranks, number = dense(np.concatenate(keys))
    parts = (ranks[: len(left)], ranks[len(left) :])
    orders = [np.argsort(part, kind="stable") for part in parts]
    starts = [np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(part, minlength=number))]) for part in parts]
    return Shelves(left[orders[0]], starts[0], right[orders[1]], starts[1])


def match(rows: Sides, keys: Sides, similar: Similar, total: int = TOTAL) -> Matched:
    """The most cells that agree: rows of both sides whose keys are equal share a shelf.

    All shelves are solved but those that are too large, together larger than `total`.
    """
    left, right = rows
    if len(left) * len(right) <= FEW:
        return Matched(_match_few(rows, keys, similar), left[:0], right[:0])
    shelves = shelve(left, right, keys)
    many, few = shelves.sizes()
    product = many * few
    alone = (product > 0) & ((many == 1) | (few == 1))
    cells = _alone(shelves, np.flatnonzero(alone), similar)
    rest = np.flatnonzero((product > 0) & ~alone)
    if not len(rest):
        return Matched(cells, rest, rest)
    limit = _limit(product[rest], total)
    for shelf in rest[product[rest] <= limit].tolist():
        left, right = shelves.rows(shelf)
        cells += best_sum(similar(left[:, None], right[None, :]))
    left_open = [shelves.rows(shelf) for shelf in rest[product[rest] > limit].tolist()]
    if not left_open:
        return Matched(cells, rest[:0], rest[:0])
    return Matched(cells, *map(np.concatenate, zip(*left_open, strict=True)))


def _match_few(rows: Sides, keys: Sides, similar: Similar) -> int:
    """The same for a handful of rows, where arrays of shelves cost more than they save."""
    shelves: defaultdict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, shelf in enumerate(keys):
        for place, key in enumerate(shelf.tolist()):
            shelves[key][side].append(place)
    weights = similar(rows[0][:, None], rows[1][None, :])
    table, cells = weights.tolist(), 0
    for left, right in shelves.values():
        if not left or not right:
            continue
        if len(left) == 1 or len(right) == 1:
            cells += max(table[one][other] for one in left for other in right)
        else:
            cells += best_sum(weights[np.ix_(left, right)])
    return cells


def _limit(products: Codes, total: int) -> int:
    """The largest shelf to solve: all of that size and below it fit into the total."""
    sizes, inverse = np.unique(products, return_inverse=True)
    spent = np.cumsum(np.bincount(inverse) * sizes)
    fits = sizes[(sizes <= SHELF) & (spent <= total)]
    return int(fits[-1]) if len(fits) else 0


def _alone(shelves: Shelves, which: Codes, similar: Similar) -> int:
    """Shelves where one side has a single row: it takes the best of the other side's."""
    if not len(which):
        return 0
    many, few = (sizes[which] for sizes in shelves.sizes())
    count = many * few  # one of the two is 1
    shelf = np.repeat(np.arange(len(which)), count)
    step = np.arange(len(shelf)) - np.repeat(np.cumsum(count) - count, count)
    left = shelves.left[shelves.left_starts[which][shelf] + np.where(many[shelf] > 1, step, 0)]
    right = shelves.right[shelves.right_starts[which][shelf] + np.where(few[shelf] > 1, step, 0)]
    best = np.zeros(len(which), np.int64)
    np.maximum.at(best, shelf, similar(left, right))
    return int(best.sum())


def best_sum(weights: Counts) -> int:
    """The greatest sum of weights, one from each row at most and from each column at most (none is negative)."""
    if weights.shape[0] > weights.shape[1]:
        weights = weights.T
    least, most = int(weights.min()), int(weights.max())
    if least == most:
        return least * len(weights)
    if len(weights) == 1:
        return most
    if len(weights) == 2:
        return _best_of_two(weights[0].tolist(), weights[1].tolist())
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    return int(weights[linear_sum_assignment(weights, maximize=True)].sum())


def _best_of_two(one: Sequence[int], other: Sequence[int]) -> int:
    first, second = sorted(range(len(other)), key=other.__getitem__)[-1:-3:-1]
    return max(weight + other[second if place == first else first] for place, weight in enumerate(one))
