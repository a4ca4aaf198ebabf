"""A paraphrase that asks for something else than the question: another number, period, value or direction."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.judged import assessed
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.records.alignment import FilterState
from stef.records.assessment import Assessment

NAME = "paraphrases"
TITLE = "a paraphrase contradicts the gold"
NEEDS = Needs.JUDGE

_CONTRADICTS = (FilterState.ALTERED, FilterState.OPPOSED)
_MISSED = (*_CONTRADICTS, FilterState.ABSENT)
_TURNED = ("S202", "S203", "S223", "S310", "S313")
"""Findings that say that the SQL does the opposite: the other end, another k, order turned, a negation."""


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each paraphrase that none of the golds answers, where the question itself has no such quarrel."""
    for number, text in enumerate(subject.case.paraphrases, 1):
        quarrels = [_quarrel(subject, gold, text) for gold in subject.golds]
        if quarrels and all(quarrels):
            yield Remark(
                NAME,
                Severity.DOUBTS,
                f"paraphrase {number} ({text!r}) asks for something else: {'; '.join(quarrels[0])}",
                "mend the paraphrase, or give it a case of its own",
                facts={"paraphrase": number, "text": text},
            )


def _quarrel(subject: Subject, gold: Gold, text: str) -> list[str]:
    asked, again = assessed(subject, gold), assessed(subject, gold, text)
    if asked is None or again is None or asked.alignment is None or again.alignment is None:
        return []
    known = set(_told(asked, _MISSED))
    return [one for one in _told(again, _CONTRADICTS) if one not in known]


def _told(seen: Assessment, states: tuple[FilterState, ...]) -> Iterator[str]:
    required = seen.alignment.filters.required if seen.alignment is not None else ()
    for one in required:
        if one.state in states:
            yield f"{one.text}" + (
                f", where the gold has {one.applied_by}" if one.applied_by else ", which the gold lacks"
            )
    for finding in seen.findings:
        if finding.code in _TURNED:
            yield f"{finding.title}: {finding.detail}"
