"""The output family: what a candidate's result holds of the reference's, and how sure that is.

Where a denominator is 0, a number is undefined:

| reference | candidate | columns (P, R) | cells (P, R) |
|---|---|---|---|
| rows | failed | undefined, 0 | undefined, 0 |
| rows | no rows | undefined, as paired | undefined, as paired |
| no rows | rows | as paired, undefined | as paired, undefined |
| no rows | no rows | undefined | undefined |

A column without values has no overlap, so a side without rows leaves its own share of the columns undefined. No paired
column leaves both shares of the cells undefined. A reference that was cut leaves everything undefined but an exact
match that is certainly false; of a candidate that was cut, what is there is measured, and the ceiling says so.
"""

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

from stef.gold.exact import Order, Table, exact_match, table_of
from stef.gold.kinds import Kinds, kinds_of
from stef.gold.values import NotComparableError
from stef.gold.verdicts import Verdicts, verdicts
from stef.records.case import Tolerance
from stef.records.gold import Ceiling, ColumnPair, Output, Share
from stef.records.result import Failure, Result

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

THRESHOLD = 0.5
_PERFECT, _UNDEFINED = Share(1.0, 1.0), Share()
FAULT = "columns and cells are 1.0, while the rows differ in every order of the columns"


def compare_results(  # noqa: PLR0913  two results, what their SQL says of them, and two settings
    reference: Result,
    candidate: Result | Failure,
    *,
    reference_origins: "Sequence[Hashable | None] | None" = None,
    candidate_origins: "Sequence[Hashable | None] | None" = None,
    ordered: bool | Order = False,
    tolerance: Tolerance | None = None,
    threshold: float = THRESHOLD,
) -> Output:
    """The output family of a candidate against a reference that ran.

    Origins are one a column: what it is of the base columns, None where that cannot be proven. `ordered`: the
    reference's outermost query orders (an `Order` says by which columns, so that ties may stand in any order).
    `threshold` is what min(P, R) of a pair by values must reach.
    """
    if isinstance(candidate, Failure):
        return _failed(reference)
    try:
        left, right = table_of(reference), table_of(candidate)
    except NotComparableError:
        return Output(
            ceilings=(*_cuts(reference, candidate), Ceiling.NOT_COMPARABLE),
            reference_size=(reference.rows, len(reference.names)),
            candidate_size=(candidate.rows, len(candidate.names)),
        )
    order = ordered if isinstance(ordered, Order) else Order() if ordered else None
    tolerance = tolerance or Tolerance()
    kinds = kinds_of(left.columns), kinds_of(right.columns)
    found = verdicts(left, right, order, tolerance, [*kinds[0], *kinds[1]])
    measured = _NOTHING
    if not left.cut:
        measured = _measure(left, right, (reference_origins, candidate_origins), (tolerance, threshold, kinds))
    return _output(found, measured, (left, right), tolerance, _cuts(reference, candidate))


def _failed(reference: Result) -> Output:
    """A query that failed has no columns and no rows: it finds nothing, and nothing of it can be right or wrong."""
    return Output(
        exact_match=False,
        exact_match_positional=False,
        bird_ex=False,
        spider_ex=False,
        columns=Share(None, 0.0 if reference.names else None),
        cells=Share(None, 0.0 if reference.names and reference.rows else None),
        matched_cells=0,
        ceilings=(Ceiling.GOLD_CUT,) if reference.cut else (),
        reference_size=(reference.rows, len(reference.names)),
    )


def _cuts(reference: Result, candidate: Result) -> tuple[Ceiling, ...]:
    sides = ((reference, Ceiling.GOLD_CUT), (candidate, Ceiling.CANDIDATE_CUT))
    return tuple(ceiling for side, ceiling in sides if side.cut)


@dataclass(frozen=True, slots=True)
class _Measured:
    """Columns and cells."""

    pairs: tuple[ColumnPair, ...] = ()
    columns: Share = _UNDEFINED
    cells: Share = _UNDEFINED
    upper: Share | None = None
    key: tuple[int, ...] = ()
    matched: int | None = None
    ceilings: tuple[Ceiling, ...] = ()


_NOTHING = _Measured()


def _measure(
    left: Table,
    right: Table,
    origins: "tuple[Sequence[Hashable | None] | None, Sequence[Hashable | None] | None]",
    settings: tuple[Tolerance, float, tuple[list[Kinds], list[Kinds]]],
) -> _Measured:
    """Columns and cells. numpy takes a tenth of a second to import, so it comes with the first comparison."""
    from stef.gold.cells import match_cells  # noqa: PLC0415
    from stef.gold.coding import code  # noqa: PLC0415
    from stef.gold.columns import Overlaps, pair_columns  # noqa: PLC0415
    from stef.gold.ties import Ties  # noqa: PLC0415

    tolerance, threshold, kinds = settings
    coded = code(left, right)
    overlaps, ties = Overlaps(coded, tolerance, kinds), Ties(coded)
    pairs = pair_columns(overlaps, ties, origins, threshold)
    cells = match_cells(overlaps, pairs, ties)
    ceilings = (
        (Ceiling.NO_COLUMN_PAIRED, not pairs),
        (Ceiling.NO_USABLE_KEY, cells.no_usable_key),
        (Ceiling.SHELF_TOO_LARGE, cells.upper > cells.matched),
    )
    return _Measured(
        pairs,
        _columns(pairs, left, right),
        _cells(cells.matched, pairs, left, right),
        _cells(cells.upper, pairs, left, right) if cells.upper > cells.matched else None,
        cells.key,
        cells.matched if pairs else None,
        tuple(ceiling for ceiling, holds in ceilings if holds),
    )


def _columns(pairs: tuple[ColumnPair, ...], left: Table, right: Table) -> Share:
    """Σ P / candidate columns, Σ R / reference columns; `fsum`, so that no order of pairs shows."""
    return Share(
        fsum([pair.precision or 0.0 for pair in pairs]) / len(right.columns) if right.columns and right.rows else None,
        fsum([pair.recall or 0.0 for pair in pairs]) / len(left.columns) if left.columns and left.rows else None,
    )


def _cells(matched: int, pairs: tuple[ColumnPair, ...], left: Table, right: Table) -> Share:
    """Matched cells / (rows x paired columns) of either side."""
    of_candidate, of_reference = right.rows * len(pairs), left.rows * len(pairs)
    return Share(
        matched / of_candidate if of_candidate else None,
        matched / of_reference if of_reference else None,
    )


def _output(
    found: Verdicts, measured: _Measured, sides: tuple[Table, Table], tolerance: Tolerance, cuts: tuple[Ceiling, ...]
) -> Output:
    left, right = sides
    unpaired = bool(found.exact_match and left.rows and len(measured.pairs) < len(left.columns))
    undecided = found.exact_match is None and not cuts
    return Output(
        exact_match=found.exact_match,
        exact_match_positional=found.exact_match_positional,
        bird_ex=found.bird_ex,
        spider_ex=found.spider_ex,
        columns=measured.columns,
        cells=measured.cells,
        cells_upper=measured.upper,
        pairs=measured.pairs,
        key=measured.key,
        matched_cells=measured.matched,
        reference_size=(left.rows, len(left.columns)),
        candidate_size=(right.rows, len(right.columns)),
        ceilings=(
            *cuts,
            *measured.ceilings,
            *((Ceiling.UNPAIRED_BY_GUARD,) if unpaired else ()),
            *((Ceiling.EXACT_MATCH_OPEN,) if undecided else ()),
        ),
        scorer_fault=_fault(found, measured, sides, tolerance),
    )


def _fault(found: Verdicts, measured: _Measured, sides: tuple[Table, Table], tolerance: Tolerance) -> str | None:
    """Exact match as a test of the scorer: perfect columns and cells of rows that differ in any order of columns."""
    if found.exact_match is not False or measured.columns != _PERFECT or measured.cells != _PERFECT:
        return None
    left, right = (Table(("",) * len(side.columns), side.columns, side.rows) for side in sides)
    return FAULT if exact_match(left, right, tolerance=tolerance) is False else None
