"""The mean of paired differences: the estimate, its interval, its test, and what small or odd samples give."""

import math
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.stats.mcnemar import mid_p
from stef.stats.multiple import holm
from stef.stats.paired import Drawing, paired_difference
from stef.stats.permutation import sign_flip
from stef.stats.power import detectable, needed
from stef.stats.stratified import Stratum, stratified
from stef.stats.studentised import resampled, studentised

QUICK = Drawing(resamples=500, flips=500)


def test_every_pair_counts_once() -> None:
    """The estimate is the mean over pairs, however they fall into clusters; wins and losses are those of pairs."""
    found = paired_difference([("a", 10.0), ("a", 20.0), ("b", -30.0), ("c", 0.0)], QUICK)
    assert found.mean == pytest.approx(0.0)
    assert (found.pairs, found.clusters, found.discordant) == (4, 3, 2)
    assert (found.wins, found.ties, found.losses) == (2, 1, 1)


def test_nothing_to_compare_has_no_number() -> None:
    """Without pairs there is no mean, no interval and no p: never 0."""
    found = paired_difference([], QUICK)
    assert (found.mean, found.interval, found.p, found.error) == (None, None, None, None)
    assert found.sign(0.05) == 0


def test_sides_that_are_alike() -> None:
    """Where no pair differs, the difference is 0, p is 1, and there is no interval of a variance that is not there."""
    found = paired_difference([(name, 0.0) for name in range(50)], QUICK)
    assert (found.mean, found.interval, found.p, found.discordant) == (0.0, None, 1.0, 0)
    assert found.small


def test_a_float_error_is_no_difference() -> None:
    """0.1 + 0.2 − 0.3 is a tie."""
    assert paired_difference([(1, 0.1 + 0.2 - 0.3), (2, 5.0)], QUICK).ties == 1


def test_one_cluster_has_no_interval() -> None:
    """One question says nothing of others, however often it was asked."""
    found = paired_difference([("a", 5.0)] * 40, QUICK)
    assert (found.interval, found.error, found.p) == (None, None, 1.0)


def test_phrasings_of_one_question_do_not_count_as_questions() -> None:
    """Ten copies of each pair in its cluster give the same mean and the same interval, not one √10 narrower."""
    source = random.Random(1)
    single = [(number, source.choice([-20.0, 0.0, 0.0, 10.0, 40.0])) for number in range(120)]
    one, ten = paired_difference(single, QUICK), paired_difference(single * 10, QUICK)
    assert ten.mean == pytest.approx(one.mean)
    assert ten.error == pytest.approx(one.error)
    assert one.interval is not None
    assert ten.interval is not None
    assert ten.interval.low == pytest.approx(one.interval.low, abs=1.0)
    assert ten.p == one.p


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from([-64.0, -8.0, 0.0, 8.0, 16.0])), max_size=80), st.randoms()
)
def test_order_changes_nothing(pairs: list[tuple[int, float]], source: random.Random) -> None:
    """The same pairs in another order give the same to the last digit."""
    other = source.sample(pairs, len(pairs))
    assert paired_difference(pairs, QUICK) == paired_difference(other, QUICK)


@given(st.lists(st.tuples(st.integers(0, 30), st.sampled_from([-64.0, -8.0, 0.0, 8.0, 16.0])), min_size=1, max_size=80))
def test_swapping_sides_turns_the_sign(pairs: list[tuple[int, float]]) -> None:
    """A against B is B against A with the sign turned; p and error are the same."""
    one = paired_difference(pairs, QUICK)
    other = paired_difference([(cluster, -difference) for cluster, difference in pairs], QUICK)
    assert other.mean == pytest.approx(-(one.mean or 0.0))
    assert (other.wins, other.losses) == (one.losses, one.wins)
    assert other.p == pytest.approx(one.p, abs=0.05)
    assert other.error == (None if one.error is None else pytest.approx(one.error))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_sign_flips_are_all_looked_at(values: list[int]) -> None:
    """Up to 16 clusters that differ, p is the share of all combinations of signs that are as extreme."""
    sums = np.array(values, dtype=float)
    held = [value for value in values if value]
    totals = [
        abs(sum(sign * value for sign, value in zip(signs, held, strict=True)))
        for signs in product((-1, 1), repeat=len(held))
    ]
    expected = sum(total >= abs(sum(held)) for total in totals) / len(totals)
    assert sign_flip(sums) == pytest.approx(expected)


def test_random_flips_agree_with_the_binomial() -> None:
    """Where all differences are of one size, the test of signs is the binomial one."""
    sums = np.array([1.0] * 70 + [-1.0] * 40)
    exact = 2 * sum(math.comb(110, k) for k in range(41)) / 2**110
    assert sign_flip(sums, flips=40_000) == pytest.approx(exact, abs=0.002)


def test_many_distinct_differences_are_normal() -> None:
    """Above 2,000 distinct differences p comes from the normal distribution, and agrees with flips."""
    values = np.random.default_rng(3).normal(1.0, 25.0, size=2_500)
    rounded = np.round(values, 1)
    assert sign_flip(values) == pytest.approx(sign_flip(rounded, flips=20_000), abs=0.01)


def test_both_ways_of_drawing_agree() -> None:
    """Counts of equal clusters and clusters drawn by number give resamples of the same mean and the same spread."""
    source = np.random.default_rng(5)
    sums, sizes = source.choice([-20.0, 0.0, 10.0], size=2_000), source.integers(1, 4, size=2_000).astype(float)
    by_cell, _ = resampled(sums, sizes, 4_000, 0)
    one_by_one, _ = resampled(sums + source.normal(0, 1e-6, size=2_000), sizes, 4_000, 0)
    assert by_cell.std() == pytest.approx(one_by_one.std(), rel=0.05)
    assert by_cell.mean() == pytest.approx(one_by_one.mean(), abs=0.02)


def test_error_is_that_of_the_textbook() -> None:
    """With one pair a cluster the standard error is s / √n."""
    values = np.array([3.0, -2.0, 0.0, 7.0, 4.0])
    found = studentised(values, np.ones(5), 200, 0, 0.95)
    assert found.error == pytest.approx(values.std(ddof=1) / math.sqrt(5))


def test_very_many_distinct_clusters_are_put_on_a_grid() -> None:
    """With 60,000 distinct differences the interval is that of the normal distribution to a hundredth of its width."""
    values = np.random.default_rng(4).normal(0.5, 30.0, size=60_000)
    found = studentised(values, np.ones(60_000), 2_000, 0, 0.95)
    assert found.interval is not None
    assert found.error is not None
    assert found.interval.width == pytest.approx(2 * 1.96 * found.error, rel=0.05)
    assert found.mean == pytest.approx(values.mean())


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [(0, 0, 1.0), (7, 7, 1.0), (1, 0, 0.5), (0, 5, 2 * 0.5**5 - 0.5**5), (2, 8, 0.0654296875)],
)
def test_mcnemar(one: int, other: int, expected: float) -> None:
    """The mid-p: what was observed counts by half, and the sides can be swapped."""
    assert mid_p(one, other) == pytest.approx(expected)
    assert mid_p(other, one) == pytest.approx(expected)


def test_mcnemar_of_many_pairs() -> None:
    """A million pairs are no harder than ten."""
    assert mid_p(500_000, 501_000) == pytest.approx(0.3176, abs=0.001)
    with pytest.raises(ValueError, match="negative"):
        mid_p(-1, 3)


def test_holm() -> None:
    """The smallest of m by m, the next by m − 1, never falling, at most 1; None counts for nothing."""
    assert holm([0.01, 0.04, None, 0.03]) == [pytest.approx(0.03), pytest.approx(0.06), None, pytest.approx(0.06)]
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=20))
def test_holm_lies_between_nothing_and_bonferroni(values: list[float]) -> None:
    """A corrected p is never smaller than the p itself, nor larger than Bonferroni's."""
    for p, corrected in zip(values, holm(values), strict=True):
        assert corrected is not None
        assert p <= corrected <= min(1.0, p * len(values)) + 1e-12


def test_power_of_the_textbook() -> None:
    """80 % at 5 %, σ = 10, difference 2: (1.960 + 0.842)² × 25 = 196.2, so 197 pairs; and these would show 2."""
    assert needed(10 / math.sqrt(50), 50, 2.0) == 197
    assert detectable(10 / math.sqrt(197)) == pytest.approx(2.0, abs=0.01)
    with pytest.raises(ValueError, match="positive"):
        needed(1.0, 50, 0.0)


def test_another_mix_is_no_difference() -> None:
    """Strata with equal means differ by 0, though the plain means are far apart."""
    low, high = [10.0, 12.0, 8.0, 10.0], [90.0, 92.0, 88.0, 90.0]
    found = stratified([Stratum("low", low * 9, low), Stratum("high", high, high * 9)])
    assert found.mean == pytest.approx(0.0)
    assert found.simple == pytest.approx(64.0)
    assert found.sign(0.05) == 0


def test_strata_of_one_side_are_left_out() -> None:
    """What only one side has, and what has no variance, is counted and enters nothing."""
    found = stratified([Stratum("both", [1.0, 2.0], [3.0, 5.0]), Stratum("a", [9.0] * 5, []), Stratum("b", [], [9.0])])
    assert (found.strata, found.a, found.b, found.left_out) == (1, 2, 2, 6)
    assert found.mean == pytest.approx(2.5)
    empty = stratified([Stratum("a", [1.0], [])])
    assert (empty.mean, empty.p, empty.left_out) == (None, None, 1)


def test_two_plain_samples_are_welchs() -> None:
    """One stratum is Welch's test."""
    from scipy.stats import ttest_ind

    a, b = [3.0, 5.0, 4.0, 8.0, 1.0], [6.0, 9.0, 7.0, 12.0, 5.0, 20.0]
    found = stratified([Stratum("", a, b)])
    expected = ttest_ind(b, a, equal_var=False)
    assert found.p == pytest.approx(expected.pvalue)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(expected.confidence_interval().low)
