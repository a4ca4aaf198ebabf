"""The question against the gold: what stef's judge would say if an agent had written it."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.judged import assessed
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Subject
from stef.records.alignment import FilterState, RequiredFilter
from stef.records.assessment import Assessment

NAME = "question"
TITLE = "the SQL does not answer the question"
NEEDS = Needs.JUDGE

NOTE_BELOW, DOUBT_BELOW = 0.5, 0.25
"""Probabilities: the judge's verdict is on the wrong side; it is `incorrect`. Golds are right far more often than the
agents' queries that the judge was made for."""

_MISSED = (FilterState.ABSENT, FilterState.ALTERED, FilterState.OPPOSED)
_MOST = 4


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark where the judge holds every acceptable query for rather wrong."""
    seen = [(gold, one) for gold in subject.golds if (one := assessed(subject, gold)) is not None]
    judged = [(gold, one, one.judgement.p_correct) for gold, one in seen if one.judgement is not None]
    if not judged or len(judged) < len(subject.golds):
        return
    gold, best, p = max(judged, key=lambda one: one[2])
    against = reasons(best)
    if p < DOUBT_BELOW or (p < NOTE_BELOW and against):
        yield Remark(
            NAME,
            Severity.DOUBTS if p < DOUBT_BELOW else Severity.NOTES,
            f"{subject.which(gold)}hardly answers the question (p = {p:.2f} of being right, symbolic judge): "
            f"{'; '.join(against) or 'no single thing speaks against it'}",
            "mend the query or the question; if both are right, say in `hint` what one has to know",
            gold.index,
            facts={"p_correct": round(p, 4)},
        )


def reasons(seen: Assessment) -> list[str]:
    """What speaks against the query, in words."""
    found: list[str] = []
    if seen.alignment is not None:
        filters = seen.alignment.filters
        found += [_missed(one) for one in filters.required if one.state in _MISSED]
        found += [f"unasked filter {one.text}" for one in filters.extras if not one.benign]
    found += [f"{one.title}: {one.detail}" for one in seen.findings]
    return list(dict.fromkeys(found))[:_MOST]


def _missed(one: RequiredFilter) -> str:
    return f"asked for {one.text}, " + (f"done {one.applied_by}" if one.applied_by else "not done")
