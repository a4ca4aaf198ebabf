"""The one cause of a turn that is not right: the first that applies of an ordered list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from stef.records.case import Expected
from stef.records.gold import Bucket, CaseReport, Outcome, Share, Symptom, Whose
from stef.records.result import FailureKind
from stef.sql.replies import Says, said_by_constant
from stef.sql.resolve import Resolved
from stef.sql.starts import begins_statement

_FEWEST_SHOWN = 10
"""The lowest LIMIT that caps an answer; below it a LIMIT picks rows."""


@dataclass(frozen=True, slots=True)
class Failing:
    """A turn that is not right, and what its report does not hold: both queries, and the application's row cap.

    `empty_field`: a field or stage that this turn should have is empty on every turn of the agent.
    """

    report: CaseReport
    query: str = ""
    reference: Resolved | None = None
    candidate: Resolved | None = None
    row_cap: int | None = None
    empty_field: bool = False


Test: TypeAlias = Callable[[Failing], bool]


def bucket_of(failing: Failing) -> Bucket | None:
    """The first of `BUCKETS` that applies; None for a turn that is right."""
    if failing.report.correct is True or _is_right_as_far_as_known(failing.report):
        return None
    return next((bucket for bucket, applies in BUCKETS if applies(failing)), Bucket.UNEXPLAINED)


def _is_right_as_far_as_known(report: CaseReport) -> bool:
    """A question without gold that must simply be answered, and was."""
    return report.correct is None and not report.golds and report.executable is True and not report.faults


def _harness_fault(failing: Failing) -> bool:
    return failing.report.scorer_fault is not None or _has(failing, Whose.HARNESS)


def _database_down(failing: Failing) -> bool:
    return _has(failing, Whose.DATABASE)


def _empty_extractor(failing: Failing) -> bool:
    return failing.empty_field


def _agent_crash(failing: Failing) -> bool:
    return failing.report.outcome is Outcome.FAILED


def _broken_gold(failing: Failing) -> bool:
    return failing.report.held_out


def _answered_without_query(failing: Failing) -> bool:
    """Words in place of a query, or a query that reads no data: `SELECT 42`."""
    report = failing.report
    if report.outcome is Outcome.NO_QUERY:
        return True
    if report.outcome is Outcome.SMALL_TALK:
        return report.expected is Expected.ANSWER
    reads = failing.reference is None or bool(failing.reference.tables)
    return report.outcome is Outcome.ANSWERED and reads and said_by_constant(failing.query) is Says.STATES


def _over_refusal(failing: Failing) -> bool:
    return failing.report.outcome is Outcome.DECLINED


def _needless_clarification(failing: Failing) -> bool:
    return failing.report.outcome is Outcome.CLARIFIED


def _missed_refusal(failing: Failing) -> bool:
    return failing.report.expected in {Expected.DECLINE, Expected.UNSUPPORTED}


def _missed_clarification(failing: Failing) -> bool:
    """An answer where only asking back is right."""
    return failing.report.expected is Expected.CLARIFY and failing.report.output is None


def _undecided(failing: Failing) -> bool:
    return failing.report.correct is None


def _tables_not_offered(failing: Failing) -> bool:
    return failing.report.symptom is Symptom.TABLES_NOT_OFFERED


def _does_not_parse(failing: Failing) -> bool:
    """Also a text that is turned away before any database reads it, as it does not even begin as SQL does."""
    kind = FailureKind.SYNTAX if begins_statement(failing.query) else FailureKind.NOT_ONE_QUERY
    return _has(failing, Whose.AGENT, kind)


def _fails_as(*kinds: FailureKind) -> Test:
    return lambda failing: _has(failing, Whose.AGENT, *kinds)


def _display_cap(failing: Failing) -> bool:
    """Rows are missing, all that are there are right, and they are exactly as many as the query or the agent allows."""
    report, output = failing.report, failing.report.output
    if report.symptom is not Symptom.TOO_FEW_ROWS or output is None or output.candidate_size is None:
        return False
    rows = output.candidate_size[0]
    if rows != failing.row_cap and not (rows >= _FEWEST_SHOWN and _limits_at(failing, rows)):
        return False
    return _only_right(output.cells) or (report.answer is not None and _only_right(report.answer.set))


def _only_right(share: Share) -> bool:
    return share.precision == 1.0


def _limits_at(failing: Failing, rows: int) -> bool:
    own = failing.candidate.limit if failing.candidate else None
    asked = failing.reference.limit if failing.reference else None
    return own == rows and own != asked


def _empty_result(failing: Failing) -> bool:
    output = failing.report.output
    return output is not None and output.candidate_size is not None and not output.candidate_size[0]


def _shows(symptom: Symptom) -> Test:
    return lambda failing: failing.report.symptom is symptom


def _has(failing: Failing, whose: Whose, *kinds: str) -> bool:
    return any(fault.whose is whose and (not kinds or fault.kind in kinds) for fault in failing.report.faults)


BUCKETS: tuple[tuple[Bucket, Test], ...] = (
    (Bucket.HARNESS_FAULT, _harness_fault),
    (Bucket.DATABASE_DOWN, _database_down),
    (Bucket.EMPTY_EXTRACTOR, _empty_extractor),
    (Bucket.AGENT_CRASH, _agent_crash),
    (Bucket.BROKEN_GOLD, _broken_gold),
    (Bucket.ANSWERED_WITHOUT_QUERY, _answered_without_query),
    (Bucket.OVER_REFUSAL, _over_refusal),
    (Bucket.NEEDLESS_CLARIFICATION, _needless_clarification),
    (Bucket.MISSED_REFUSAL, _missed_refusal),
    (Bucket.MISSED_CLARIFICATION, _missed_clarification),
    (Bucket.UNDECIDED, _undecided),
    (Bucket.TABLES_NOT_OFFERED, _tables_not_offered),
    (Bucket.DOES_NOT_PARSE, _does_not_parse),
    (Bucket.NOT_ONE_QUERY, _fails_as(FailureKind.NOT_ONE_QUERY)),
    (Bucket.UNKNOWN_TABLE_OR_COLUMN, _fails_as(FailureKind.UNKNOWN_TABLE, FailureKind.UNKNOWN_COLUMN)),
    (Bucket.TIMES_OUT, _fails_as(FailureKind.TIMEOUT)),
    (Bucket.DOES_NOT_RUN, _fails_as(FailureKind.EXECUTION)),
    (Bucket.DISPLAY_CAP, _display_cap),
    (Bucket.EMPTY_RESULT, _empty_result),
    (Bucket.MISSING_COLUMNS, _shows(Symptom.MISSING_INFORMATION)),
    (Bucket.TOO_MANY_ROWS, _shows(Symptom.TOO_MANY_ROWS)),
    (Bucket.TOO_FEW_ROWS, _shows(Symptom.TOO_FEW_ROWS)),
    (Bucket.WRONG_VALUES, _shows(Symptom.WRONG_VALUES)),
    (Bucket.WRONG_ORDER, _shows(Symptom.WRONG_ORDER)),
    (Bucket.EXTRA_COLUMNS, _shows(Symptom.EXTRA_COLUMNS)),
    (Bucket.UNEXPLAINED, lambda _: True),
)
"""What is not the agent's doing first, then whether it should have answered at all, then why its query is wrong."""
