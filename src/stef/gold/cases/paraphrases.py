"""Every phrasing of a question as a case of its own."""

from collections.abc import Iterable

from stef.records.case import Case

_MARK = "#p"


def expand_paraphrases(cases: Iterable[Case]) -> tuple[Case, ...]:
    """Each case, followed by one case for each of its paraphrases, called `<id>#p1`, `<id>#p2`, …"""
    return tuple(phrased for case in cases for phrased in (case, *_phrasings(case)))


def paraphrase_id(case_id: str, number: int) -> str:
    """The id of the paraphrase `number` (from 1) of a case."""
    return f"{case_id}{_MARK}{number}"


def base_id(case_id: str) -> str:
    """The id of the case that `case_id` is a paraphrase of; itself where it is none."""
    base, mark, number = case_id.rpartition(_MARK)
    return base if mark and base and number.isdecimal() else case_id


def _phrasings(case: Case) -> Iterable[Case]:
    for number, question in enumerate(case.paraphrases, 1):
        yield case.model_copy(
            update={"id": paraphrase_id(case.id, number), "question": question, "paraphrases": ()},
        )
