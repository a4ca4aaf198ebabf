"""Laws of the output family: no order of rows or columns shows, and no matching is better than the one found."""

import random
from collections import Counter
from dataclasses import astuple
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from gold_results_kit import result
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from stef.gold import assignment, cells, numbering
from stef.gold.assignment import best_sum
from stef.gold.conventions import bird_ex, spider_ex
from stef.gold.exact import Order, exact_match, exact_match_positional
from stef.gold.near import near
from stef.gold.numbering import number
from stef.gold.output import compare_results
from stef.gold.values import canonical_value, canonical_with_kinds
from stef.records.case import Tolerance
from stef.records.gold import Ceiling, ColumnPair, Output, Share
from stef.records.result import Result

Rows = list[tuple[Any, ...]]

few = st.one_of(st.integers(0, 3), st.none(), st.sampled_from(["a", "b", "1", 0.5, 0.5000000001, True]))
some = st.one_of(st.integers(0, 30), st.floats(0, 3).map(lambda value: round(value, 1)))


def tables(cell: st.SearchStrategy[Any], width: int, most: int = 7) -> st.SearchStrategy[Rows]:
    """Rows of one width."""
    return st.lists(st.tuples(*[cell] * width), max_size=most)


both = st.sampled_from([few, some]).flatmap(
    lambda cell: st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
        lambda widths: st.tuples(tables(cell, widths[0]), tables(cell, widths[1]), st.just(widths))
    )
)


def shuffled(rows: Rows, names: list[str], rng: random.Random) -> tuple[Result, list[int]]:
    """The same result with rows and columns in another order, and where each column came from."""
    order = rng.sample(range(len(names)), len(names))
    moved = [tuple(row[place] for place in order) for row in rows]
    rng.shuffle(moved)
    return result(moved, [names[place] for place in order]), order


def numbers(output: Output) -> tuple[Any, ...]:
    """What must not depend on any order."""
    return output.columns, output.cells, output.cells_upper, output.matched_cells, set(output.ceilings)


def pairs_by(output: Output, left: list[int], right: list[int]) -> set[tuple[Any, ...]]:
    """The pairs, by where the columns stood before they were shuffled."""
    return {(left[pair.reference], right[pair.candidate], pair.precision, pair.recall) for pair in output.pairs}


@settings(max_examples=400)
@given(both, st.booleans(), st.data())
def test_no_order_shows(tables: tuple[Rows, Rows, tuple[int, int]], named: bool, data: st.DataObject) -> None:
    """Rows and columns of both sides in any order give the same pairs, numbers and ceilings."""
    rows, other, (width, width_other) = tables
    names = [f"a{n}" if named else "v" for n in range(width)]
    names_other = [f"b{n}" if named else "v" for n in range(width_other)]
    rng = data.draw(st.randoms(use_true_random=False))
    before = compare_results(result(rows, names), result(other, names_other))
    left, from_left = shuffled(rows, names, rng)
    right, from_right = shuffled(other, names_other, rng)
    after = compare_results(left, right)
    assert numbers(after) == numbers(before)
    if named:
        assert pairs_by(after, from_left, from_right) == pairs_by(before, list(range(width)), list(range(width_other)))


@given(both, st.data())
def test_no_order_shows_with_origins(tables: tuple[Rows, Rows, tuple[int, int]], data: st.DataObject) -> None:
    """The same where columns have origins, some of them twice."""
    rows, other, (width, width_other) = tables
    draw = st.sampled_from(["t.a", "t.b", None])
    origins = [data.draw(draw) for _ in range(width)], [data.draw(draw) for _ in range(width_other)]
    names = [f"a{n}" for n in range(width)], [f"b{n}" for n in range(width_other)]
    rng = data.draw(st.randoms(use_true_random=False))
    left, from_left = shuffled(rows, names[0], rng)
    right, from_right = shuffled(other, names[1], rng)
    before = compare_results(
        result(rows, names[0]), result(other, names[1]), reference_origins=origins[0], candidate_origins=origins[1]
    )
    after = compare_results(
        left,
        right,
        reference_origins=[origins[0][place] for place in from_left],
        candidate_origins=[origins[1][place] for place in from_right],
    )
    assert numbers(after) == numbers(before)
    assert pairs_by(after, from_left, from_right) == pairs_by(before, list(range(width)), list(range(width_other)))


@given(tables(few, 3, 12), st.data())
def test_a_result_is_perfect_against_itself(rows: Rows, data: st.DataObject) -> None:
    """Gold against gold is 1.0 or undefined, never less: also where columns hold one value, or the same ones."""
    origins = ["t.a", "t.b", data.draw(st.sampled_from(["t.a", "t.c"]))]
    one, order = shuffled(rows, ["a", "b", "c"], data.draw(st.randoms(use_true_random=False)))
    found = compare_results(
        result(rows, ["a", "b", "c"]),
        one,
        reference_origins=origins,
        candidate_origins=[origins[place] for place in order],
    )
    assert found.exact_match is True
    assert {found.columns.precision, found.columns.recall, found.cells.precision, found.cells.recall} <= {1.0, None}
    assert found.scorer_fault is None


@given(st.lists(st.integers(0, 4), min_size=2, max_size=4), st.integers(3, 5), st.randoms(use_true_random=False))
def test_columns_that_only_rows_tell_apart_find_each_other(base: list[int], size: int, rng: random.Random) -> None:
    """All columns hold the same values, as often, and in like company: whole rows decide which is which."""
    rows = [tuple((value + step) % size for value in base) for step in range(size)]
    moved, _ = shuffled(rows, ["v"] * len(base), rng)
    found = compare_results(result(rows), moved)
    assert found.exact_match is True
    assert (found.columns, found.cells) == (Share(1.0, 1.0), Share(1.0, 1.0))


@given(both)
def test_the_scorer_never_contradicts_itself(tables: tuple[Rows, Rows, tuple[int, int]]) -> None:
    """No two results are perfect in columns and cells and yet differ."""
    rows, other, _ = tables
    assert compare_results(result(rows), result(other)).scorer_fault is None


@settings(max_examples=300)
@given(both, st.sampled_from(["a b c d", "d c b a", "x y z w"]), st.booleans(), st.randoms(use_true_random=False))
def test_verdicts_at_once_are_the_same_as_one_by_one(
    tables: tuple[Rows, Rows, tuple[int, int]], names: str, ordered: bool, rng: random.Random
) -> None:
    """What one verdict settles for another is what the other says itself."""
    rows, other, (width, width_other) = tables
    if rng.random() < 0.5:  # else hardly any two results are equal
        moved, _ = shuffled(rows, names.split()[:width], rng)
        candidate = moved if rng.random() < 0.5 else result(rng.sample(rows, len(rows)), names.split()[:width])
    else:
        candidate = result(other, names.split()[:width_other])
    reference = result(rows, ["a", "b", "c", "d"][:width])
    found = compare_results(reference, candidate, ordered=ordered)
    order = Order() if ordered else None
    assert found.exact_match is exact_match(reference, candidate, order=order)
    assert found.exact_match_positional is exact_match_positional(reference, candidate, order=order)
    assert found.bird_ex is bird_ex(reference, candidate)
    assert found.spider_ex is spider_ex(reference, candidate, ordered=ordered)


plain = st.one_of(st.integers(-3, 3), st.floats(-2, 2), st.none(), st.sampled_from([0.0, -0.0, 1.0, 2**60, 2**60 + 1]))
columns = st.lists(st.lists(st.one_of(plain, st.text(max_size=1)), min_size=4, max_size=4), min_size=1, max_size=3)
numeric = st.lists(st.lists(plain, min_size=4, max_size=4), min_size=1, max_size=3)


@settings(max_examples=400)
@given(st.one_of(columns, numeric), st.one_of(columns, numeric))
def test_sorting_numbers_the_same_values_apart(left: list[list[Any]], right: list[list[Any]]) -> None:
    """Large results are numbered in another way than small ones, and alike."""
    found = [[canonical_with_kinds(column) for column in side] for side in (left, right)]
    sides, kinds = ([[one[which] for one in side] for side in found] for which in (0, 1))
    by_dict, size = number(sides, kinds, [4, 4])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbering, "LARGE", 0)
        by_sorting, other_size = number(sides, kinds, [4, 4])
    meets = set(zip(np.concatenate(by_dict).flat, np.concatenate(by_sorting).flat, strict=True))
    assert len({one for one, _ in meets}) == len({other for _, other in meets}) == len(meets) == size <= other_size


# An oracle: the formulas once more, by trying everything.


def same(one: Any, other: Any) -> bool:
    """Equal or near, as cells are."""
    return near(canonical_value(one), canonical_value(other), Tolerance())


def agreeing(left: Rows, right: Rows, columns: list[tuple[int, int]]) -> int:
    """The most cells that agree under any matching of rows."""
    if len(left) > len(right):
        left, right, columns = right, left, [(other, one) for one, other in columns]
    scores = [[sum(same(row[i], found[j]) for i, j in columns) for found in right] for row in left]
    return max(
        sum(scores[row][place] for row, place in enumerate(order))
        for order in permutations(range(len(right)), len(left))
    )


def by_trying(rows: Rows, other: Rows, output: Output) -> int:
    """Matched cells under the pairs and the key that were chosen: equal rows first, then the best on each shelf."""
    columns = [(pair.reference, pair.candidate) for pair in output.pairs]

    def values(row: tuple[Any, ...], side: int, places: tuple[int, ...] | range) -> tuple[Any, ...]:
        return tuple(canonical_value(row[columns[place][side]]) for place in places)

    everything = range(len(columns))
    equal = Counter(values(row, 0, everything) for row in rows) & Counter(values(row, 1, everything) for row in other)
    left, right = (
        without(rows, equal, lambda row: values(row, 0, everything)),
        without(other, equal, lambda row: values(row, 1, everything)),
    )
    total = equal.total() * len(columns)
    for shelf in {values(row, 0, output.key) for row in left}:
        on = [row for row in left if values(row, 0, output.key) == shelf]
        met = [row for row in right if values(row, 1, output.key) == shelf]
        total += agreeing(on, met, columns) if met else 0
    return total


def without(rows: Rows, taken: Counter[Any], key: Any) -> Rows:
    """The rows that are left when some were taken."""
    left, still = [], Counter(taken)
    for row in rows:
        if still[key(row)]:
            still[key(row)] -= 1
        else:
            left.append(row)
    return left


discrete = st.one_of(st.integers(0, 2), st.sampled_from(["a", "b", None]))
similar = st.tuples(tables(discrete, 3, 6), tables(discrete, 3, 6))


@settings(max_examples=500)
@given(similar, st.booleans(), st.data())
def test_no_matching_is_better(sides: tuple[Rows, Rows], as_few: bool, data: st.DataObject) -> None:
    """Trying all matchings of rows on every shelf finds as many cells, and no more; by either way of solving them."""
    rows, other = sides
    other = other + data.draw(st.lists(st.sampled_from(rows), max_size=3)) if rows else other
    origins = ["a", "b", "c"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "FEW", assignment.FEW if as_few else 0)
        found = compare_results(result(rows), result(other), reference_origins=origins, candidate_origins=origins)
    assume(found.key)
    assert found.matched_cells == by_trying(rows, other, found)


@settings(max_examples=300)
@given(similar)
def test_the_key_separates_best(sides: tuple[Rows, Rows]) -> None:
    """No one or two columns tell more of the reference's rows apart; none of a key's columns is idle."""
    rows, other = sides
    origins = ["a", "b", "c"]
    found = compare_results(result(rows), result(other), reference_origins=origins, candidate_origins=origins)
    if not rows or not other:
        assert found.key == ()
        return

    def separates(places: tuple[int, ...]) -> int:
        return len({tuple(canonical_value(row[place]) for place in places) for row in rows})

    keys = [key for size in (1, 2) for key in combinations(range(3), size)]
    most = max(map(separates, keys))
    if 2 * most < len(rows):
        assert found.key == ()
        assert Ceiling.NO_USABLE_KEY in found.ceilings
    else:
        assert separates(found.key) == most
        assert len(found.key) == 1 or all(separates((place,)) < most for place in found.key)


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_the_best_sum_is_the_best(height: int, width: int, data: st.DataObject) -> None:
    """One weight from each row and column at most, by trying all."""
    weights = np.array([[data.draw(st.integers(0, 4)) for _ in range(width)] for _ in range(height)], np.int64)
    flat = weights if height <= width else weights.T
    tried = max(
        sum(int(flat[row, place]) for row, place in enumerate(order))
        for order in permutations(range(flat.shape[1]), len(flat))
    )
    assert best_sum(weights) == tried


@given(st.integers(1, 6), st.data())
def test_equal_rows_first_loses_nothing(width: int, data: st.DataObject) -> None:
    """s(c, r') + s(c', r) ≤ w + s(c', r') whenever c = r, for the similarity that counts equal cells."""
    row = st.tuples(*[st.integers(0, 2)] * width)
    equal, one, other = data.draw(row), data.draw(row), data.draw(row)

    def s(left: tuple[int, ...], right: tuple[int, ...]) -> int:
        return sum(a == b for a, b in zip(left, right, strict=True))

    assert s(equal, other) + s(one, equal) <= width + s(one, other)


crowded = st.lists(st.tuples(*[st.integers(0, 1)] * 6), min_size=6, max_size=12)


@settings(max_examples=200)
@given(crowded, crowded, st.randoms(use_true_random=False))
def test_bounds_hold_the_truth(left: Rows, right: Rows, rng: random.Random) -> None:
    """Of a shelf that is too large, the best matching lies between the bounds, whatever the order of rows."""
    # One shelf of all these rows, and enough others to make its column a key.
    alone: Rows = [(n, 0, 0, 0, 0, 0, 0) for n in range(100, 120)]
    rows, other = [(0, *row) for row in left] + alone, [(0, *row) for row in right] + alone
    origins = [*"kabcdef"]

    def compare(one: Rows, two: Rows) -> Output:
        return compare_results(result(one), result(two), reference_origins=origins, candidate_origins=origins)

    truth = compare(rows, other)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "FEW", 0)
        patch.setattr(assignment, "SHELF", 6)
        patch.setattr(assignment, "TOTAL", 12)
        patch.setattr(cells, "TOTAL", 12)
        found = compare(rows, other)
        assert numbers(compare(rng.sample(rows, len(rows)), rng.sample(other, len(other)))) == numbers(found)
    event(f"bounds apart: {found.cells_upper is not None}")
    assert truth.matched_cells is not None and found.matched_cells is not None
    upper = found.cells_upper or found.cells
    assert found.matched_cells <= truth.matched_cells
    assert (upper.recall or 0) >= (truth.cells.recall or 0)
    assert (Ceiling.SHELF_TOO_LARGE in found.ceilings) is (found.cells_upper is not None)
    if found.cells_upper is None:
        assert found.cells == truth.cells


near_rows = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", "d"]), st.sampled_from([0.3, 1.0, 2.0, 1e6 + 0.5])),
    min_size=1,
    max_size=8,
)


@settings(max_examples=300)
@given(near_rows, st.data())
def test_the_last_digit_of_a_float_costs_nothing(rows: Rows, data: st.DataObject) -> None:
    """Floats that moved by less than the tolerance change no number, beside those of an exact copy."""
    moved = [(one, value * (1 + data.draw(st.sampled_from([0, 1e-9, -1e-9])))) for one, value in rows]
    origins = ["a", "b"]
    found = compare_results(result(rows), result(moved), reference_origins=origins, candidate_origins=origins)
    assert found.exact_match is True
    assert (found.columns, found.cells) == (Share(1.0, 1.0), Share(1.0, 1.0))


def test_pairs_are_records() -> None:
    """A pair can be written down: plain numbers, no arrays."""
    found = compare_results(result([[1, "a"], [2, "b"]], "x y"), result([[1, "a"], [2, "b"]], "x y"))
    assert found.pairs == (ColumnPair(0, 0, "values", 1.0, 1.0), ColumnPair(1, 1, "values", 1.0, 1.0))
    assert all(type(value) in (int, str, float) for pair in found.pairs for value in astuple(pair))
