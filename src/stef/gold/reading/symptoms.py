"""What the numbers of a wrong turn show: the first of an ordered list of symptoms that applies."""

from collections.abc import Callable
from typing import TypeAlias

from stef.records.case import Shape
from stef.records.gold import CaseReport, Output, Share, Symptom

Test: TypeAlias = Callable[[CaseReport, Output], bool]


def symptom_of(report: CaseReport) -> Symptom | None:
    """The first symptom of `SYMPTOMS` that a wrong turn shows; None for a right one, and where nothing can be said.

    A query that gave no result has no numbers: it can only show that its tables were never offered.
    """
    if report.correct is not False or report.held_out:
        return None
    if _tables_not_offered(report):
        return Symptom.TABLES_NOT_OFFERED
    output = report.output
    if output is None or report.executable is not True:
        return None
    return next((symptom for symptom, applies in SYMPTOMS if applies(report, output)), None)


def _tables_not_offered(report: CaseReport) -> bool:
    """A table that the gold reads was offered by no call that is known, and the candidate does not read it either."""
    calls = [set(one.missing) for one in (report.retrieval, report.agent_retrieval) if one is not None]
    if not calls or not set.intersection(*calls):
        return False
    return report.components is None or report.components.tables.recall != 1.0


def _missing_information(report: CaseReport, output: Output) -> bool:
    """A column of the reference has no counterpart.

    Where the candidate has a column to spare, that may be the one: it is, where the query shows or computes what was
    asked, and it cannot be told, where other rows alone would make its values others.
    """
    if (found := _ids(report)) is not None:
        # Rows without a single id: the column of ids was not found.
        return found.recall is None or (found.precision is None and _given(output) > 0)
    lacking, spare = _unpaired(output)
    if lacking > spare:
        return True
    return lacking > 0 and _rows(output) == 0 and not _shows_all(report) and not _computes_another(report)


def _given(output: Output) -> int:
    return output.candidate_size[0] if output.candidate_size is not None else 0


def _shows_all(report: CaseReport) -> bool:
    """Everything that the reference shows, the candidate shows."""
    return report.components is not None and report.components.projections.recall == 1.0


def _unpaired(output: Output) -> tuple[int, int]:
    """Columns without a counterpart, of the reference and of the candidate; equal rows lack none, whatever was paired.

    One row or none has too few values to pair by: there each column is taken to have one, as far as their number goes.
    """
    if output.reference_size is None or output.candidate_size is None or output.exact_match is True:
        return 0, 0
    (rows, reference), (others, candidate) = output.reference_size, output.candidate_size
    paired = len(output.pairs) if min(rows, others) > 1 else min(reference, candidate)
    return reference - paired, candidate - paired


def _computes_another(report: CaseReport) -> bool:
    """The two aggregate in different ways, or the answer is one value."""
    if report.answer is not None and report.answer.shape is Shape.SCALAR:
        return True
    aggregations = report.components.aggregations if report.components else Share()
    return any(share is not None and share < 1.0 for share in (aggregations.precision, aggregations.recall))


def _too_many_rows(report: CaseReport, output: Output) -> bool:
    if (found := _ids(report)) is not None:
        return found.recall == 1.0 and found.precision != 1.0
    return _rows(output) > 0


def _too_few_rows(report: CaseReport, output: Output) -> bool:
    if (found := _ids(report)) is not None:
        # No id at all has no precision.
        return found.recall != 1.0 and found.precision in {1.0, None}
    return _rows(output) < 0


def _wrong_values(report: CaseReport, output: Output) -> bool:
    if (found := _ids(report)) is not None:
        return not _whole(found)
    # A column that was computed in another way is not among the cells.
    return not _whole(output.cells) or _unpaired(output)[0] > 0 or _one_row_of_others(output)


def _one_row_of_others(output: Output) -> bool:
    """One row has no order, and too few values to pair by: where as many columns are not equal, a value is wrong."""
    sizes = output.reference_size, output.candidate_size
    return output.exact_match is False and sizes[0] == sizes[1] and _given(output) == 1


def _wrong_order(report: CaseReport, output: Output) -> bool:
    """All cells are right. What is left is the order; beside a column too many, only where the SQL orders otherwise."""
    if not _extra_columns(report, output):
        return True
    ordered = report.answer is not None and report.answer.shape is Shape.RANKING
    several = output.reference_size is not None and output.reference_size[0] > 1
    return ordered and several and report.components is not None and report.components.order_equal is False


def _extra_columns(_: CaseReport, output: Output) -> bool:
    if output.reference_size is None or output.candidate_size is None:
        return False
    return output.candidate_size[1] > output.reference_size[1]


SYMPTOMS: tuple[tuple[Symptom, Test], ...] = (
    (Symptom.MISSING_INFORMATION, _missing_information),
    (Symptom.TOO_MANY_ROWS, _too_many_rows),
    (Symptom.TOO_FEW_ROWS, _too_few_rows),
    (Symptom.WRONG_VALUES, _wrong_values),
    (Symptom.WRONG_ORDER, _wrong_order),
    (Symptom.EXTRA_COLUMNS, _extra_columns),
)
"""After `tables_not_offered`: columns before rows, rows before values, as each makes the next one look wrong too."""


def _ids(report: CaseReport) -> Share | None:
    """Precision and recall of the ids, where the answer is a set of them and the id was found."""
    answer = report.answer
    return answer.set if answer is not None and answer.shape is Shape.ID_SET else None


def _rows(output: Output) -> int:
    """How many rows the candidate has more than the reference."""
    if output.reference_size is None or output.candidate_size is None:
        return 0
    return output.candidate_size[0] - output.reference_size[0]


def _whole(share: Share) -> bool:
    return share.precision == 1.0 and share.recall == 1.0
