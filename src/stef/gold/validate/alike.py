"""Acceptable golds that this data cannot tell apart."""

from collections.abc import Iterator
from itertools import combinations

from stef.gold.exact import exact_match
from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.gold.values import NotComparableError
from stef.records.case import CaseKind, Tolerance

NAME = "alike"
TITLE = "acceptable golds that cannot be told apart"
NEEDS = Needs.NOTHING


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each pair that is one query, and, of readings, for each pair that gives one answer."""
    for first, second in combinations(subject.golds, 2):
        pair = f"queries {first.index + 1} and {second.index + 1}"
        if _is_one_query(first, second):
            severity = Severity.DOUBTS if subject.case.kind is CaseKind.AMBIGUOUS else Severity.NOTES
            yield Remark(NAME, severity, f"{pair} are the same query", "keep one of them", second.index)
        elif subject.case.kind is CaseKind.AMBIGUOUS and _gives_one_answer(first, second, subject.case.tolerance):
            yield Remark(
                NAME,
                Severity.DOUBTS,
                f"{pair} are different readings, and give one answer on this data: which was taken cannot be told",
                "test on data where they differ (--perturb says whether they ever do)",
                second.index,
            )


def _is_one_query(first: Gold, second: Gold) -> bool:
    if first.sql.split() == second.sql.split():
        return True
    one, other = first.reading.spec, second.reading.spec
    # Projections may stand under other names, which are spelling.
    return one is not None and one == other


def _gives_one_answer(first: Gold, second: Gold, tolerance: Tolerance) -> bool:
    if first.result is None or second.result is None or not first.result.rows:
        return False
    try:
        return exact_match(first.result, second.result, tolerance=tolerance) is True
    except NotComparableError:
        return False
