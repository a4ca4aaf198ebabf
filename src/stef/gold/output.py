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

from dataclasses import replace
from math import fsum
from typing import TYPE_CHECKING

from stef.gold.conventions import bird_ex, spider_ex
from stef.gold.exact import Order, Table, exact_match, exact_match_positional, table_of
from stef.gold.values import NotComparableError
from stef.records.case import Tolerance
from stef.records.gold import Ceiling, ColumnPair, Output, Share
from stef.records.result import Failure, Result

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

THRESHOLD = 0.5
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
    order = ordered if isinstance(ordered, Order) else Order() if ordered else None
    ceilings = _cuts(reference, candidate)
    try:
        left, right = table_of(reference), table_of(candidate)
    except NotComparableError:
        return _sized(Output(ceilings=(*ceilings, Ceiling.NOT_COMPARABLE)), reference, candidate)
    tolerance = tolerance or Tolerance()
    matches = (
        _matches_of_cut(reference, candidate, (left, right)) if ceilings else _matches(left, right, order, tolerance)
    )
    if matches.exact_match is None and not ceilings:
        ceilings = (Ceiling.EXACT_MATCH_OPEN,)
    if reference.cut:
        return _sized(replace(matches, ceilings=ceilings), reference, candidate)
    output = _measured(left, right, (reference_origins, candidate_origins), (tolerance, threshold))
    output = replace(
        output,
        exact_match=matches.exact_match,
        exact_match_positional=matches.exact_match_positional,
        bird_ex=matches.bird_ex,
        spider_ex=matches.spider_ex,
        ceilings=(*ceilings, *output.ceilings),
    )
    return _sized(_checked(output, left, right, tolerance), reference, candidate)


def _sized(output: Output, reference: Result, candidate: Result) -> Output:
    left, right = ((side.rows, len(side.names)) for side in (reference, candidate))
    return replace(output, reference_size=left, candidate_size=right)


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


def _matches(left: Table, right: Table, order: Order | None, tolerance: Tolerance) -> Output:
    return Output(
        exact_match=exact_match(left, right, order=order, tolerance=tolerance),
        exact_match_positional=exact_match_positional(left, right, order=order, tolerance=tolerance),
        bird_ex=bird_ex(left, right),
        spider_ex=spider_ex(left, right, ordered=order is not None),
    )


def _matches_of_cut(reference: Result, candidate: Result, tables: tuple[Table, Table]) -> Output:
    """Equality is open where rows are missing; but what is wider, or surely longer, or holds a foreign row, differs."""
    wider = len(reference.names) != len(candidate.names)
    longer = (not candidate.cut and candidate.rows <= reference.rows) or (
        not reference.cut and reference.rows <= candidate.rows
    )
    left, right = (set(zip(*table.columns, strict=True)) for table in tables)
    foreign = (not candidate.cut and not left <= right) or (not reference.cut and not right <= left)
    verdict = False if wider or longer else None
    return Output(
        exact_match=verdict,
        exact_match_positional=verdict,
        bird_ex=False if wider or foreign else None,  # sets of rows can be equal at any length
        spider_ex=verdict,
    )


def _measured(
    left: Table,
    right: Table,
    origins: "tuple[Sequence[Hashable | None] | None, Sequence[Hashable | None] | None]",
    settings: tuple[Tolerance, float],
) -> Output:
    """Columns and cells. numpy takes a tenth of a second to import, so it comes with the first comparison."""
    from stef.gold.cells import match_cells  # noqa: PLC0415
    from stef.gold.coding import code  # noqa: PLC0415
    from stef.gold.columns import Overlaps, pair_columns  # noqa: PLC0415
    from stef.gold.ties import Ties  # noqa: PLC0415

    tolerance, threshold = settings
    coded = code(left, right)
    overlaps, ties = Overlaps(coded, tolerance), Ties(coded)
    pairs = pair_columns(overlaps, ties, origins, threshold)
    cells = match_cells(overlaps, pairs, ties)
    ceilings = (
        (Ceiling.NO_COLUMN_PAIRED, not pairs),
        (Ceiling.NO_USABLE_KEY, cells.no_usable_key),
        (Ceiling.SHELF_TOO_LARGE, cells.upper > cells.matched),
    )
    return Output(
        columns=_columns(pairs, left, right),
        cells=_cells(cells.matched, pairs, left, right),
        cells_upper=_cells(cells.upper, pairs, left, right) if cells.upper > cells.matched else None,
        pairs=pairs,
        key=cells.key,
        matched_cells=cells.matched if pairs else None,
        ceilings=tuple(ceiling for ceiling, holds in ceilings if holds),
    )


def _columns(pairs: tuple[ColumnPair, ...], left: Table, right: Table) -> Share:
    """Σ P / candidate columns, Σ R / reference columns; `fsum`, so that no order of pairs shows."""
    return Share(
        fsum(pair.precision or 0.0 for pair in pairs) / len(right.columns) if right.columns and right.rows else None,
        fsum(pair.recall or 0.0 for pair in pairs) / len(left.columns) if left.columns and left.rows else None,
    )


def _cells(matched: int, pairs: tuple[ColumnPair, ...], left: Table, right: Table) -> Share:
    """Matched cells / (rows x paired columns) of either side."""
    of_candidate, of_reference = right.rows * len(pairs), left.rows * len(pairs)
    return Share(
        matched / of_candidate if of_candidate else None,
        matched / of_reference if of_reference else None,
    )


def _checked(output: Output, left: Table, right: Table, tolerance: Tolerance) -> Output:
    """Exact match against the rest of the family, as a test of the scorer."""
    if output.exact_match and left.rows and len(output.pairs) < len(left.columns):
        return replace(output, ceilings=(*output.ceilings, Ceiling.UNPAIRED_BY_GUARD))
    perfect = Share(1.0, 1.0)
    if output.exact_match is not False or output.columns != perfect or output.cells != perfect:
        return output
    one, other = (Table(("",) * len(side.columns), side.columns, side.rows) for side in (left, right))
    if exact_match(one, other, tolerance=tolerance) is False:
        return replace(output, scorer_fault=FAULT)
    return output
