"""How far an agent's answers depend on the words of a question."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from stef.gold.reading.figures import Mean, mean_of
from stef.gold.reading.rows import ReportRow


@dataclass(frozen=True, slots=True)
class QuestionPhrasings:
    """One question in several phrasings that were decided: the share that is right, and its standard deviation.

    `spread` is √(p(1 − p)): 0 where all phrasings fare alike, 0.5 where half of them are right.
    """

    case_id: str
    phrasings: int
    right: int
    share: float
    spread: float


@dataclass(frozen=True, slots=True)
class Phrasings:
    """All questions with two decided phrasings or more. `share` and `spread` are means over questions."""

    always: int
    sometimes: int
    never: int
    share: Mean
    spread: Mean
    questions: tuple[QuestionPhrasings, ...]


def phrasings_of(rows: Iterable[ReportRow]) -> Phrasings | None:
    """What the phrasings of one agent's questions show; None where no question was put in two ways."""
    by_case: defaultdict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if row.report.correct is not None and not row.report.held_out and not row.sample:
            by_case[row.report.case_id].append(row.report.correct)
    questions = tuple(_question(case_id, right) for case_id, right in by_case.items() if len(right) > 1)
    if not questions:
        return None
    return Phrasings(
        always=sum(one.right == one.phrasings for one in questions),
        sometimes=sum(0 < one.right < one.phrasings for one in questions),
        never=sum(one.right == 0 for one in questions),
        share=mean_of(one.share for one in questions),
        spread=mean_of(one.spread for one in questions),
        questions=questions,
    )


def _question(case_id: str, right: list[bool]) -> QuestionPhrasings:
    share = sum(right) / len(right)
    return QuestionPhrasings(case_id, len(right), sum(right), share, sqrt(share * (1 - share)))
