"""The intervals of comparisons cover, and their tests reject, as often as they say: bench/coverage.py in small."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

SIMULATIONS = 1_000
WITHIN = 0.025
NAMES = (
    "binary-null", "binary-effect", "binary-dense", "steps-null", "skew-null", "clusters-null", "judge-1", "judge-5",
)  # fmt: skip


@pytest.fixture(scope="module")
def bench() -> Any:
    """The simulation, with its fixed seed."""
    path = Path(__file__).parents[2] / "bench" / "coverage.py"
    spec = importlib.util.spec_from_file_location("stef_bench_coverage", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    module.RESAMPLES, module.FLIPS = 500, 500
    return module


@pytest.mark.parametrize("name", NAMES)
def test_covers_and_rejects_as_it_says(bench: Any, name: str) -> None:
    """From 100 questions that differ on, 95 ± 2.5 % of intervals hold the mean, and 5 ± 2.5 % of tests reject it."""
    scenario = next(one for one in bench.scenarios() if one.name == name)
    found = bench.measure(scenario, SIMULATIONS)
    assert found.covered == pytest.approx(0.95, abs=WITHIN)
    assert found.without == 0
    if scenario.binary and found.mcnemar is not None:
        assert found.mcnemar == pytest.approx(0.05, abs=WITHIN)
    if found.rejected is not None and not name.startswith("skew"):
        assert found.rejected == pytest.approx(0.05, abs=WITHIN)
    if found.verdict is not None:
        assert found.verdict <= 0.05 + WITHIN


def test_the_number_of_questions_is_enough(bench: Any) -> None:
    """As many questions as a comparison says it takes show the difference four times in five."""
    assert bench.measure_power(300)["shown"] == pytest.approx(0.8, abs=0.07)


def test_strata_take_care_of_the_mix(bench: Any) -> None:
    """Two logs with another mix of databases and no difference within one: 5 % are rejected, without strata most."""
    found = bench.measure_unpaired(300)
    assert found["rejected"] == pytest.approx(0.05, abs=0.035)
    assert found["without strata"] > 0.3
