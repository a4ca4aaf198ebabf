"""When two values of a result are one."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from itertools import combinations
from math import inf, nan
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.gold.near import near
from stef.gold.values import NotComparableError, canonical, canonical_value
from stef.records.case import Tolerance

EAST = timezone(timedelta(hours=2))

# Each line: values that are one, and differ from those of all other lines.
CLASSES = [
    [1, 1.0, Decimal("1.00"), Decimal(1)],
    [True],
    [False],
    [0, 0.0, -0.0, Decimal("-0")],
    [None],
    [""],
    ["None"],
    ["NULL"],
    ["1"],
    ["01"],
    ["a"],
    ["A"],
    ["a "],
    [nan, float("nan"), Decimal("NaN"), Decimal("sNaN")],
    ["nan"],
    [inf, Decimal("Infinity")],
    [-inf],
    [-1],
    [-2],
    [0.1],
    [Decimal("0.1")],  # not the float next to it: only near
    [10**400],
    [date(2024, 1, 1), datetime(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, 2, tzinfo=EAST)],
    [datetime(2024, 1, 1, 2)],
    ["2024-01-01"],
    [datetime(2024, 1, 1, 0, 0, 0, 1)],
    [time(0)],
    [timedelta(0)],
    [timedelta(days=1), timedelta(hours=24)],
    [b"a", bytearray(b"a"), memoryview(b"a")],
    [b""],
    [UUID(int=7), str(UUID(int=7))],
    [[1, 2], (1, 2), [1.0, Decimal(2)]],
    [[2, 1]],
    [[]],
    [[None]],
    [[True, 2]],
    [[nan]],
    [{"a": 1, "b": [2]}, {"b": [2.0], "a": Decimal(1)}],
    [{"a": 1}],
    [{}],
    [{1, 2}, frozenset({2, 1})],
]


def test_values_are_one_within_their_class() -> None:
    """Numbers by value whatever their type, timestamps by instant, containers by what they hold."""
    for values in CLASSES:
        assert len({canonical_value(value) for value in values}) == 1, values


def test_values_differ_between_classes() -> None:
    """True is no 1, NULL is nothing else, text is no number and no date."""
    for one, other in combinations(CLASSES, 2):
        assert canonical_value(one[0]) != canonical_value(other[0]), (one[0], other[0])


@pytest.mark.parametrize("column", [[1, 2], ["a", None], [0.5, 1], [Decimal(1), None], [b"", "x", 1, None, 2.5], []])
def test_plain_columns_are_not_copied(column: list[object]) -> None:
    """What is canonical already comes back as the same list."""
    assert canonical(column) is column


@pytest.mark.parametrize("column", [[1, True], [1.0, nan], [None, Decimal("NaN")], [Decimal("sNaN")], [inf, -inf, nan]])
def test_mixed_columns_are_converted(column: list[object]) -> None:
    """One bool or NaN among numbers is found."""
    assert list(canonical(column)) == list(map(canonical_value, column))
    assert canonical(column) == canonical(list(column))


def test_infinities_that_cancel_stay_numbers() -> None:
    """The quick look for NaN is not misled by an infinity less an infinity."""
    assert list(canonical([inf, -inf])) == [inf, -inf]


def test_an_array_scalar_is_its_number() -> None:
    """Bulk results may bring numpy's scalars and arrays."""
    numpy = pytest.importorskip("numpy")
    assert canonical([numpy.int64(1), numpy.float64(0.5), numpy.bool_(True)]) == canonical([1, 0.5, True])
    assert canonical([numpy.array([1, 2])]) == canonical([[1, 2]])


def test_a_type_without_equality_is_named() -> None:
    """Objects that know nothing but their identity cannot be compared; the error says which type it was."""

    class Blob:
        pass

    with pytest.raises(NotComparableError, match="Blob"):
        canonical([Blob()])


def test_an_unhashable_type_with_a_spelling_is_compared_by_it() -> None:
    """A driver's own type stands for what it prints."""

    class Range:
        def __eq__(self, other: object) -> bool:
            return NotImplemented

        __hash__ = None  # type: ignore[assignment]

        def __str__(self) -> str:
            return "[1,2)"

    assert canonical([Range()]) == canonical([Range()])


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.decimals(),
    st.text(max_size=2),
    st.dates(),
    st.datetimes(),
    st.binary(max_size=2),
    st.timedeltas(),
    st.uuids(),
)
values = st.recursive(scalars, lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=1), some))


@given(st.lists(values, max_size=6))
def test_a_column_equals_itself(column: list[object]) -> None:
    """Whatever it holds; and its canonical values are hashable."""
    assert list(canonical(column)) == list(canonical(list(column)))
    assert len(set(canonical(column))) <= len(column)


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        (0.1 + 0.2, 0.3, True),
        (0.1, Decimal("0.1"), True),
        (1_000_000.0, 1_000_000.5, True),
        (0.001, 0.009, False),
        (1e-12, 2e-12, True),  # the absolute part
        (1_000_001, 1_000_002, False),  # counts and ids are exact
        (Decimal(1_000_001), 1_000_002, False),
        (1_000_001, 1_000_001.5, True),
        (Decimal("33.3333333"), Decimal("33.33333333"), True),
        (inf, 1e308, False),
        (None, 0.0, False),
        ("1.0", 1.0, False),
        (10**400, 1.5, False),
        (canonical_value(True), 1.0, False),
        (canonical_value(nan), 1.0, False),
        (canonical_value([0.1 + 0.2, "a"]), canonical_value([0.3, "a"]), True),
        (canonical_value([0.1]), canonical_value([0.1, 0.2]), False),
    ],
)
def test_what_is_near(left: object, right: object, alike: bool) -> None:
    """Floats, and decimals with a fraction, by a relative 1e-6 or an absolute 1e-9; both ways round."""
    assert near(left, right, Tolerance()) is alike
    assert near(right, left, Tolerance()) is alike
