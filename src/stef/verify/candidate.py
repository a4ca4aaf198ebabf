"""An answer on the ladder: the turn, its query as the validator's checks read it, and the question as read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from stef.errors import StefError
from stef.gold.behaviour import gives_query, outcome_of, runnable_sql
from stef.gold.validate.place import Place
from stef.gold.validate.subject import Gold, Subject
from stef.question.read import read_question
from stef.records.asking import AgentReply
from stef.records.case import Case
from stef.records.gold import Outcome
from stef.records.reading import QuestionReading
from stef.records.result import Executed, Failure, FailureKind, Result
from stef.records.turn import Turn
from stef.rules import AppRules


@dataclass(frozen=True)
class Candidate:
    """A turn whose answer is looked at. `place` is its database, or why that cannot be reached.

    `rules` hold the application's own phrases of refusal.
    """

    turn: Turn
    place: Place | StefError
    dialect: str | None = None
    rules: AppRules | None = None

    @cached_property
    def gold(self) -> Gold:
        """The agent's query, read and run as the validator reads and runs a gold."""
        place = self.place if isinstance(self.place, Place) else None
        dialect = self.turn.dialect or self.dialect or (place.dialect if place is not None else None)
        return Gold(0, runnable_sql(AgentReply(self.turn), dialect), dialect, place)

    @cached_property
    def subject(self) -> Subject:
        """What the validator's checks look at."""
        case = Case(
            id=self.turn.id or "", question=self.turn.question, gold_sql=(self.sql,), database=self.turn.database
        )
        place = self.place if isinstance(self.place, Place) else None
        return Subject(case, place, (self.gold,), None if place is not None else str(self.place))

    @cached_property
    def ended(self) -> Outcome:
        """How the turn ended."""
        return outcome_of(AgentReply(self.turn), self.gold.sql, self.rules)

    @property
    def answers(self) -> bool:
        """Whether the turn gave a query as an answer."""
        return bool(self.sql) and gives_query(self.ended)

    @property
    def sql(self) -> str:
        """The query, without fences and comments; empty where there is none."""
        return self.gold.sql

    @cached_property
    def executed(self) -> Executed:
        """What the query gives now, or why it gives nothing."""
        found = self.gold.executed
        return found if found is not None else Failure(FailureKind.DATABASE_DOWN, str(self.place))

    @property
    def result(self) -> Result | None:
        """The rows, where the query gives any."""
        return self.executed if isinstance(self.executed, Result) else None

    @cached_property
    def asked(self) -> QuestionReading:
        """The question as read, by itself: what "and their names?" goes on from says nothing of its answer."""
        return read_question(self.turn.question, now=self.turn.timestamp)

    @property
    def notes(self) -> Mapping[str, str]:
        """What was noted of the question, with its words."""
        return {note.code: note.text for note in self.asked.notes}
