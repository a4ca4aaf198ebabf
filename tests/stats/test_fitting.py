"""Monotone maps: what they are nearest to, that they are monotone, and what they do with little."""

import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.records.calibration import Isotonic, Platt
from stef.stats.cells import Judged, cells_of
from stef.stats.fitting import ENOUGH_FOR_ISOTONIC, cross_validated, fit, isotonic, platt
from stef.stats.reliability import calibration_error

grid = st.integers(0, 40).map(lambda step: step / 40)
turns = st.lists(st.builds(Judged, grid, st.booleans(), st.sampled_from("abcdefgh")), min_size=1, max_size=60)


def sample(turns_: int, truth: Callable[[float], float], seed: int = 0) -> list[Judged]:
    """Turns whose probability of being right is `truth` of the judge's value."""
    source = random.Random(seed)
    values = [round(source.random(), 3) for _ in range(turns_)]
    return [Judged(value, source.random() < truth(value), f"q{number}") for number, value in enumerate(values)]


@given(turns, st.lists(grid, min_size=2, max_size=20))
def test_maps_are_monotone_and_give_probabilities(judged: list[Judged], values: list[float]) -> None:
    """A higher value never gets a lower probability, and none is 0 or 1."""
    for map_ in (isotonic(cells_of(judged)), platt(cells_of(judged))):
        mapped = [map_(value) for value in sorted(values)]
        assert all(one <= other for one, other in pairwise(mapped))
        assert all(0.0 < value < 1.0 for value in mapped)


@given(turns)
def test_isotonic_is_the_nearest_monotone_map(judged: list[Judged]) -> None:
    """At its knots it has what the min-max formula of isotonic regression gives, but for 0 and 1."""
    cells = cells_of(judged)
    map_ = isotonic(cells)
    counts = list(zip(cells.right, cells.wrong, strict=True))

    def share(start: int, end: int) -> float:
        right = sum(r for r, _ in counts[start:end])
        return right / (right + sum(w for _, w in counts[start:end]))

    nearest = [
        max(min(share(start, end) for end in range(at + 1, len(counts) + 1)) for start in range(at + 1))
        for at in range(len(counts))
    ]
    margin = 1 / (len(judged) + 2)
    expected = sorted({round(min(max(value, margin), 1 - margin), 9) for value in nearest})
    assert sorted({round(y, 9) for _, y in map_.knots}) == expected


@given(turns)
def test_isotonic_of_a_calibrated_judge_stays(judged: list[Judged]) -> None:
    """Fitting again on what is mapped already changes nothing at the knots' own values."""
    map_ = isotonic(cells_of(judged))
    assert [map_(x) for x, _ in map_.knots] == pytest.approx([y for _, y in map_.knots])


@given(turns)
def test_platt_keeps_the_mean(judged: list[Judged]) -> None:
    """With Platt's targets the mean of the mapped is the smoothed share right, unless the slope was cut to 0."""
    map_ = platt(cells_of(judged))
    right = sum(one.correct for one in judged)
    wrong = len(judged) - right
    aimed = (right * (right + 1) / (right + 2) + wrong / (wrong + 2)) / len(judged)
    assert sum(map_(one.value) for one in judged) / len(judged) == pytest.approx(aimed, abs=1e-4)


def test_platt_finds_slope_and_intercept() -> None:
    """Of a judge that is distorted by a known logistic map, it finds this map."""
    known = Platt(slope=0.5, intercept=-0.7)
    found = platt(cells_of(sample(20_000, known)))
    assert found.slope == pytest.approx(0.5, abs=0.03)
    assert found.intercept == pytest.approx(-0.7, abs=0.05)


def test_platt_of_a_judge_that_ranks_backwards_is_level() -> None:
    """There is no monotone map of it but the share right."""
    found = platt(cells_of(sample(500, lambda value: 1 - value)))
    assert found.slope == 0.0
    assert found(0.1) == found(0.9) == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize(
    "judged",
    [
        [Judged(1.0, True, "a"), Judged(0.0, False, "b")],
        [Judged(0.9, True, "a")] * 20,
        [Judged(0.0, True, "a"), Judged(1.0, False, "b")] * 10,
        [Judged(0.5, True, "a"), Judged(0.5, False, "b")],
    ],
    ids=["apart", "one kind", "backwards", "one value"],
)
def test_extremes_are_fitted(judged: list[Judged]) -> None:
    """Where labels leave no doubt, or no choice, both maps stay finite and within (0, 1)."""
    for map_ in (isotonic(cells_of(judged)), platt(cells_of(judged))):
        assert all(0.0 < map_(value / 10) < 1.0 for value in range(11))


def test_the_number_of_labels_chooses() -> None:
    """Platt's map below the bound, the isotonic one from it on."""
    judged = sample(ENOUGH_FOR_ISOTONIC, lambda value: value)
    assert isinstance(fit(judged), Isotonic)
    assert isinstance(fit(judged[1:]), Platt)


@pytest.mark.parametrize("turns_", [300, 3_000])
def test_calibration_lowers_the_error_on_turns_not_seen(turns_: int) -> None:
    """A judge that is too sure is brought near the truth, and the cross-validation says so."""

    def truth(value: float) -> float:
        return 0.25 + 0.5 * value

    map_ = fit(sample(turns_, truth))
    new = sample(4_000, truth, seed=1)
    before = calibration_error(cells_of(new))
    after = calibration_error(cells_of([Judged(map_(one.value), one.correct, one.question) for one in new]))
    assert before is not None
    assert after is not None
    assert after < before / 2
    checked = cross_validated(sample(turns_, truth), fit)
    assert checked is not None
    assert checked.after < checked.before


def test_cross_validation_holds_questions_together() -> None:
    """Turns of one question are in one fold: of a single question there is nothing to check with."""
    judged = [Judged(number / 40, number % 2 == 0, "the only question") for number in range(40)]
    assert cross_validated(judged, fit) is None
