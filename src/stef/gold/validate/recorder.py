"""Answers gathered while a set is validated, and written into its files."""

from datetime import date
from pathlib import Path
from typing import Any

from stef.gold.cases.writing import Written, write_field
from stef.gold.recording import answer_to_record
from stef.gold.validate.subject import Subject
from stef.records.case import RecordedAnswer
from stef.records.gold import Doubt
from stef.records.result import Failure

_FIELD = "recorded_answer"


class Recorder:
    """Gathers what is to be recorded, case by case; nothing is written before `write`.

    `kept` are cases whose recorded answer is still the answer, `left_out` those without one that could be recorded and
    why, `moved` those whose recorded answer is replaced and what moved.
    """

    def __init__(self, today: date) -> None:
        self._today = today
        self._writes: list[Written] = []
        self.kept: list[str] = []
        self.left_out: dict[str, str] = {}
        self.moved: dict[str, str] = {}

    def take(self, subject: Subject) -> None:
        """Gather the answer of one case."""
        case = subject.case
        if not case.gold_sql:
            return
        found = self._answer(subject)
        if isinstance(found, str):
            self.left_out[case.id] = found
        elif case.recorded_answer is not None and not _has_moved(subject):
            self.kept.append(case.id)
        else:
            if case.recorded_answer is not None:
                self.moved[case.id] = _what_moved(subject, case.recorded_answer)
            path, _, line = (case.where or "").rpartition(":")
            self._writes.append(Written(Path(path), int(line), case.id, found))

    def write(self) -> dict[str, int]:
        """Write what was gathered; how many answers were written into each file. Raises InputError."""
        return write_field(_FIELD, self._writes)

    def _answer(self, subject: Subject) -> dict[str, Any] | str:
        """What is to be recorded, or why nothing is. Of several golds the first counts, as all are acceptable."""
        if subject.away is not None or not subject.golds:
            return subject.away or "no query"
        executed = subject.golds[0].executed
        if executed is None or isinstance(executed, Failure):
            return "it does not run" if executed is not None else "there is no database"
        if not executed.rows and not subject.case.expect_empty:
            return "it returns no row"
        if not subject.case.where:
            return "it is of no file"
        found = answer_to_record(subject.case, executed, self._today)
        return found if found is not None else "its answer was cut, or cannot be written down"


def _has_moved(subject: Subject) -> bool:
    return any(Doubt.MOVED in state.doubts for state in subject.states)


def _what_moved(subject: Subject, recorded: RecordedAnswer) -> str:
    details = [state.detail.rpartition("; ")[2] for state in subject.states if Doubt.MOVED in state.doubts]
    day = f"{recorded.recorded:%Y-%m-%d}: " if recorded.recorded is not None else ""
    return f"{day}{details[0]}"
