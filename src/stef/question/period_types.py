"""What the grammar of periods works on: the laid-out question, and the points of time that it names."""

from collections.abc import Sequence
from datetime import datetime

from stef.question.period_calendar import Calendar, Stretch
from stef.records.reading import Word
from stef.records.record import record


@record(frozen=True, slots=True)
class Periodic:
    """A part of dates that comes again: `part` (MONTH, DAY, WEEKDAY, HOUR, QUARTER), `low` to `high` inclusive.

    WEEKDAY: Monday is 1, Sunday 7. "in March" is ("MONTH", 3, 3).
    """

    part: str
    low: int
    high: int


@record(frozen=True, slots=True)
class Page:
    """A question laid out for the grammar: `low` are its words in lower case, `now` is a naive local time."""

    text: str
    words: Sequence[Word]
    low: Sequence[str]
    now: datetime | None
    calendar: Calendar

    def at(self, index: int) -> str:
        """The word at `index` in lower case, empty beyond the ends."""
        return self.low[index] if 0 <= index < len(self.low) else ""

    def gap(self, index: int) -> str:
        """What stands between word `index` and the next one, without spaces."""
        if not 0 <= index < len(self.words) - 1:
            return ""
        return self.text[self.words[index].span[1] : self.words[index + 1].span[0]].strip()


@record(frozen=True, slots=True)
class Point:
    """A stretch of time as named by the words `first` to `last`.

    `stretch` is None where the point only comes again (`periodic`). `bare`: a year with nothing to show that it is
    one, or a month that may be a name. `open_year`: a later point can lend it the year ("March to June 2023").
    `trailing`: it ends now. `edge`: only its `start` or `end` is meant.
    """

    stretch: Stretch | None
    grain: str
    first: int
    last: int
    periodic: tuple[Periodic, ...] = ()
    certain: bool = True
    bare: bool = False
    open_year: bool = False
    trailing: bool = False
    edge: str = ""
