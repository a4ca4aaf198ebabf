"""Do the intervals of `stef compare` cover, and do its tests reject, as often as they say? A simulation.

python bench/coverage.py [--simulations N] [--only NAME…] [--json]

Each scenario draws questions, with a fixed seed, from a population whose mean difference is known. Printed for each:
how often the 95 % interval holds that mean, and a plain percentile interval beside it; and how often each test rejects
where the mean is 0. In the scenarios with a skew A and B cannot be swapped, though the mean difference is 0: the flip
of signs is then right for large samples only, and the verdict, for which interval and test must agree, rejects less.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import sqrt

import numpy as np

from stef.stats.bootstrap import Interval
from stef.stats.mcnemar import mid_p
from stef.stats.permutation import sign_flip
from stef.stats.power import needed
from stef.stats.stratified import Stratum, stratified
from stef.stats.studentised import resampled, studentised

Floats = np.ndarray
Source = np.random.Generator
SEED = 20_261_130
RESAMPLES, FLIPS = 1_000, 2_000
ALPHA = 0.05

# Φ as it comes out with stef's default weights, and how often (bird_agents, symbolic judge).
STEPS = np.array([0, 10, 16, 20, 32, 35, 40, 45, 50, 56, 64, 72, 80, 90, 100], dtype=float)
SHARES = np.array([1, 2, 6, 9, 4, 8, 6, 7, 8, 9, 5, 19, 13, 2, 1], dtype=float) / 100


@dataclass(frozen=True)
class Scenario:
    """A population of questions. `draw(source, n)` gives sums and sizes of `n` clusters, `mean` is its true mean."""

    name: str
    what: str
    draw: Callable[[Source, int], tuple[Floats, Floats]]
    mean: float
    clusters: int
    small: bool = False
    binary: bool = False


def discrete(values: Floats, shares: Floats) -> Callable[[Source, int], tuple[Floats, Floats]]:
    """Clusters of one pair each, whose difference is one of `values`."""
    return lambda source, n: (source.choice(values, size=n, p=shares), np.ones(n))


def binary(discordant: float, better: float) -> tuple[Callable[[Source, int], tuple[Floats, Floats]], float]:
    """Right or wrong: a share `discordant` of the questions differs, and of these `better` are right in B."""
    values, shares = np.array([-100.0, 0.0, 100.0]), np.array([1 - better, 0.0, better]) * discordant
    shares[1] = 1 - discordant
    return discrete(values, shares), float(values @ shares)


def stepped(same: float, lift: float) -> tuple[Callable[[Source, int], tuple[Floats, Floats]], float]:
    """Φ in steps on both sides; a share `same` of the questions ties, of the others B draws `lift` steps higher."""
    raised = np.interp(np.clip(np.arange(len(STEPS)) + lift, 0, len(STEPS) - 1), np.arange(len(STEPS)), STEPS)

    def draw(source: Source, n: int) -> tuple[Floats, Floats]:
        a, b = source.choice(len(STEPS), size=(2, n), p=SHARES)
        return np.where(source.random(n) < same, 0.0, raised[b] - STEPS[a]), np.ones(n)

    return draw, float((1 - same) * (SHARES @ raised - SHARES @ STEPS))


def skewed(share: float) -> tuple[Callable[[Source, int], tuple[Floats, Floats]], float]:
    """Many small gains, few large losses; their mean is 0."""
    values, shares = np.array([0.0, 8.0, -64.0]), np.array([1 - share, share * 8 / 9, share / 9])
    return discrete(values, shares), float(values @ shares)


def clustered(lift: float, flat: float = 0.4) -> tuple[Callable[[Source, int], tuple[Floats, Floats]], float]:
    """Questions of 1 to 12 phrasings, which move together, in steps of 8 points; a share `flat` does not differ.

    The mean over pairs is `lift` × (1 − `flat`), whatever the sizes.
    """

    def draw(source: Source, n: int) -> tuple[Floats, Floats]:
        sizes = np.minimum(source.geometric(0.4, size=n), 12).astype(float)
        moved = source.random(n) >= flat
        common = source.choice([-24.0, -8.0, 0.0, 8.0, 24.0], size=n) + lift
        own = np.array([8.0 * source.integers(-2, 3, size=int(size)).sum() for size in sizes])
        return np.where(moved, common * sizes + own, 0.0), sizes

    return draw, lift * (1 - flat)


def judged(
    samples: int, lift: float, spread: float = 25.0
) -> tuple[Callable[[Source, int], tuple[Floats, Floats]], float]:
    """p_correct from `samples` noisy judgements a turn; what is to be covered is the mean without the judge's noise."""

    def draw(source: Source, n: int) -> tuple[Floats, Floats]:
        true = np.where(source.random(n) < 0.6, 0.0, source.normal(0.0, 20.0, size=n)) + lift
        return true + source.normal(0.0, spread * sqrt(2 / samples), size=n), np.ones(n)

    return draw, lift


def scenarios() -> list[Scenario]:
    """All of them; those with `small` are shown, and promise nothing."""
    found = []

    def add(
        name: str, what: str, made: tuple[Callable[[Source, int], tuple[Floats, Floats]], float], n: int, **more: bool
    ) -> None:
        found.append(Scenario(name, what, *made, n, **more))

    add("binary-null", "right or wrong, 100 of 400 questions differ", binary(0.25, 0.5), 400, binary=True)
    add("binary-effect", "the same, 65 of the 100 better in B", binary(0.25, 0.65), 400, binary=True)
    add("binary-strong", "the same, 90 of the 100 better in B", binary(0.25, 0.9), 400, binary=True)
    add("binary-dense", "100 of 120 differ", binary(100 / 120, 0.5), 120, binary=True)
    add("binary-large", "1,000 of 4,000 differ", binary(0.25, 0.5), 4_000, binary=True)
    add("steps-null", "Φ in steps, 100 of 300 differ", stepped(0.64, 0.0), 300)
    add("steps-effect", "the same, B half a step higher where they differ", stepped(0.64, 0.5), 300)
    add("steps-large", "Φ in steps, 400 of 1,200 differ", stepped(0.64, 0.0), 1_200)
    add("skew-null", "8 small gains for each large loss, 100 of 200 differ", skewed(0.5), 200)
    add("skew-large", "the same, 300 of 600 differ", skewed(0.5), 600)
    add("clusters-null", "1 to 12 phrasings a question, 100 of 180 questions differ", clustered(0.0), 180)
    add("clusters-effect", "the same, B 4 points higher", clustered(4.0), 180)
    add("judge-1", "p_correct of a noisy judge, asked once, 150 questions", judged(1, 3.0), 150)
    add("judge-5", "the same judge, the mean of 5 samples", judged(5, 3.0), 150)
    add("small-50", "Φ in steps, 50 of 150 differ", stepped(0.64, 0.0), 150, small=True)
    add("small-20", "Φ in steps, 20 of 60 differ", stepped(0.64, 0.0), 60, small=True)
    add("small-10", "right or wrong, 10 of 100 differ", binary(0.1, 0.5), 100, small=True, binary=True)
    add("small-skew", "8 small gains for each large loss, 30 of 60 differ", skewed(0.5), 60, small=True)
    return found


@dataclass(frozen=True)
class Measured:
    """What came of one scenario, as shares. Rejections are None where there is an effect, McNemar's for no yes or no.

    `verdict`: how often interval and test both say that there is a difference. `without`: draws without an interval.
    """

    name: str
    what: str
    simulations: int
    discordant: float
    small: bool
    covered: float
    percentile: float
    rejected: float | None
    verdict: float | None
    mcnemar: float | None
    without: float


def measure(scenario: Scenario, simulations: int) -> Measured:
    """Draw the scenario again and again."""
    source = np.random.default_rng([SEED, *scenario.name.encode()])
    null = abs(scenario.mean) < 1e-9
    covered = plain = rejected = verdict = mcnemar = without = discordant = 0
    for number in range(simulations):
        sums, sizes = scenario.draw(source, scenario.clusters)
        discordant += int((sums != 0).sum())
        found = studentised(sums, sizes, RESAMPLES, number, 1 - ALPHA)
        inside = _holds(found.interval, scenario.mean)
        without += found.interval is None
        # No interval is no promise: it is counted as covering, and shown beside.
        covered += found.interval is None or inside
        plain += _holds(percentile(sums, sizes, number), scenario.mean)
        if null:
            p = sign_flip(sums, FLIPS, number)
            rejected += p <= ALPHA
            if scenario.binary:
                p = mid_p(int((sums > 0).sum()), int((sums < 0).sum()))
                mcnemar += p <= ALPHA
            verdict += p <= ALPHA and found.interval is not None and not inside
    share = 1 / simulations
    return Measured(
        scenario.name,
        scenario.what,
        simulations,
        discordant * share,
        scenario.small,
        covered * share,
        plain * share,
        rejected * share if null else None,
        verdict * share if null else None,
        mcnemar * share if null and scenario.binary else None,
        without * share,
    )


def percentile(sums: Floats, sizes: Floats, seed: int) -> Interval:
    """The plain percentile interval, for comparison."""
    moved, _ = resampled(sums, sizes, RESAMPLES, seed)
    low, high = sums.sum() / sizes.sum() + np.quantile(moved, [ALPHA / 2, 1 - ALPHA / 2])
    return Interval(float(low), float(high))


def _holds(interval: Interval | None, value: float) -> bool:
    return interval is not None and interval.low - 1e-9 <= value <= interval.high + 1e-9


def measure_power(simulations: int) -> dict[str, float]:
    """How often the number of questions that `needed` names for the true difference shows it: 80 % is what it says."""
    draw, mean = stepped(0.64, 0.5)
    source = np.random.default_rng([SEED, 80])
    sums, sizes = draw(source, 200_000)
    error = studentised(sums, sizes, 2, 0, 0.95).error or 0.0
    n = needed(error, 200_000, abs(mean))
    shown = 0
    for number in range(simulations):
        sums, sizes = draw(source, n)
        found = studentised(sums, sizes, RESAMPLES, number, 1 - ALPHA)
        shown += sign_flip(sums, FLIPS, number) <= ALPHA and not _holds(found.interval, 0.0)
    return {"difference": mean, "questions": n, "shown": shown / simulations}


def measure_unpaired(simulations: int) -> dict[str, float]:
    """Two logs with another mix of databases, and no difference within one."""
    source = np.random.default_rng([SEED, 81])
    levels, mix = np.array([0.0, 15.0, -10.0, 5.0]), (np.array([0.4, 0.2, 0.3, 0.1]), np.array([0.1, 0.4, 0.2, 0.3]))
    covered = rejected = naive = 0
    for _ in range(simulations):
        strata: list[tuple[list[float], list[float]]] = [([], []) for _ in levels]
        for side in (0, 1):
            for place in source.choice(4, size=150, p=mix[side]):
                strata[place][side].append(float(source.choice(STEPS, p=SHARES) * 0.8 + levels[place]))
        found = stratified([Stratum(str(number), *values) for number, values in enumerate(strata)])
        covered += _holds(found.interval, 0.0)
        rejected += (found.p or 1.0) <= ALPHA
        whole = Stratum("", *([x for one in strata for x in one[side]] for side in (0, 1)))
        naive += (stratified([whole]).p or 1.0) <= ALPHA
    return {"covered": covered / simulations, "rejected": rejected / simulations, "without strata": naive / simulations}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=4_000)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    chosen = [one for one in scenarios() if not asked.only or one.name in asked.only]
    started = time.process_time()
    measured = []
    for one in chosen:
        measured.append(measure(one, asked.simulations))
        print(one.name, file=sys.stderr)
    more = (
        {}
        if asked.only
        else {"power": measure_power(asked.simulations), "unpaired": measure_unpaired(asked.simulations)}
    )
    if asked.json:
        print(json.dumps({"scenarios": [asdict(one) for one in measured], **more}, indent=2))
        return
    show(measured)
    for name, figures in more.items():
        print(f"{name}: " + ", ".join(f"{key} {value:.3f}" for key, value in figures.items()))
    print(f"{asked.simulations:,} simulations each, seed {SEED}, {time.process_time() - started:.0f} s of CPU")


def show(measured: list[Measured]) -> None:
    """The table, as Markdown."""
    print("| questions | differ | covered | percentile | flip rejects | McNemar rejects | verdict | no interval |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for one in measured:
        cells = [one.covered, one.percentile, one.rejected, one.mcnemar, one.verdict, one.without]
        shown = " | ".join("–" if cell is None else f"{cell * 100:.1f} %" for cell in cells)
        print(f"| {one.what} | {one.discordant:.0f} | {shown} |")


if __name__ == "__main__":
    main()
