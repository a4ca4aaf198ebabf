"""How intervals lie to each other."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.alignment.intervals import Relation, numeric, relation, spellings, year_numbers
from stef.records.expressions import Literal, Relative
from stef.records.predicates import Bound, Interval


def at_least(value: object) -> Interval:
    return Interval(low=Bound(value, True))  # type: ignore[arg-type]


def more_than(value: object) -> Interval:
    return Interval(low=Bound(value, False))  # type: ignore[arg-type]


def below(value: object) -> Interval:
    return Interval(high=Bound(value, False))  # type: ignore[arg-type]


def within(low: object, high: object) -> Interval:
    return Interval(Bound(low, True), Bound(high, False))  # type: ignore[arg-type]


YEAR_2024 = within(datetime(2024, 1, 1), datetime(2025, 1, 1))


@pytest.mark.parametrize(
    ("asked", "done", "expected"),
    [
        (at_least(5), at_least(5), Relation.SAME),
        (at_least(5), more_than(5), Relation.STRICTER),
        (more_than(5), at_least(5), Relation.WEAKER),
        (more_than(5), below(5), Relation.OPPOSITE),
        (at_least(5), at_least(9), Relation.STRICTER),
        (within(1, 5), within(3, 9), Relation.OVERLAPPING),
        (within(1, 3), within(5, 9), Relation.APART),
        (within(1, 3), within(3, 9), Relation.APART),
        (YEAR_2024, YEAR_2024, Relation.SAME),
        (YEAR_2024, at_least(datetime(2024, 1, 1)), Relation.WEAKER),
        (at_least(5), at_least(datetime(2024, 1, 1)), None),
        (at_least("b"), at_least("b"), Relation.SAME),
        (at_least("b"), at_least("c"), None),
        (at_least(Relative("month", -1, "month")), at_least(Relative("month", -1, "day")), Relation.STRICTER),
        (at_least(Relative("day", -7, "day")), at_least(Relative("day", -7)), Relation.SAME),
    ],
)
def test_relation(asked: Interval, done: Interval, expected: Relation | None) -> None:
    """How the second lies to the first."""
    assert relation(asked, done) == expected


def test_whole_numbers() -> None:
    """More than 4 is at least 5 where only whole numbers can be."""
    assert relation(more_than(4), at_least(5), integers=True) is Relation.SAME
    assert relation(more_than(4), at_least(5)) is Relation.STRICTER


def test_now_ends_the_past() -> None:
    """The past 7 days end now, whether or not the SQL says so."""
    asked = Interval(Bound(Relative("day", -7, "day"), True), Bound(Relative("day", 0), True))
    assert relation(asked, at_least(Relative("day", -7, "day"))) is Relation.SAME


_ENDS = st.tuples(st.integers(-50, 50), st.integers(-50, 50)).filter(lambda pair: pair[0] < pair[1])


@given(_ENDS, _ENDS)
def test_weaker_and_stricter_are_mirrors(a: tuple[int, int], b: tuple[int, int]) -> None:
    """What is weaker one way is stricter the other way."""
    there, back = relation(within(*a), within(*b)), relation(within(*b), within(*a))
    mirrored = {Relation.WEAKER: Relation.STRICTER, Relation.STRICTER: Relation.WEAKER}
    assert back is mirrored.get(there, there)  # type: ignore[arg-type]


def test_years_as_numbers() -> None:
    """A span of whole years is a span of their numbers, and any other span is not."""
    assert year_numbers(within(datetime(2019, 1, 1), datetime(2021, 1, 1))) == within(2019, 2021)
    assert year_numbers(within(datetime(2019, 3, 1), datetime(2021, 1, 1))) is None


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (datetime(2012, 8, 1), datetime(2012, 9, 1), "201208"),
        (datetime(2012, 8, 24), datetime(2012, 8, 25), "2012/8/24"),
        (datetime(2012, 1, 1), datetime(2013, 1, 1), "2012"),
    ],
)
def test_spellings(low: datetime, high: datetime, text: str) -> None:
    """Texts that databases use for a period."""
    assert text in spellings(within(low, high))


@pytest.mark.parametrize(("value", "expected"), [(3, 3.0), ("3", 3.0), ("3x", None), (True, None), (None, None)])
def test_numeric(value: object, expected: float | None) -> None:
    """Text that spells a number is one; a truth value is none."""
    assert numeric(Literal(value)) == expected  # type: ignore[arg-type]
