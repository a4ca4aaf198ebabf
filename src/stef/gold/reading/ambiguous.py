"""Questions with several acceptable readings: which were taken, and how many of them an agent covers."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from stef.gold.reading.figures import Mean, mean_of
from stef.gold.reading.rows import ReportRow
from stef.records.case import CaseKind
from stef.records.gold import Outcome


@dataclass(frozen=True, slots=True)
class CaseReadings:
    """One question: its readings, how often each was taken (in the case's order), and on how many turns.

    `asked` turns asked back where the case accepts that.
    """

    case_id: str
    taken: tuple[int, ...]
    turns: int
    asked: int = 0

    @property
    def covered(self) -> float:
        """The share of its readings that was taken at least once."""
        return sum(count > 0 for count in self.taken) / len(self.taken)


@dataclass(frozen=True, slots=True)
class Readings:
    """All ambiguous questions of one agent. `first` is how often the first reading was taken, `others` any other,
    `asked` how often the agent rightly asked back, `neither` how often none of these.

    `covered` is the mean share of readings that several turns of one question cover: its n are the questions with
    two turns or more. Two readings that give one result cannot be told apart; the first counts.
    """

    first: int
    others: int
    asked: int
    neither: int
    covered: Mean
    cases: tuple[CaseReadings, ...]


def readings_of(rows: Iterable[ReportRow]) -> Readings | None:
    """What the turns on ambiguous questions show; None without such a question."""
    by_case: defaultdict[str, list[ReportRow]] = defaultdict(list)
    for row in rows:
        if row.kind is CaseKind.AMBIGUOUS and len(row.report.golds) > 1 and not row.report.held_out:
            by_case[row.report.case_id].append(row)
    if not by_case:
        return None
    cases = tuple(_case(case_id, turns) for case_id, turns in by_case.items())
    return Readings(
        first=sum(one.taken[0] for one in cases),
        others=sum(sum(one.taken[1:]) for one in cases),
        asked=sum(one.asked for one in cases),
        neither=sum(one.turns - one.asked - sum(one.taken) for one in cases),
        covered=mean_of(one.covered for one in cases if one.turns > 1),
        cases=cases,
    )


def _case(case_id: str, rows: list[ReportRow]) -> CaseReadings:
    taken = [0] * len(rows[0].report.golds)
    for row in rows:
        index = row.report.gold_index
        if row.report.correct is True and index is not None and row.report.outcome is not Outcome.CLARIFIED:
            taken[index] += 1
    asked = sum(row.report.correct is True and row.report.outcome is Outcome.CLARIFIED for row in rows)
    return CaseReadings(case_id, tuple(taken), len(rows), asked)
