"""The classes of filter alignment, as the table of the design has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.alignment.classify import classify_filters
from stef.records.alignment import ExtraFilter, FilterAlignment, FilterState, Origin, RequiredFilter

A, L, OPP, N, U = (FilterState(name) for name in ("applied", "altered", "opposed", "absent", "undecided"))
FULL, EXTRAS = FilterAlignment.FULLY_APPLIED, FilterAlignment.FULLY_APPLIED_WITH_EXTRAS
PART, NOT = FilterAlignment.PARTIALLY_APPLIED, FilterAlignment.NOT_APPLIED


def required(*states: FilterState, critical: bool = False) -> tuple[RequiredFilter, ...]:
    return tuple(RequiredFilter("f", Origin.QUESTION, state, critical=critical) for state in states)


@pytest.mark.parametrize(
    ("states", "extras", "expected"),
    [
        ((), 0, FULL),
        ((), 1, EXTRAS),
        ((A,), 0, FULL),
        ((A, A), 2, EXTRAS),
        ((A, N), 0, PART),
        ((A, N), 3, PART),
        ((L,), 0, PART),
        ((L, N), 0, PART),
        ((A, OPP), 1, PART),
        ((N,), 0, NOT),
        ((N, OPP), 2, NOT),
        ((U,), 0, FULL),
        ((U, N), 0, NOT),
        ((U, A), 1, EXTRAS),
    ],
)
def test_table(states: tuple[FilterState, ...], extras: int, expected: FilterAlignment) -> None:
    """Each row of the table."""
    assert classify_filters(required(*states), (ExtraFilter("x"),) * extras) is expected


@pytest.mark.parametrize("state", [L, OPP, N])
def test_critical(state: FilterState) -> None:
    """A critical filter that is not applied makes the whole class `not_applied`."""
    filters = required(A, A) + required(state, critical=True)
    assert classify_filters(filters, ()) is NOT


@given(st.lists(st.sampled_from(FilterState), max_size=6), st.integers(0, 3), st.randoms())
def test_order_says_nothing(states: list[FilterState], extras: int, rng: object) -> None:
    """The class is the same in whatever order the filters stand."""
    shuffled = list(states)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    some = (ExtraFilter("x"),) * extras
    assert classify_filters(required(*states), some) is classify_filters(required(*shuffled), some)


_GRADE = {NOT: 0, PART: 1, EXTRAS: 2, FULL: 3}


@given(st.lists(st.sampled_from([A, L, N]), min_size=1, max_size=5), st.integers(0, 4), st.integers(0, 2))
def test_applying_a_filter_never_lowers_the_class(states: list[FilterState], place: int, extras: int) -> None:
    """Turning one filter into an applied one never makes the class worse."""
    better = [A if at == place else state for at, state in enumerate(states)]
    some = (ExtraFilter("x"),) * extras
    assert _GRADE[classify_filters(required(*better), some)] >= _GRADE[classify_filters(required(*states), some)]
