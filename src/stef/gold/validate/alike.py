"""Acceptable golds that this data cannot tell apart."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from stef.gold.exact import exact_match
from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.gold.values import NotComparableError
from stef.records.case import CaseKind, Tolerance
from stef.records.gold import Apart, Coincidence

NAME = "alike"
TITLE = "acceptable golds that cannot be told apart"
NEEDS = Needs.NOTHING


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each pair that is one query, and for each pair that gives one answer though it should not."""
    ambiguous = subject.case.kind is CaseKind.AMBIGUOUS
    for first, second in combinations(subject.golds, 2):
        pair = f"queries {first.index + 1} and {second.index + 1}"
        if _is_one_query(first, second):
            severity = Severity.DOUBTS if ambiguous else Severity.NOTES
            yield Remark(NAME, severity, f"{pair} are the same query", "keep one of them", second.index)
        elif _gives_one_answer(first, second, subject.case.tolerance):
            said = first.place.compared(subject.case, first.sql, second.sql, first.dialect) if first.place else None
            if ambiguous:
                yield _readings(pair, second, said)
            elif said is not None and said.apart is Apart.TOLD_APART:
                yield _by_chance(pair, second, said)


def _readings(pair: str, second: Gold, said: Coincidence | None) -> Remark:
    """Two readings with one answer: which of them an agent took cannot be told."""
    words, way_out = f"{pair} are two readings with one answer on this data: which was taken cannot be told", ""
    if said is None:
        way_out = "test on data where they differ (--perturb K says whether they ever do)"
    elif said.apart is Apart.TOLD_APART:
        way_out = f"test on data where they differ, as on {_where(said)}"
    elif said.apart is Apart.SAME:
        words += f"; {said.looked_at} altered copies do not tell them apart either"
        way_out = "is it one reading, written twice?"
    elif said.why:
        way_out = f"test on data where they differ; no altered copies: {said.why}"
    return Remark(NAME, Severity.DOUBTS, words, way_out, second.index, facts=_facts(said))


def _by_chance(pair: str, second: Gold, said: Coincidence) -> Remark:
    words = f"{pair} give one answer on this data, and different ones on {_where(said)}"
    return Remark(
        NAME, Severity.NOTES, words, "is each of them acceptable for itself?", second.index, facts=_facts(said)
    )


def _where(said: Coincidence) -> str:
    more = f" and {len(said.on) - 1} more" if len(said.on) > 1 else ""
    return f"{said.on[0]}{more}"


def _facts(said: Coincidence | None) -> dict[str, Any]:
    return {} if said is None else {"apart": said.apart.value, "on": list(said.on), "looked_at": said.looked_at}


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
