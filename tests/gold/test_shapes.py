"""The answer in the case's shape: what `correct` means."""

from datetime import date
from typing import Any

import pytest
from gold_results_kit import result

from stef.gold.exact import Order
from stef.gold.ranked import Ranked
from stef.gold.shapes import Known, answer, shape_of
from stef.records.case import Case, Shape
from stef.records.gold import Share
from stef.records.result import Cut, Failure, FailureKind, Result


def case(compare_on: str | None = None, **fields: Any) -> Case:
    """A case that is compared on a shape."""
    return Case(id="c", question="?", compare_on=compare_on, **fields)


FILMS = result([(1, "Alien"), (2, "Brazil"), (3, "Cube")], "film_id title")


@pytest.mark.parametrize(
    ("candidate", "correct", "share"),
    [
        (result([(3, 90), (2, 80), (1, 70), (1, 70)], "film_id length"), True, Share(1.0, 1.0)),
        (result([(3,), (2,), (1,)], "x"), True, Share(1.0, 1.0)),
        (result([(1,), (2,), (3,), (4,)], "film_id"), False, Share(0.75, 1.0)),
        (result([(1,)], "FILM_ID"), False, Share(1.0, 1 / 3)),
        (result([], "film_id"), False, Share(None, 0.0)),
        (result([("Alien", 1)], "title n"), False, Share(None, 0.0)),
        (result([("1",), ("2",), ("3",)], "film_id"), False, Share(0.0, 0.0)),
        (Failure(FailureKind.SYNTAX, "no"), False, Share(None, 0.0)),
    ],
)
def test_id_set(candidate: Result | Failure, correct: bool, share: Share) -> None:
    """The ids as a set, other columns free; too loose a filter shows as high recall with low precision."""
    found = answer(FILMS, candidate, case("id_set:film_id"))
    assert (found.shape, found.inferred, found.on) == (Shape.ID_SET, False, "film_id")
    assert (found.correct, found.set) == (correct, share)


def test_ids_are_found_by_origin_before_name() -> None:
    """The column that is the same thing counts, not the one that is called the same."""
    candidate = result([(9, 1), (8, 2), (7, 3)], "film_id id")
    known = Known(origins=("film.film_id", "film.title"), candidate_origins=("store.id", "film.film_id"))
    assert answer(FILMS, candidate, case("id_set:film_id"), known).correct is True
    assert answer(FILMS, candidate, case("id_set:film_id")).correct is False


def test_an_id_that_the_gold_does_not_show_leaves_it_open() -> None:
    """A case that names a column which its gold lacks says nothing of the agent."""
    assert answer(FILMS, FILMS, case("id_set:actor_id")).correct is None


@pytest.mark.parametrize(
    ("reference", "known", "shape"),
    [
        (result([(7,)], "n"), Known(), Shape.SCALAR),
        (result([(7,)], "n"), Known(order=Order()), Shape.SCALAR),
        (result([(7,), (8,)], "n"), Known(order=Order()), Shape.RANKING),
        (result([(7,), (8,)], "film_id"), Known(), Shape.ID_SET),
        (result([(7,), (8,)], "FilmId"), Known(), Shape.ID_SET),
        (result([(7,), (7,)], "film_id"), Known(), Shape.TABLE),
        (result([(7,), (8,)], "paid"), Known(), Shape.TABLE),
        (result([("a", 8), ("b", 9)], "film_id n"), Known(keys=(0,)), Shape.GROUPED),
        (result([("a",), ("b",)], "k"), Known(keys=(0,)), Shape.TABLE),
        (FILMS, Known(), Shape.TABLE),
    ],
)
def test_shapes_are_inferred_of_the_gold(reference: Result, known: Known, shape: Shape) -> None:
    """One cell, an outermost order, one column of distinct ids, grouping keys; else a table."""
    assert shape_of(case(), reference, known)[0::2] == (shape, True)
    assert answer(reference, reference, case(), known).correct is True


@pytest.mark.parametrize("shape", ["scalar", "ranking", "grouped", "table", "id_set"])
def test_gold_against_gold_is_right_in_every_shape(shape: str) -> None:
    """Whatever the case says."""
    for gold in (FILMS, result([(7,)], "n"), result([(date(2024, 1, 1), None)], "d v")):
        assert answer(gold, gold, case(shape)).correct is True


def test_order_counts_in_a_ranking_only() -> None:
    """The same rows turned round are right as groups or as a table."""
    gold, turned = result([("a", 3), ("b", 2)], "k n"), result([("b", 2), ("a", 3)], "x y")
    known = Known(order=Order((1,)), keys=(0,))
    assert answer(gold, turned, case("ranking"), known).correct is False
    assert answer(gold, turned, case(), known).correct is False
    assert answer(gold, turned, case("grouped"), known).correct is True
    assert answer(gold, turned, case("table"), known).correct is True


def test_a_scalar_is_one_value() -> None:
    """Not three of it, not another type, and NULL is not nothing."""
    gold = result([(5,)], "n")
    verdicts = [
        answer(gold, found, case("scalar")).correct
        for found in (
            result([(5.0,)], "m"),
            result([(5,)] * 3, "m"),
            result([("5",)], "m"),
            result([(True,)], "m"),
            result([], "m"),
        )
    ]
    assert verdicts == [True, False, False, False, False]
    assert answer(result([(None,)], "n"), result([], "n"), case("scalar")).correct is False
    assert answer(result([(1.0,)], "n"), result([(True,)], "n"), case("scalar")).correct is False


def test_an_expected_emptiness_has_no_columns() -> None:
    """Where the case expects no rows, none is right, however many columns it has none of."""
    gold = result([], "a")
    assert answer(gold, result([], "a b"), case(expect_empty=True)).correct is True
    assert answer(gold, result([(1, 2)], "a b"), case(expect_empty=True)).correct is False


# name | age: two are 40, two are 30.
PEOPLE = result([("Ann", 40), ("Bob", 40), ("Cid", 30), ("Dan", 30), ("Eve", 20)], "name age")


@pytest.mark.parametrize(
    ("limit", "offset", "names", "right"),
    [
        (1, 0, ["Ann"], True),
        (1, 0, ["Bob"], True),
        (1, 0, ["Cid"], False),
        (3, 0, ["Bob", "Ann", "Dan"], True),
        (3, 0, ["Ann", "Cid", "Dan"], False),
        (3, 0, ["Cid", "Ann", "Bob"], False),
        (3, 0, ["Ann", "Ann", "Cid"], False),
        (2, 1, ["Ann", "Dan"], True),
        (2, 1, ["Dan", "Ann"], False),
        (None, 0, ["Bob", "Ann", "Dan", "Cid", "Eve"], True),
        (None, 0, ["Eve", "Ann", "Bob", "Cid", "Dan"], False),
    ],
)
def test_no_tie_decides(limit: int | None, offset: int, names: list[str], right: bool) -> None:
    """Any answer that the ordered query may give is right, though its sort key is not shown."""
    end = 5 if limit is None else offset + limit
    gold = result([(name,) for name in PEOPLE.columns[0][offset:end]], "name")
    known = Known(order=Order(None), ranked=lambda: Ranked(PEOPLE, 1, limit, offset))
    found = answer(gold, result([(name,) for name in names], "who"), case("ranking"), known)
    assert found.correct is right


def test_ties_are_free_in_any_shape_and_order_of_columns() -> None:
    """As a table the order does not count, and the columns may stand in any order; near numbers are one."""
    whole = result([("a", 0.1 + 0.2, 9), ("b", 0.3, 9), ("c", 1.5, 8)], "k v age")
    gold = result([("a", 0.1 + 0.2)], "k v")
    known = Known(ranked=lambda: Ranked(whole, 2, 1))
    for row in ((0.3, "a"), (0.3, "b"), (0.1 + 0.2, "b")):
        assert answer(gold, result([row], "x y"), case("table"), known).correct is True
    assert answer(gold, result([(1.5, "c")], "x y"), case("table"), known).correct is False
    two = result([("a", 0.1 + 0.2), ("b", 0.3)], "k v")
    known = Known(ranked=lambda: Ranked(whole, 2, 2))
    assert answer(two, result([("b", 0.3), ("a", 0.3)], "k v"), case("table"), known).correct is True
    assert answer(two, result([("b", 0.3), ("c", 1.5)], "k v"), case("table"), known).correct is False


def test_what_was_cut_leaves_it_open() -> None:
    """Unless what is there is wrong already."""
    cut = Result(("film_id",), ([1, 2],), 2, Cut.ROW_LIMIT)
    assert answer(FILMS, cut, case("id_set:film_id")).correct is None
    assert answer(FILMS, Result(("film_id",), ([1, 9],), 2, Cut.ROW_LIMIT), case("id_set:film_id")).correct is False
    assert answer(result([(1,), (2,), (3,)], "n"), cut, case("table")).correct is None
    assert answer(result([(1,)], "n"), cut, case("table")).correct is False


def test_values_without_equality_leave_it_open() -> None:
    """A type that cannot be compared is nobody's wrong answer."""
    odd = result([(object(),)], "n")
    assert answer(odd, odd, case()).correct is None


def test_a_word_that_is_no_shape() -> None:
    """Is an error that the loading of cases prevents."""
    with pytest.raises(ValueError, match="shapeless"):
        answer(FILMS, FILMS, case("shapeless"))
