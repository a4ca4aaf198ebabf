"""Columns and cells of two results, and what their codes prove of the rows."""

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from stef.gold.cells import Cells, match_cells
from stef.gold.coding import Coded, Side, alike, code
from stef.gold.columns import Origins, Overlaps, pair_columns
from stef.gold.ties import Ties
from stef.gold.verdicts import Proven
from stef.records.gold import Ceiling, ColumnPair, Share

if TYPE_CHECKING:
    from stef.gold.exact import Table
    from stef.records.case import Tolerance

_UNDEFINED = Share()


@dataclass(frozen=True, slots=True)
class Measured:
    """Columns and cells; `matched` cells are certain, `upper` is set where there may be more."""

    proven: Proven
    pairs: tuple[ColumnPair, ...] = ()
    columns: Share = _UNDEFINED
    cells: Share = _UNDEFINED
    upper: Share | None = None
    key: tuple[int, ...] = ()
    matched: int | None = None
    ceilings: tuple[Ceiling, ...] = ()


def measure(
    sides: "tuple[Table, Table]",
    origins: tuple[Origins | None, Origins | None],
    tolerance: "Tolerance",
    threshold: float,
) -> Measured:
    """Columns and cells of a candidate against a reference; nothing of a reference that was cut."""
    left, right = sides
    if left.cut:
        return Measured(Proven())
    coded = code(left, right)
    overlaps, ties = Overlaps(coded, tolerance, (left.kinds, right.kinds)), Ties(coded)
    pairs = pair_columns(overlaps, ties, origins, threshold)
    cells = match_cells(overlaps, pairs, ties)
    ceilings = (
        (Ceiling.NO_COLUMN_PAIRED, not pairs),
        (Ceiling.NO_USABLE_KEY, cells.no_usable_key),
        (Ceiling.SHELF_TOO_LARGE, cells.upper > cells.matched),
    )
    return Measured(
        Proven() if right.cut else _proven(overlaps, pairs, cells),
        pairs,
        _columns(pairs, coded),
        _cells(cells.matched, len(pairs), coded),
        _cells(cells.upper, len(pairs), coded) if cells.upper > cells.matched else None,
        cells.key,
        cells.matched if pairs else None,
        tuple(ceiling for ceiling, holds in ceilings if holds),
    )


def _proven(overlaps: Overlaps, pairs: tuple[ColumnPair, ...], cells: Cells) -> Proven:
    coded = overlaps.coded
    left, right = coded.reference, coded.candidate
    width, rows = len(left.codes), left.rows
    if len(right.codes) != width or not (width and rows and right.rows):
        return Proven()
    complete = len(pairs) == width and rows == right.rows
    places = [pair.candidate for pair in pairs]  # in the order of the reference's columns
    equal = places if complete and cells.equal_rows == rows else None
    in_place = complete and places == list(range(width))
    known = alike(coded, (equal is not None, cells.same_sets) if in_place else None)
    if known.multisets or (in_place and cells.matched == width * rows):
        return Proven(known, equal, in_place=True)
    differ = rows != right.rows or any(overlaps.differ((place, place)) for place in range(width))
    return Proven(known, equal, in_place=False if differ else None)


def _columns(pairs: tuple[ColumnPair, ...], coded: Coded) -> Share:
    """Σ P / candidate columns, Σ R / reference columns; `fsum`, so that no order of pairs shows."""

    def mean(shares: list[float], side: Side) -> float | None:
        return fsum(shares) / len(side.codes) if side.codes and side.rows else None

    return Share(
        mean([pair.precision or 0.0 for pair in pairs], coded.candidate),
        mean([pair.recall or 0.0 for pair in pairs], coded.reference),
    )


def _cells(matched: int, width: int, coded: Coded) -> Share:
    """Matched cells / (rows x paired columns) of either side."""
    of_candidate, of_reference = coded.candidate.rows * width, coded.reference.rows * width
    return Share(matched / of_candidate if of_candidate else None, matched / of_reference if of_reference else None)
