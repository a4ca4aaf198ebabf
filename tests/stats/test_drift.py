"""The sequential test for drift, where a change lies, and what it comes of."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.stats.changepoint import change_point
from stef.stats.clustered import clustered, effective, mean_interval, percentile_interval, share_interval
from stef.stats.mixture import decompose
from stef.stats.sequential import Valued, evidence, first_alarm, places, threshold


@pytest.fixture(scope="module")
def bench(repo: Path) -> ModuleType:
    """The simulations of bench/drift.py."""
    spec = importlib.util.spec_from_file_location("bench_drift", repo / "bench" / "drift.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def days(source: np.random.Generator, shares: list[float], size: int = 50) -> list[list[Valued]]:
    """Days of yes and no; on each a share of yes."""
    return [[Valued(float(value)) for value in source.random(size) < share] for share in shares]


@pytest.mark.parametrize("name", ["null-few", "null-rare"])
def test_false_alarms_stay_below_their_rate(bench: ModuleType, name: str) -> None:
    """A series that never drifts raises an alarm, ever, in at most 5 of 100 cases (here: of 25, with wide bounds)."""
    scenario = next(one for one in bench.scenarios() if one.name == name)
    assert bench.measure(scenario, 25).false_alarms <= 0.16


@pytest.mark.parametrize(("name", "at_most"), [("fell-16-60", 6), ("broken-27", 4), ("again-4", 12)])
def test_changes_are_seen(bench: ModuleType, name: str, at_most: int) -> None:
    """A clear change is seen within days, and its day lies within the bounds that are given."""
    scenario = next(one for one in bench.scenarios() if one.name == name)
    found = bench.measure(scenario, 15)
    assert found.seen is not None and found.seen >= 0.8
    assert found.median is not None and found.median <= at_most
    if not name.startswith("again"):
        assert found.bounded is not None and found.bounded >= 0.7


def test_places_are_standard_normal_without_drift() -> None:
    """Where batches lie is standard normal and independent, also for values that are nearly all alike."""
    source = np.random.default_rng(5)
    found = np.array([z for period in places(days(source, [0.97] * 600, size=25)) for z in period])
    assert abs(found.mean()) < 0.15
    assert abs(found.std() - 1) < 0.12
    assert abs(np.corrcoef(found[1:], found[:-1])[0, 1]) < 0.15


def test_a_longer_series_begins_as_the_shorter_one() -> None:
    """What was said yesterday is not said otherwise today: the test needs no state."""
    held = days(np.random.default_rng(1), [0.9] * 10 + [0.5] * 5)
    whole = evidence(held)
    for length in (1, 7, 12):
        assert evidence(held[:length]) == whole[:length]


def test_empty_periods_are_no_evidence() -> None:
    """A period without values leaves the evidence as it is."""
    held = days(np.random.default_rng(1), [0.9] * 4)
    found = evidence([held[0], held[1], [], []])
    assert found[1] == found[2] == found[3]


def test_directions() -> None:
    """Values that fall are evidence for lower ones, values that rise for higher ones."""
    source = np.random.default_rng(2)
    fell, rose = evidence(days(source, [0.9] * 8 + [0.4] * 4)), evidence(days(source, [0.4] * 8 + [0.9] * 4))
    down, up = first_alarm(fell, 0.05), first_alarm(rose, 0.05)
    assert down is not None and down.sign == -1 and down.period >= 8
    assert up is not None and up.sign == 1 and up.period >= 8


def test_another_mix_of_strata_is_no_drift_within_them() -> None:
    """Held against their own stratum, values do not drift where only the mix of strata does."""
    source = np.random.default_rng(3)

    def mixed(share: float) -> list[Valued]:
        hard = source.random(60) < share
        return [Valued(float(source.random() < (0.3 if one else 0.9)), bool(one)) for one in hard]

    held = [mixed(0.1) for _ in range(12)] + [mixed(0.8) for _ in range(12)]
    assert first_alarm(evidence(held), 0.05) is None
    assert first_alarm(evidence([[Valued(one.value) for one in day] for day in held]), 0.05) is not None


def test_one_value_for_ever_is_no_evidence() -> None:
    """Values that are all alike never raise an alarm."""
    assert first_alarm(evidence([[Valued(1.0)] * 30] * 40), 0.2) is None


def test_what_came_before_counts_without_a_bet() -> None:
    """Held against earlier values, the first period can already be evidence."""
    low = [[Valued(0.0)] * 40] * 3
    assert first_alarm(evidence(low), 0.05) is None
    assert first_alarm(evidence(low, before=[Valued(1.0)] * 200), 0.05) is not None


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_values_outside_their_range_are_refused(value: float) -> None:
    """Only shares can be watched."""
    with pytest.raises(ValueError, match="must lie in"):
        evidence([[Valued(value)]])


@pytest.mark.parametrize("rate", [0.0, 1.0, -1.0])
def test_rates_outside_their_range_are_refused(rate: float) -> None:
    """A false-alarm rate lies between 0 and 1."""
    with pytest.raises(ValueError, match="rate"):
        threshold(rate)


def test_a_change_is_found_where_it_is() -> None:
    """A clear step is found exactly, with both means, and never by chance."""
    found = change_point([[0.8, 0.9, 0.85]] * 5 + [[0.2, 0.1, 0.3]] * 4, -1)
    assert found is not None
    assert (found.at, found.earliest, found.latest) == (5, 5, 5)
    assert found.before == pytest.approx(0.85)
    assert found.after == pytest.approx(0.2)
    assert found.p == pytest.approx(0.001)


def test_a_change_the_other_way_is_none() -> None:
    """What rose did not fall."""
    assert change_point([[0.1]] * 5 + [[0.9]] * 5, -1) is None


def test_no_change_point_in_nothing() -> None:
    """A single period, and none at all, hold no change."""
    assert change_point([[0.1, 0.2]], 1) is None
    assert change_point([], 1) is None


def test_a_scan_of_noise_has_no_small_p() -> None:
    """Where nothing changes, the p of the largest change is no small one (most of the time; here with a fixed seed)."""
    source = np.random.default_rng(4)
    found = change_point([[float(value) for value in source.random(20)] for _ in range(20)], 1)
    assert found is not None
    assert found.p > 0.05


def test_another_mix_is_told_from_other_values() -> None:
    """The same kinds with the same values, more of the hard one: all is mix. Lower values in each: none of it is."""
    easy, hard = [("easy", 80.0 + at % 2) for at in range(60)], [("hard", 40.0 + at % 2) for at in range(60)]
    mix = decompose(easy + hard[:20], easy[:20] + hard)
    assert mix is not None
    assert mix.within.mean == pytest.approx(0)
    assert mix.mix.mean == pytest.approx(mix.total.mean)
    assert mix.mix.sign() == -1
    lower = decompose(easy + hard, [(kind, value - 10) for kind, value in easy + hard])
    assert lower is not None
    assert lower.mix.mean == pytest.approx(0)
    assert lower.within.mean == pytest.approx(-10)
    assert lower.within.sign() == -1 and lower.mix.sign() == 0


def test_a_new_kind_is_mix() -> None:
    """Of a kind that was never asked before, nothing says that its answers became worse."""
    old = [("old", 80.0 + at % 3) for at in range(90)]
    found = decompose(old, [*old, *(("new", 20.0 + at % 3) for at in range(45))])
    assert found is not None
    assert found.within.mean == pytest.approx(0)
    assert found.mix.mean == pytest.approx(-20)


def test_rare_kinds_are_one() -> None:
    """Kinds of a handful of questions on each side are no evidence by themselves."""
    rare = [(f"kind {at}", float(at)) for at in range(9)]
    found = decompose(rare, rare)
    assert found is not None
    assert found.kinds == 1
    assert found.total.mean == 0


def test_nothing_is_not_decomposed() -> None:
    """A side without values has no mean."""
    assert decompose([], [("a", 1.0)]) is None


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 100)), min_size=1, max_size=60),
    st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 100)), min_size=1, max_size=60),
)
def test_parts_add_up(before: list[tuple[str, float]], after: list[tuple[str, float]]) -> None:
    """Mix and what is within are the whole difference."""
    found = decompose(before, after)
    assert found is not None
    assert found.mix.mean + found.within.mean == pytest.approx(found.total.mean, abs=1e-6)


def test_turns_of_one_question_are_worth_one() -> None:
    """500 turns of one question are one observation, turns of 500 questions are 500."""
    assert effective(clustered([("q", 1.0)] * 500)) == 1
    assert effective(clustered([(at, float(at % 2)) for at in range(500)])) == pytest.approx(500, rel=0.01)
    halves = clustered([(at // 10, float(at // 10 % 2)) for at in range(500)])
    assert effective(halves) == pytest.approx(50, rel=0.05)


def test_intervals_of_nothing() -> None:
    """Nothing has no interval, and neither has the mean of one question."""
    nothing = clustered([])
    assert (nothing.mean, share_interval(nothing), mean_interval(nothing)) == (None, None, None)
    assert percentile_interval([], 0.1) is None
    assert mean_interval(clustered([("q", 1.0)] * 5)) is None


def test_shares_at_their_ends() -> None:
    """A share of 0 or of 1 has an interval that does not leave [0, 1], and is no point."""
    none, every = share_interval(clustered(enumerate([0.0] * 20))), share_interval(clustered(enumerate([1.0] * 20)))
    assert none is not None and none.low == 0 and none.high > 0.1
    assert every is not None and every.high == 1 and every.low < 0.9


def test_the_interval_of_a_percentile_covers() -> None:
    """The 95 % interval of P10 holds the true one in 19 of 20 samples, roughly."""
    source = np.random.default_rng(6)
    covered = 0
    for _ in range(200):
        found = percentile_interval(list(enumerate(source.random(80).tolist())), 0.1)
        covered += found is not None and found.low <= 0.1 <= found.high
    assert covered / 200 > 0.9


def test_a_percentile_of_few_has_no_interval() -> None:
    """Of nine values none need lie below P10."""
    assert percentile_interval(list(enumerate([1.0, 2.0, 3.0, 4.0, 5.0])), 0.1) is None
