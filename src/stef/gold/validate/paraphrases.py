"""A paraphrase that asks for something else than the question: another number, period, value, negation or direction.

The two are read by stef's own rules and compared by what they mean; the gold answers the one or the other.
"""

from collections.abc import Iterator

from stef.alignment.enrichment import check_enrichment
from stef.gold.validate.checks import Needs
from stef.gold.validate.judged import assessed
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Subject
from stef.question.read import read_question
from stef.records.alignment import FilterState

NAME = "paraphrases"
TITLE = "a paraphrase asks for something else"
NEEDS = Needs.NOTHING

_MISSED = (FilterState.ALTERED, FilterState.OPPOSED, FilterState.ABSENT)


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each paraphrase that contradicts the question."""
    question = read_question(subject.case.question) if subject.case.paraphrases else None
    for number, text in enumerate(subject.case.paraphrases, 1):
        told = check_enrichment(question, read_question(text)).contradicted if question is not None else ()
        found = [one for one in told if not _is_in_both(one, subject.case.question, text)]
        if found:
            yield Remark(
                NAME,
                Severity.DOUBTS,
                f"paraphrase {number} ({text!r}) contradicts the question: {'; '.join(found)}{_against(subject, text)}",
                "mend the one that is wrong, or give the paraphrase a case of its own",
                facts={"paraphrase": number, "text": text, "contradicted": found},
            )


def _is_in_both(contradiction: str, question: str, text: str) -> bool:
    """Whether `A → B` pairs two things that both phrasings name: then they were only paired wrongly."""
    asked, _, again = contradiction.casefold().partition(" → ")
    return bool(again) and asked != again and asked in text.casefold() and again in question.casefold()


def _against(subject: Subject, text: str) -> str:
    """What the paraphrase asks for and the first gold does not do, though it does all that the question asks for."""
    if not subject.golds:
        return ""
    asked, again = assessed(subject, subject.golds[0]), assessed(subject, subject.golds[0], text)
    if asked is None or again is None or asked.alignment is None or again.alignment is None:
        return ""
    known = {one.text for one in asked.alignment.filters.required if one.state in _MISSED}
    missed = [one.text for one in again.alignment.filters.required if one.state in _MISSED and one.text not in known]
    return f"; the gold does not do {', '.join(missed)}" if missed and not known else ""
