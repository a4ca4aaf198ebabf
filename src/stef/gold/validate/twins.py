"""Questions that are one, or nearly, and what their golds say."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from stef.alignment.enrichment import check_enrichment
from stef.gold.exact import exact_match
from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.gold.values import NotComparableError
from stef.question.read import read_question

NAME = "twins"
TITLE = "one question, or nearly one, asked twice"
NEEDS = Needs.NOTHING

LEAST_ALIKE = 92.0
"""Of 100: how alike two questions must be, whatever the order of their words, to be nearly one."""

_MOST_COMPARED = 3_000
_WORD = re.compile(r"\w+")
_QUOTED = re.compile(r"\"[^\"]+\"|'[^']+'|\d+(?:[.,]\d+)*")


def of_set(subjects: Sequence[Subject]) -> Iterator[tuple[int, Remark]]:
    """One remark, on the later case, for each pair of cases of one database with one question, or nearly one."""
    by_database: defaultdict[str, list[int]] = defaultdict(list)
    for index, subject in enumerate(subjects):
        by_database[subject.database.casefold()].append(index)
    for places in by_database.values():
        yield from _of_database(subjects, places)


def _of_database(subjects: Sequence[Subject], places: list[int]) -> Iterator[tuple[int, Remark]]:
    for early, late, alike in _near(subjects, places):
        first, second = subjects[early], subjects[late]
        exact = alike >= 100.0
        same = _agree(first, second)
        name = f"{first.case.id} ({first.case.where})" if first.case.where else first.case.id
        how = _how(first, second, alike)
        told = f": {first.case.question!r}" if not exact else ""
        if same is False:
            severity = Severity.FAILS if exact else Severity.DOUBTS
            apart = "their golds disagree" if first.golds and second.golds else "one has no gold"
            words = f"{how} {name}, and {apart}{told}"
            yield (
                late,
                Remark(NAME, severity, words, "one of them is wrong, or the questions must say what is different"),
            )
        else:
            words = f"{how} {name}{'' if same is None else ', with the same answer'}{told}"
            yield late, Remark(NAME, Severity.NOTES, words, "keep one, or make the other a paraphrase of it")


def _how(first: Subject, second: Subject, alike: float) -> str:
    if alike < 100.0:
        return f"is nearly the question of ({alike:.0f} of 100)"
    whole = _folded(first.case.question) == _folded(second.case.question)
    return "is the question of" if whole else "shares a phrasing with"


def _near(subjects: Sequence[Subject], places: list[int]) -> Iterator[tuple[int, int, float]]:
    """Pairs of cases (earlier, later) whose questions are nearly one, and how alike they are; 100: the same words."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415  not for a set of one

    folded = [_folded(subjects[index].case.question) for index in places]
    marks = [frozenset(_QUOTED.findall(subjects[index].case.question)) for index in places]
    first_of: dict[str, int] = {}
    for later in range(len(places)):
        if not folded[later]:
            continue
        phrasings = {folded[later], *map(_folded, subjects[places[later]].case.paraphrases)}
        same = min(first_of.get(phrasing, later) for phrasing in phrasings)
        first_of.update((phrasing, later) for phrasing in phrasings if phrasing not in first_of)
        if same != later:
            yield places[same], places[later], 100.0
            continue
        if len(places) > _MOST_COMPARED:
            continue
        found = process.extractOne(
            folded[later], folded[:later], scorer=fuzz.token_sort_ratio, score_cutoff=LEAST_ALIKE
        )
        if (
            found is not None
            and marks[found[2]] == marks[later]
            and _name_the_same(subjects, places[found[2]], places[later])
        ):
            yield places[found[2]], places[later], min(float(found[1]), 99.0)


def _folded(question: str) -> str:
    return " ".join(_WORD.findall(question.casefold()))


def _name_the_same(subjects: Sequence[Subject], early: int, late: int) -> bool:
    """Whether nothing that the one question names, counts or opposes is something else in the other.

    However alike the words are: other names, numbers, periods or directions are another question.
    """
    one, other = subjects[early].case.question, subjects[late].case.question
    words = [frozenset(_WORD.findall(text.casefold())) for text in (one, other)]
    names = [{word.casefold() for word in _WORD.findall(text)[1:] if word[0].isupper()} for text in (one, other)]
    if not (names[0] <= words[1] and names[1] <= words[0]):
        return False
    return not check_enrichment(read_question(one), read_question(other)).contradicted


def _agree(first: Subject, second: Subject) -> bool | None:
    """Whether some gold of the one is some gold of the other; None where that cannot be told."""
    if not first.golds or not second.golds:
        return None if not first.golds and not second.golds else False
    told = [_same(one, other, first) for one in first.golds for other in second.golds]
    if any(told):
        return True
    return False if all(answer is False for answer in told) else None


def _same(one: Gold, other: Gold, subject: Subject) -> bool | None:
    if one.sql.split() == other.sql.split() or (
        one.reading.spec is not None and one.reading.spec == other.reading.spec
    ):
        return True
    if one.result is None or other.result is None:
        return None
    try:
        return exact_match(one.result, other.result, tolerance=subject.case.tolerance)
    except NotComparableError:
        return None
