"""Batches of values against bags, in columns: the same as one by one, and right for very many strata."""

import numpy as np
import pytest

from stef.stats import bags
from stef.stats.bags import Values, places_of
from stef.stats.changepoint import change_point
from stef.stats.sequential import Valued, evidence, evidence_of


def drawn(source: np.random.Generator, pool: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """A period: values of questions, each asked once."""
    names = source.permutation(pool)[:size]
    return np.where(source.random(size) < 0.3, 0.1 * (names % 7), 0.9), names.astype(np.uint64)


@pytest.mark.parametrize("stratified", [False, True])
def test_columns_are_the_same_values(stratified: bool) -> None:
    """Values in columns give the evidence of values one by one, also against what came before."""
    source = np.random.default_rng(3)
    periods = [drawn(source, 50, size) for size in (40, 0, 13, 50, 7)]
    columns = [Values(values, names if stratified else None) for values, names in periods]
    single = [
        [Valued(float(value), int(name) if stratified else None) for value, name in zip(*period, strict=True)]
        for period in periods
    ]
    assert evidence_of(columns, 5) == evidence(single, 5)
    assert evidence_of(columns[1:], 5, columns[0]) == evidence(single[1:], 5, single[0])


def test_very_many_strata_are_drawn_as_few_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn by place or by count, one value of each bag: where batches lie is distributed alike, and centred."""
    source = np.random.default_rng(11)
    periods = [Values(*drawn(source, 300, 240)) for _ in range(60)]
    by_count = np.array([z for period in places_of(periods, 1) for z in period])
    monkeypatch.setattr(bags, "_MANY", 1)
    monkeypatch.setattr(bags, "_AT_ONCE", 7)
    by_place = np.array([z for period in places_of(periods, 1) for z in period])
    assert np.corrcoef(by_count, by_place)[0, 1] > 0.95
    assert abs(by_place.mean()) < 0.15
    assert by_place.std() == pytest.approx(by_count.std(), abs=0.1)


def test_bags_of_equal_values_are_left_out() -> None:
    """Questions that always score the same are no evidence, however many they are."""
    names = np.arange(3_000, dtype=np.uint64)
    period = Values((names % 2).astype(np.float64), names)
    found = evidence_of([period] * 20)
    assert max(one.lower for one in found) < 3.0


@pytest.mark.parametrize("shift", [0.0, 0.01])
def test_the_scan_of_very_many_values_is_the_scan_of_many(shift: float) -> None:
    """From 200,000 values on the sums of shuffled periods are drawn as normal: the p is like that of shuffled ones."""
    source = np.random.default_rng(2)
    sizes = source.integers(9_000, 12_000, size=20)
    values = [source.random(size) * 0.5 + shift * (day >= 10) for day, size in enumerate(sizes)]
    assert sum(sizes) * 99 > 20_000_000
    found = change_point(values, 1)
    fewer = change_point([day[: len(day) * 9 // 10] for day in values], 1)
    assert found is not None and fewer is not None
    assert found.p == pytest.approx(fewer.p, abs=0.25) if not shift else found.p == pytest.approx(0.001)
