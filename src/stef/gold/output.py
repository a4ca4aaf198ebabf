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
from typing import TYPE_CHECKING

from stef.gold.exact import Order, Table, exact_match, table_of
from stef.gold.values import NotComparableError
from stef.gold.verdicts import Verdicts, verdicts
from stef.records.case import Tolerance
from stef.records.gold import Ceiling, Output, Share
from stef.records.result import Failure, Result

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from stef.gold.measure import Measured

THRESHOLD = 0.5
_PERFECT = Share(1.0, 1.0)
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
    # numpy takes a tenth of a second to import, so it comes with the first comparison.
    from stef.gold.measure import measure  # noqa: PLC0415

    cuts = tuple(
        ceiling
        for side, ceiling in ((reference, Ceiling.GOLD_CUT), (candidate, Ceiling.CANDIDATE_CUT))
        if side.cut is not None
    )
    try:
        left, right = table_of(reference), table_of(candidate)
    except NotComparableError:
        return Output(
            ceilings=(*cuts, Ceiling.NOT_COMPARABLE),
            reference_size=(reference.rows, len(reference.names)),
            candidate_size=(candidate.rows, len(candidate.names)),
        )
    order = ordered if isinstance(ordered, Order) else Order() if ordered else None
    tolerance = tolerance or Tolerance()
    measured = measure((left, right), (reference_origins, candidate_origins), tolerance, threshold)
    found = verdicts(left, right, order, tolerance, measured.proven)
    return _output(found, measured, (left, right), tolerance, cuts)


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


def _output(
    found: Verdicts, measured: "Measured", sides: tuple[Table, Table], tolerance: Tolerance, cuts: tuple[Ceiling, ...]
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


def _fault(found: Verdicts, measured: "Measured", sides: tuple[Table, Table], tolerance: Tolerance) -> str | None:
    """Exact match as a test of the scorer: perfect columns and cells of rows that differ in any order of columns."""
    if found.exact_match is not False or measured.columns != _PERFECT or measured.cells != _PERFECT:
        return None
    left, right = (replace(side, names=("",) * len(side.columns)) for side in sides)
    return FAULT if exact_match(left, right, tolerance=tolerance) is False else None
