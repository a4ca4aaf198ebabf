"""Results as a RUN keeps them: what comes back compares as what was written."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.gold.values import NotComparableError, canonical, canonical_value
from stef.records.result import Cut, Failure, FailureKind, Result
from stef.runs.gold.values import executed_from_json, executed_to_json

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.binary(),
    st.decimals(),
    st.dates(),
    st.datetimes(timezones=st.just(UTC)),
    st.datetimes(),
    st.times(),
    st.timedeltas(),
    st.uuids(),
    st.lists(st.integers() | st.text(), max_size=3),
    st.dictionaries(st.text(), st.integers(), max_size=3),
)


def back(result: Result) -> Any:
    """Written and read."""
    import json

    return executed_from_json(json.loads(json.dumps(executed_to_json(result))))


@given(st.lists(VALUES, max_size=6))
def test_every_type_comes_back(values: list[Any]) -> None:
    """With its type: a Decimal stays one, so that it compares as it did."""
    result = Result(("a",), (values,), len(values), Cut.ROW_LIMIT, 0.5)
    found = back(result)
    assert (found.names, found.rows, found.cut, found.seconds) == (("a",), len(values), Cut.ROW_LIMIT, 0.5)
    assert list(map(type, found.columns[0])) == list(map(type, values))
    assert list(canonical(found.columns[0])) == list(canonical(values))


def test_bounds_of_types() -> None:
    """Infinities, NaN, integers of any size, nested lists, texts that are no Unicode."""
    values = [float("inf"), float("nan"), 10**40, [[1, None], ["a"]], "\ud800", Decimal("1E+500"), time(1, 2), -0.0]
    values += [date.min, datetime.max, timedelta(-1, 2, 3), UUID(int=7), b"\x00\xff", True]
    assert list(canonical(back(Result(("a",), (values,), len(values))).columns[0])) == list(canonical(values))


def test_a_type_without_equality_has_none_afterwards() -> None:
    """And a driver's own type that has a text comes back as one that compares by it."""

    class Blob:
        pass

    class Point:
        def __init__(self, x: int) -> None:
            self.x = x

        def __str__(self) -> str:
            return f"({self.x})"

    found = back(Result(("a", "b"), ([Blob()], [Point(1)]), 1))
    with pytest.raises(NotComparableError):
        canonical_value(found.columns[0][0])
    other = back(Result(("b",), ([Point(1)],), 1))
    assert found.columns[1] == other.columns[0]


def test_a_failure_comes_back() -> None:
    """With its kind, its words and the names near."""
    failure = Failure(FailureKind.UNKNOWN_TABLE, "no such table: ordres", ("orders",), 0.25)
    assert executed_from_json(executed_to_json(failure)) == failure
