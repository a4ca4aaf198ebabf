"""Periods: cases as data, and laws."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.question.periods import PeriodMention, PlainCalendar, find_periods
from stef.question.words import tokenize
from stef.records.expressions import Relative
from stef.records.predicates import Bound

CASES = [
    (kind, *case)
    for group in yaml.safe_load((Path(__file__).parent / "periods.yaml").read_text("utf-8"))
    for kind, cases in group.items()
    for case in cases
]


def _end(bound: Bound | None) -> str:
    if bound is None:
        return ""
    value = bound.value
    if isinstance(value, Relative):
        return f"{value.offset} {value.unit}" + (f"/{value.floor}" if value.floor else "")
    assert isinstance(value, datetime)
    return value.strftime("%Y-%m-%dT%H:%M" if value.hour else "%Y-%m-%d")


def shown(mention: PeriodMention) -> str:
    """A mention in the notation of the cases."""
    if mention.interval:
        what = f"{_end(mention.interval.low)}..{_end(mention.interval.high)}"
    else:
        what = " ".join(f"{one.part} {one.low}-{one.high}" for one in mention.periodic)
    return f"{'' if mention.certain else '?'}{'not ' if mention.negated else ''}{mention.relation.value} {what}"


def read(text: str, now: datetime | None = None, fiscal: int = 1, zone: str = "UTC") -> list[PeriodMention]:
    return list(find_periods(text, tokenize(text), now, PlainCalendar(fiscal, time_zone=zone)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}: {case[1]}")
def test_a_period_phrase_means_its_interval(case: tuple[Any, ...]) -> None:
    _, text, expected, *rest = case
    now = datetime.fromisoformat(rest[0]) if rest and rest[0] else None
    assert [shown(one) for one in read(text, now, rest[1] if len(rest) > 1 else 1)] == expected


def test_a_clock_is_read_in_the_zone_of_the_calendar() -> None:
    now = datetime(2024, 3, 1, 2, 0, tzinfo=UTC)
    assert [shown(one) for one in read("sales today", now, zone="America/New_York")] == ["in 2024-02-29..2024-03-01"]
    assert [shown(one) for one in read("sales today", now, zone="No/Where")] == ["in 2024-03-01..2024-03-02"]


def test_a_week_starts_where_the_calendar_says() -> None:
    text, now = "sales this week", datetime(2024, 3, 15)
    mention = find_periods(text, tokenize(text), now, PlainCalendar(week_start="sunday"))[0]
    assert shown(mention) == "in 2024-03-10..2024-03-17"


def test_the_span_covers_the_relation() -> None:
    mention = read("Which robots stopped in May 2024?")[0]
    assert mention.text == "in May 2024"


@given(st.integers(1700, 2090), st.integers(0, 10))
def test_a_range_of_years_holds_both_of_its_years(first: int, more: int) -> None:
    mention = read(f"ships built between {first} and {first + more}")[0]
    assert mention.interval and mention.interval.low and mention.interval.high
    assert mention.interval.low.value == datetime(first, 1, 1)
    assert mention.interval.high.value == datetime(first + more + 1, 1, 1)


@given(st.datetimes(datetime(1950, 1, 1), datetime(2090, 1, 1)))
def test_last_year_moves_with_the_clock(now: datetime) -> None:
    earlier, later = (
        read("orders last year", now)[0],
        read("orders last year", now.replace(year=now.year + 1, day=1))[0],
    )
    assert earlier.interval and later.interval and earlier.interval.high and later.interval.low
    assert earlier.interval.high.value == later.interval.low.value


@given(st.datetimes(datetime(1900, 1, 1), datetime(2099, 12, 31)))
def test_a_written_day_is_that_day(moment: datetime) -> None:
    day = datetime(moment.year, moment.month, moment.day)
    for written in (f"{day:%Y-%m-%d}", f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%b} {day.year}"):
        mention = read(f"visits on {written}")[0]
        assert mention.interval and mention.interval.low and mention.interval.high
        assert (mention.interval.low.value, mention.interval.high.value) == (day, day + timedelta(days=1))


@given(st.text(alphabet=st.sampled_from("0123456789-/. ²٣'\"QHqhfyFYlast month ago in to of and May年"), max_size=60))
def test_no_text_breaks_the_grammar(text: str) -> None:
    for now in (None, datetime(2024, 2, 29), datetime.min, datetime.max):
        for mention in read(text, now, fiscal=4):
            assert text[slice(*mention.span)] == mention.text
            assert mention.interval is not None or mention.periodic
