"""Exact match: any order of columns and rows that is allowed, and no other."""

import random
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pytest
from gold_results_kit import result
from hypothesis import given, settings
from hypothesis import strategies as st

from stef.gold import permutation
from stef.gold.conventions import bird_ex, spider_ex
from stef.gold.exact import Order, exact_match, exact_match_positional
from stef.gold.near import near
from stef.gold.values import canonical_value
from stef.records.case import Tolerance
from stef.records.result import Cut, Result

Rows = list[tuple[Any, ...]]

cells = st.one_of(st.integers(0, 1), st.none(), st.sampled_from(["a", "1", 0.5, True]))
tables = st.integers(1, 4).flatmap(lambda width: st.lists(st.tuples(*[cells] * width), max_size=6))


def brute(left: Rows, right: Rows) -> bool:
    """All orders of the columns, one after the other; rows as a multiset."""
    if len(left) != len(right):
        return False
    if not left:
        return True
    wanted = sorted(map(spelt, left))
    orders = permutations(range(len(right[0])))
    return any(wanted == sorted(spelt([row[place] for place in order]) for row in right) for order in orders)


def spelt(row: Sequence[Any]) -> str:
    """A row in a form that sorts; the values of these tests are spelt alike where they are equal."""
    return repr([canonical_value(cell) for cell in row])


@given(tables, st.randoms(use_true_random=False))
def test_rows_and_columns_in_another_order_are_equal(rows: Rows, rng: random.Random) -> None:
    """A result equals itself with rows and columns shuffled."""
    width = len(rows[0]) if rows else 1
    order = rng.sample(range(width), width)
    shuffled = [tuple(row[place] for place in order) for row in rows]
    rng.shuffle(shuffled)
    left, right = result(rows, [f"a{n}" for n in range(width)]), result(shuffled, [f"b{n}" for n in range(width)])
    assert exact_match(left, right) is True
    assert exact_match(right, left) is True


@settings(max_examples=400)
@given(tables, st.data())
def test_the_search_agrees_with_trying_all_orders(rows: Rows, data: st.DataObject) -> None:
    """On small results of few values, where most columns share a signature."""
    width = len(rows[0]) if rows else 1
    other = data.draw(st.lists(st.tuples(*[cells] * width), min_size=len(rows), max_size=len(rows)))
    assert exact_match(result(rows), result(other)) is brute(rows, other)


@settings(max_examples=300)
@given(st.lists(st.tuples(*[st.integers(0, 1)] * 4), min_size=4, max_size=6), st.data())
def test_swapped_values_within_columns_agree_with_trying_all_orders(rows: Rows, data: st.DataObject) -> None:
    """Every column keeps its values, but they stand in other rows: only whole rows can tell."""
    columns = [data.draw(st.permutations(column)) for column in zip(*rows, strict=True)]
    other = list(zip(*columns, strict=True))
    assert exact_match(result(rows), result(other)) is brute(rows, other)


floats = st.sampled_from([1.0, 1.0 + 4e-7, 1.0 + 8e-7, 2.0, 1, 2, None])


def brute_near(left: Rows, right: Rows) -> bool:
    """All orders of columns and, of the rows that equality leaves over, all one-to-one matches."""

    def rest(one: Rows, other: Rows) -> Rows:
        left_over = list(other)
        for row in one:
            if row in left_over:
                left_over.remove(row)
        return left_over

    def alike(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        return all(near(a, b, Tolerance()) for a, b in zip(one, other, strict=True))

    for order in permutations(range(len(left[0]))):
        found = [tuple(row[place] for place in order) for row in right]
        one, other = rest(found, left), rest(left, found)
        if any(all(map(alike, one, some)) for some in permutations(other)):
            return True
    return False


@settings(max_examples=400)
@given(
    st.integers(1, 3).flatmap(lambda w: st.tuples(*[st.lists(st.tuples(*[floats] * w), min_size=3, max_size=3)] * 2))
)
def test_near_rows_agree_with_trying_everything(sides: tuple[Rows, Rows]) -> None:
    """Equal rows first, then what is left over by an assignment, in any order of the columns."""
    left, right = sides
    assert exact_match(result(left), result(right)) is brute_near(left, right)


@pytest.mark.parametrize(
    ("reference", "candidate", "equal"),
    [
        ([(1, 4), (2, 3)], [(1, 3), (2, 4)], False),
        ([(1, 4), (2, 3)], [(3, 2), (4, 1)], True),
        ([(5,)], [(5,), (5,), (5,)], False),
        ([(1, 1)], [(2, 2)], False),
        ([(1, 1), (2, 2)], [(3, 3), (4, 4)], False),
        ([(1,), (1,), (2,)], [(1,), (2,), (2,)], False),
        ([(1, 2)], [(1,)], False),
        ([(1, 2)], [(1, 2, 3)], False),
        ([(1, 1)], [(1, 1)], True),
        ([(0.1 + 0.2, "a"), (1.5, "b")], [("b", 1.5), ("a", 0.3)], True),
        ([(1, 0.5), (2, 0.7)], [(1, 0.7), (2, 0.5)], False),
        ([(1.5, None)], [(None, 1.5000001)], True),
        ([(1, 2.0000001)], [(2, 1.0000001)], True),  # a count against a float, both ways
        ([(-1,)], [(-2,)], False),  # Python hashes them alike
    ],
)
def test_rows_decide(reference: Rows, candidate: Rows, equal: bool) -> None:
    """Columns are never compared one by one; multiplicity counts."""
    assert exact_match(result(reference), result(candidate)) is equal


def test_namesakes_must_meet() -> None:
    """The same distinct names on both sides: swapped `lo` and `hi` differ, reordered ones do not."""
    gold = result([(1, 9), (2, 8)], "lo hi")
    assert exact_match(gold, result([(9, 1), (8, 2)], "lo hi")) is False
    assert exact_match(gold, result([(9, 1), (8, 2)], "HI lo")) is True
    assert exact_match(gold, result([(9, 1), (8, 2)], "a b")) is True
    assert exact_match_positional(gold, result([(9, 1), (8, 2)], "hi lo")) is False
    assert exact_match_positional(gold, result([(2, 8), (1, 9)], "a b")) is True


def test_order_counts_where_the_reference_orders() -> None:
    """Rows that tie in the order's columns may change places; without these columns none may."""
    gold = result([(3, "a"), (3, "b"), (1, "c")], "n name")
    tied, turned = result([("b", 3), ("a", 3), ("c", 1)], "x y"), result([("c", 1), ("a", 3), ("b", 3)], "x y")
    assert exact_match(gold, turned) is True
    assert exact_match(gold, turned, order=Order((0,))) is False
    assert exact_match(gold, tied, order=Order((0,))) is True
    assert exact_match(gold, tied, order=Order((0, 1))) is False
    assert exact_match(gold, tied, order=Order(None)) is False


def test_floats_that_are_one_tie() -> None:
    """Sums that differ by rounding only may have been sorted either way."""
    gold = result([("a", 0.3), ("b", 0.1 + 0.2), ("c", 0.5)])
    assert exact_match(gold, result([("b", 0.3), ("a", 0.1 + 0.2), ("c", 0.5)]), order=Order((1,))) is True
    assert exact_match(gold, result([("c", 0.5), ("a", 0.3), ("b", 0.3)]), order=Order((1,))) is False


def test_a_case_can_set_its_tolerance() -> None:
    """Wider, or none at all."""
    gold, found = result([("a", 10.0), ("b", 20.0)]), result([("a", 10.5), ("b", 19.5)])
    assert exact_match(gold, found) is False
    assert exact_match(gold, found, tolerance=Tolerance(relative=0.1)) is True
    none = Tolerance(relative=0, absolute=0)
    assert exact_match(result([(0.1 + 0.2,)]), result([(0.3,)]), tolerance=none) is False


def test_near_rows_are_assigned_not_grouped() -> None:
    """Where several rows are near to one another, a one-to-one match is looked for, whatever their order."""
    step = 8e-7
    chain = [1.0 + step * n for n in range(8)]
    moved = [value + step / 2 for value in chain]
    for seed in range(5):
        rows = [(value, 2.0 - value) for value in moved]
        random.Random(seed).shuffle(rows)
        assert exact_match(result([(value, 2.0 - value) for value in chain]), result(rows)) is True
    assert exact_match(result([(1.0, 1.0)] * 2), result([(1.0, 1.0), (1.0 + 3e-6, 1.0)])) is False


def test_a_cut_result_is_equal_to_nothing_for_certain() -> None:
    """Undefined, unless what is there already differs."""
    gold, cut = result([(1,), (2,)]), Result(("x",), ([1],), 1, Cut.ROW_LIMIT)
    assert exact_match(gold, cut) is None
    assert exact_match(result([(1,)]), cut) is False
    assert exact_match(cut, cut) is None
    assert bird_ex(gold, cut) is None


def test_many_columns_of_one_signature() -> None:
    """Flags in every order: refinement and backtracking find the order, and prove that there is none."""
    rng = random.Random(3)
    rows = [tuple(rng.randint(0, 1) for _ in range(24)) for _ in range(60)]
    rows += [tuple(1 - cell for cell in row) for row in rows]  # every column holds as many of both
    order = rng.sample(range(24), 24)
    found = [tuple(row[place] for place in order) for row in rows]
    rng.shuffle(found)
    assert exact_match(result(rows), result(found)) is True
    columns = [list(column) for column in zip(*found, strict=True)]
    flag = columns[0]
    other = flag.index(1 - flag[0])
    flag[0], flag[other] = flag[other], flag[0]
    assert exact_match(result(rows), result(list(zip(*columns, strict=True)))) is False


def test_one_hot_columns_are_interchangeable() -> None:
    """Thirty columns that any order maps onto each other end at the first one tried."""
    eye = [tuple(int(row == column) for column in range(30)) for row in range(30)]
    rng = random.Random(5)
    order = rng.sample(range(30), 30)
    assert exact_match(result(eye), result([tuple(row[n] for n in order) for row in eye])) is True
    two = [tuple(int(column in {row, 0} and (row or not column)) for column in range(30)) for row in range(30)]
    assert exact_match(result(eye), result(two)) is False


def circulant(size: int, steps: set[int]) -> Rows:
    """Flags of which every row and every column holds as many, in a pattern that turns."""
    return [tuple(int((column - row) % size in steps) for column in range(size)) for row in range(size)]


def test_a_search_that_is_too_long_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two patterns that nothing local tells apart: undefined, never a guess; what can be found is found."""
    monkeypatch.setattr(permutation, "BUDGET", 2_000_000)
    rng = random.Random(1)
    order = rng.sample(range(60), 60)
    same = [tuple(row[place] for place in order) for row in circulant(60, {0, 1, 5})]
    rng.shuffle(same)
    assert exact_match(result(circulant(60, {0, 1, 5})), result(same)) is True
    assert exact_match(result(circulant(60, {0, 1, 5})), result(circulant(60, {0, 1, 7}))) is None


def test_a_thousand_columns_that_are_alike() -> None:
    """Equal columns stand for one another, however many there are."""
    left = [(0,) * 1200 + (1,), (1,) * 1201]
    assert exact_match(result(left), result([(1,) * 1201, (1,) + (0,) * 1200])) is True
    assert exact_match(result(left), result([(1,) * 1201, (1, 1) + (0,) * 1199])) is False


def test_conventions_of_the_benchmarks() -> None:
    """BIRD compares sets of rows in place, Spider multisets in any order of columns, row by row if ordered."""
    gold = result([(1, "a"), (1, "a"), (2, "b")], "n s")
    once, turned = result([(2, "b"), (1, "a")], "n s"), result([("a", 1), ("a", 1), ("b", 2)], "s n")
    assert (bird_ex(gold, once), spider_ex(gold, once, ordered=False)) == (True, False)
    assert (bird_ex(gold, turned), spider_ex(gold, turned, ordered=True)) == (False, True)
    assert spider_ex(gold, result([(2, "b"), (1, "a"), (1, "a")], "n s"), ordered=True) is False
    assert spider_ex(result([(1, 9)], "lo hi"), result([(9, 1)], "lo hi"), ordered=False) is True
    assert bird_ex(result([], "a"), result([], "a b")) is True
    assert bird_ex(result([([1],)]), result([([1],)])) is True


typed = st.one_of(cells, st.floats(), st.decimals(), st.dates(), st.datetimes(), st.lists(st.integers()), st.binary())


@given(st.integers(1, 4).flatmap(lambda width: st.lists(st.tuples(*[typed] * width), max_size=8)), st.booleans())
def test_gold_against_gold(rows: Rows, ordered: bool) -> None:
    """Is right in every convention, whatever the values."""
    gold = result(rows, [f"c{n}" for n in range(len(rows[0]) if rows else 1)])
    order = Order(None) if ordered else None
    again = result(list(rows), gold.names)
    assert exact_match(gold, again, order=order) is True
    assert exact_match_positional(gold, again, order=order) is True
    assert bird_ex(gold, again) is True
    assert spider_ex(gold, again, ordered=ordered) is True
