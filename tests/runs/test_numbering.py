"""Numbers in columns: sums that no order moves."""

from math import fsum

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stef.runs.asked import question_digest
from stef.runs.numbering import Numbers, sums


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 10**5).map(lambda one: one / 10**5)), max_size=60),
    st.randoms(),
)
def test_no_order_moves_a_sum(pairs: list[tuple[int, float]], random: object) -> None:
    """The sum of shares of five digits is that of exact arithmetic, rounded, in whatever order they come."""
    shuffled = pairs.copy()
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    for held in (pairs, shuffled):
        at, values = np.array([one for one, _ in held], dtype=np.int64), np.array([one for _, one in held])
        exact = [fsum(value for one, value in pairs if one == group) for group in range(4)]
        assert sums(at, values, 4).tolist() == exact


def test_things_are_numbered_as_they_come() -> None:
    """The same thing has the same number."""
    numbers = Numbers()
    assert [numbers.of(one) for one in ("b", "a", "b", None)] == [0, 1, 0, 2]
    assert numbers.all() == ["b", "a", None]


def test_the_same_question_has_the_same_digest() -> None:
    """Letter case, white space and the mark at its end do not count; the database does. It is the same on any day."""
    assert question_digest("x", "How  MANY shops?", 8) == question_digest("x", "how many shops", 8)
    assert question_digest("x", "How many shops?", 8) != question_digest("y", "How many shops?", 8)
    assert question_digest(None, None, 8) == question_digest("", "", 8)
    assert question_digest("x", "How many shops?", 8).hex() == "3a1ed2c8332a48f5"
