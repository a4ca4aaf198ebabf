"""The figures of agreement: counted by hand, and laws."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from stef.stats.agreement import Figure, agreement, labels_to_halve
from stef.stats.bootstrap import Resampling
from stef.stats.cells import Judged, cells_of, merged
from stef.stats.figures import auc, confusion, roc, wrong_in_lowest
from stef.stats.reliability import calibration_error, error_by_chance, reliability
from stef.stats.within import by_question, question_shares

CASES = yaml.safe_load((Path(__file__).parent / "figures.yaml").read_text(encoding="utf-8"))
FEW = Resampling(resamples=100)

grid = st.integers(0, 50).map(lambda step: step / 50)
turn = st.builds(Judged, grid, st.booleans(), st.sampled_from("abcdef"))
turns = st.lists(turn, min_size=1, max_size=60)
both = turns.filter(lambda judged: len({one.correct for one in judged}) == 2)


def judged_of(case: dict[str, Any]) -> list[Judged]:
    pairs = [*case.get("turns", [])]
    for value, correct, times in case.get("repeat", []):
        pairs += [(value, correct)] * times
    return [Judged(value, correct, f"q{number}") for number, (value, correct) in enumerate(pairs)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_figures_are_what_counting_gives(case: dict[str, Any]) -> None:
    """Each figure of a few turns, as counted by hand."""
    figures = agreement(judged_of(case), case.get("threshold", 0.5), FEW).figures
    for name in Figure:
        if name.value in case:
            assert figures[name].value == (None if case[name.value] is None else pytest.approx(case[name.value])), name


@given(both)
def test_auc_is_the_share_of_ordered_pairs(judged: list[Judged]) -> None:
    """Pair by pair, ties half."""
    right, wrong = ([one.value for one in judged if one.correct is kind] for kind in (True, False))
    won = sum((r > w) + 0.5 * (r == w) for r in right for w in wrong)
    assert auc(cells_of(judged)) == pytest.approx(won / (len(right) * len(wrong)))


@given(both, st.sampled_from([lambda p: p**3, lambda p: 2 * p - 1, lambda p: p / (1.5 - p), lambda p: 100 * p]))
def test_auc_is_the_same_under_monotone_maps(judged: list[Judged], monotone: Any) -> None:
    """Only the order counts."""
    mapped = [Judged(monotone(one.value), one.correct, one.question) for one in judged]
    assert auc(cells_of(mapped)) == auc(cells_of(judged))
    assert question_shares(by_question(mapped)) == question_shares(by_question(judged))
    assert wrong_in_lowest(cells_of(mapped)) == wrong_in_lowest(cells_of(judged))


@given(both)
def test_auc_is_the_area_under_the_curve(judged: list[Judged]) -> None:
    """The trapezoids under the ROC curve add up to it, and the curve goes from corner to corner."""
    points = roc(cells_of(judged))
    assert (points[0], points[-1]) == ((0.0, 0.0), (1.0, 1.0))
    area = sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairwise(points))
    assert auc(cells_of(judged)) == pytest.approx(area)


@given(turns)
def test_kappa_of_a_judge_that_says_the_labels_is_one(judged: list[Judged]) -> None:
    """κ of identical is 1, or undefined where there is one class only."""
    same = [Judged(float(one.correct), one.correct, one.question) for one in judged]
    kappa = confusion(cells_of(same), 0.5).kappa
    assert kappa == (1.0 if len({one.correct for one in judged}) == 2 else None)


@given(st.lists(st.integers(0, 10), min_size=1, max_size=20, unique=True))
def test_perfect_calibration_has_no_error(rights: list[int]) -> None:
    """Where each bin's probability is its share right, the calibration error is 0."""
    judged = [Judged(right / 10, number < right, "q") for right in rights for number in range(10)]
    assert calibration_error(cells_of(judged)) == pytest.approx(0.0, abs=1e-9)


@given(
    st.lists(st.builds(Judged, st.sampled_from([0.2, 0.5, 0.9]), st.booleans(), st.just("q")), min_size=30, max_size=90)
)
def test_ties_over_bins_count_as_they_would_on_average(judged: list[Judged]) -> None:
    """The calibration error is about the mean of those of many orders of the ties."""
    source, found = random.Random(3), []
    for _ in range(200):
        source.shuffle(judged)
        ordered = sorted(judged, key=lambda one: one.value)
        parts = [ordered[start : start + 10] for start in range(0, len(ordered), 10)]
        found.append(sum(abs(sum(one.value - one.correct for one in part)) for part in parts) / len(judged))
    assert calibration_error(cells_of(judged)) == pytest.approx(sum(found) / len(found), abs=0.02)


@given(turns)
def test_calibration_error_lies_in_reach(judged: list[Judged]) -> None:
    """In [0, 1], and no less than the gap between the means of all."""
    cells = cells_of(judged)
    error = calibration_error(cells)
    assert error is not None
    gap = abs(sum(one.value - one.correct for one in judged)) / len(judged)
    assert gap - 1e-9 <= error <= 1.0
    assert error_by_chance(cells) is not None


@given(turns)
def test_bins_hold_every_turn_once(judged: list[Judged]) -> None:
    """The reliability curve loses no turn, and its bins ascend."""
    bins = reliability(cells_of(judged))
    assert sum(one.turns for one in bins) == len(judged)
    assert sum(one.right for one in bins) == sum(one.correct for one in judged)
    assert len(bins) <= 10
    for one, other in pairwise(bins):
        assert one.high < other.low


@given(turns, st.integers(1, 20), grid)
@example([Judged(0.7, False, "a")] * 3, 1, 0.7)  # 0.7 * 3 / 3 is a little below 0.7
def test_merging_cells_keeps_counts_and_the_border(judged: list[Judged], most: int, border: float) -> None:
    """Merged cells hold the same turns, and the confusion at the border stays what it was."""
    cells = cells_of(judged)
    coarse, home = merged(cells, most, border)
    assert sum(coarse.right) == sum(cells.right)
    assert sum(coarse.wrong) == sum(cells.wrong)
    assert set(home) == set(cells.values)
    assert confusion(coarse, border) == confusion(cells, border)
    assert list(coarse.values) == sorted(coarse.values)


@given(st.permutations(range(30)), st.integers(0, 5))
def test_the_order_of_turns_is_of_no_account(order: list[int], seed: int) -> None:
    """Figures and intervals are those of the turns, in whatever order they stand."""
    judged = [Judged(number % 7 / 7, number % 3 > 0, f"q{number % 11}") for number in range(30)]
    resampling = Resampling(resamples=100, seed=seed)
    assert agreement([judged[number] for number in order], 0.5, resampling) == agreement(judged, 0.5, resampling)


def test_few_turns_have_no_interval() -> None:
    """Below ten labels a figure stands alone."""
    judged = [Judged(0.1 * number, number > 4, f"q{number}") for number in range(9)]
    assert {one.interval for one in agreement(judged, 0.5, FEW).figures.values()} == {None}
    judged.append(Judged(0.95, True, "q9"))
    assert agreement(judged, 0.5, FEW).figures[Figure.ACCURACY].interval is not None


def test_all_or_none_still_has_an_interval() -> None:
    """20 of 20 is no proof of 100 %: the exact interval reaches below."""
    judged = [Judged(0.9, True, f"q{number}") for number in range(20)]
    found = agreement(judged, 0.5, Resampling(resamples=100, level=0.95)).figures[Figure.ACCURACY]
    assert found.value == 1.0
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.8316, abs=1e-4)  # Clopper-Pearson of 20 of 20
    assert found.interval.high == 1.0


def test_four_times_the_labels_halve_an_interval() -> None:
    """Widths go with 1 / √n."""
    widths = []
    for turns_ in (400, labels_to_halve(400)):
        judged = [Judged((number * 37 % 100) / 100, number * 53 % 100 < 60, f"q{number}") for number in range(turns_)]
        found = agreement(judged).figures[Figure.AUC].interval
        assert found is not None
        widths.append(found.width)
    assert widths[1] == pytest.approx(widths[0] / 2, rel=0.2)
