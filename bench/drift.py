"""Does the test of `stef monitor` keep its false-alarm rate, and how soon does it see a change? Simulated, fixed seed.

python bench/drift.py [--simulations N] [--only NAME…] [--json]
python bench/drift.py --run RUN --before AGENT --after AGENT [--simulations N]

Each scenario draws days of questions; in some of them the values change on a day. Printed for each: how many series
raised an alarm before that day (in a series that never changes: ever), how many saw the change, after how many days in
the median and in nine of ten cases, and how often the day that is named lies within its bounds. In the scenarios
marked "no promise" days differ by themselves, which the test does not allow for.

With --run the days are drawn from a RUN of `stef score` that holds two agents: the second takes over on a day. Then all
of `stef monitor` is at work, and it is counted what it blames.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np

from stef.stats.changepoint import change_point
from stef.stats.sequential import Valued, evidence, first_alarm

Source = np.random.Generator
Days = list[list[Valued]]
SEED = 20_261_130
RATE = 0.05

# Φ as it comes out with stef's default weights, and how often (bird_agents, symbolic judge).
STEPS = np.array([0, 10, 16, 20, 32, 35, 40, 45, 50, 56, 64, 72, 80, 90, 100], dtype=float) / 100
SHARES = np.array([1, 2, 6, 9, 4, 8, 6, 7, 8, 9, 5, 19, 13, 2, 1], dtype=float) / 100


@dataclass(frozen=True)
class Scenario:
    """Series of `days` days; on day `change` (None: never) the values become others. `draw` makes one."""

    name: str
    what: str
    draw: Callable[[Source], Days]
    change: int | None
    promised: bool = True


@dataclass(frozen=True)
class Measured:
    """What came of one scenario: shares of its simulations, and days from the change to the alarm."""

    name: str
    what: str
    simulations: int
    false_alarms: float
    seen: float | None
    median: float | None
    ninth: float | None
    bounded: float | None


def tilted(lower: float) -> np.ndarray:
    """The shares of Φ's steps, tilted so that the mean is `lower` points lower."""
    low, high = -20.0, 20.0
    aim = SHARES @ STEPS - lower / 100
    for _ in range(80):
        middle = (low + high) / 2
        weights = SHARES * np.exp(middle * (STEPS - 0.5))
        low, high = (middle, high) if weights @ STEPS / weights.sum() < aim else (low, middle)
    return weights / weights.sum()


def stepped(
    days: int, change: int | None, lower: float, size: Callable[[Source], int], wave: float = 0.0
) -> Callable[[Source], Days]:
    """Scores in steps, `lower` points lower from `change` on; `wave`: standard deviation of each day's own shift."""
    before, after = SHARES, tilted(lower)

    def draw(source: Source) -> Days:
        found = []
        for day in range(days):
            shares = before if change is None or day < change else after
            values = source.choice(STEPS, size=size(source), p=shares) + source.normal(0.0, wave / 100) * (wave > 0)
            found.append([Valued(float(value)) for value in np.clip(values, 0.0, 1.0)])
        return found

    return draw


def yes_or_no(days: int, change: int | None, before: float, after: float, size: int) -> Callable[[Source], Days]:
    """Readable or not."""

    def draw(source: Source) -> Days:
        shares = [before if change is None or day < change else after for day in range(days)]
        return [[Valued(float(value)) for value in source.random(size) < share] for share in shares]

    return draw


def again(days: int, change: int | None, lower: float, size: int, pool: int = 200) -> Callable[[Source], Days]:
    """Questions of a pool, each held against itself; a fifth of their turns scores otherwise each time."""

    def draw(source: Source) -> Days:
        own = source.choice(STEPS, size=pool, p=SHARES)
        worse = np.where(source.random(pool) < lower / 20, np.maximum(own - 0.2, 0.0), own)
        found = []
        for day in range(days):
            asked = source.choice(pool, size=size, replace=False)
            values = (own if change is None or day < change else worse)[asked]
            values = np.where(source.random(size) < 0.2, source.choice(STEPS, size=size, p=SHARES), values)
            found.append([Valued(float(value), int(name)) for name, value in zip(asked, values, strict=True)])
        return found

    return draw


def weekly(days: int, lower: float, size: int) -> Callable[[Source], Days]:
    """Scores that are lower at each weekend."""
    plain, other = SHARES, tilted(lower)

    def draw(source: Source) -> Days:
        shares = [other if day % 7 > 4 else plain for day in range(days)]
        return [[Valued(float(value)) for value in source.choice(STEPS, size=size, p=share)] for share in shares]

    return draw


def always(size: int) -> Callable[[Source], int]:
    """The same number each day."""
    return lambda _: size


def scenarios() -> list[Scenario]:
    """All of them."""
    found = [
        Scenario("null", "Φ in steps, 60 questions a day, 90 days", stepped(90, None, 0, always(60)), None),
        Scenario("null-few", "8 a day, 180 days", stepped(180, None, 0, always(8)), None),
        Scenario(
            "null-uneven", "3 to 300 a day, 60 days", stepped(60, None, 0, lambda s: int(3 * 100 ** s.random())), None
        ),
        Scenario("null-rare", "99 % readable, 60 a day, 90 days", yes_or_no(90, None, 0.99, 0.99, 60), None),
        Scenario("null-again", "the same 200 questions, 60 of them a day, 60 days", again(60, None, 0, 60), None),
        Scenario(
            "waves-1",
            "days that differ by 1 point, 60 a day, 90 days",
            stepped(90, None, 0, always(60), 1),
            None,
            False,
        ),
        Scenario(
            "waves-3",
            "days that differ by 3 points, 60 a day, 90 days",
            stepped(90, None, 0, always(60), 3),
            None,
            False,
        ),
        Scenario("weekly", "weekends 5 points lower, 60 a day, 91 days", weekly(91, 5, 60), None, False),
    ]
    for size in (60, 600):
        for lower in (2, 4, 8, 16):
            draw = stepped(60, 30, lower, always(size))
            found.append(
                Scenario(f"fell-{lower}-{size}", f"{lower} points lower after 30 days, {size} a day", draw, 30)
            )
    found += [
        Scenario("soon", "8 points lower after 5 days, 60 a day", stepped(35, 5, 8, always(60)), 5),
        Scenario("late", "8 points lower after 150 days, 60 a day", stepped(180, 150, 8, always(60)), 150),
        Scenario("broken-3", "97 → 94 % readable after 30 days, 60 a day", yes_or_no(60, 30, 0.97, 0.94, 60), 30),
        Scenario("broken-7", "97 → 90 %", yes_or_no(60, 30, 0.97, 0.90, 60), 30),
        Scenario("broken-27", "97 → 70 %", yes_or_no(60, 30, 0.97, 0.70, 60), 30),
        Scenario(
            "again-2", "the same 200 questions 2 points lower after 30 days, 60 a day", again(60, 30, 2.0, 60), 30
        ),
        Scenario("again-4", "4 points lower", again(60, 30, 4.0, 60), 30),
    ]
    return found


def measure(scenario: Scenario, simulations: int) -> Measured:
    """Draw the scenario again and again."""
    source = np.random.default_rng([SEED, *scenario.name.encode()])
    early = bounded = 0
    delays: list[int] = []
    for number in range(simulations):
        days = scenario.draw(source)
        alarm = first_alarm(evidence(days, number), RATE)
        if alarm is None:
            continue
        if scenario.change is None or alarm.period < scenario.change:
            early += 1
            continue
        delays.append(alarm.period - scenario.change + 1)
        held = [[one.value for one in day] for day in days[: alarm.period + 1]]
        point = change_point(held, alarm.sign, permutations=0)
        bounded += point is not None and point.earliest <= scenario.change <= point.latest
    seen = None if scenario.change is None else len(delays) / max(1, simulations - early)
    median, ninth = (float(np.quantile(delays, q)) for q in (0.5, 0.9)) if delays else (None, None)
    return Measured(
        scenario.name,
        scenario.what,
        simulations,
        early / simulations,
        seen,
        median,
        ninth,
        bounded / len(delays) if delays else None,
    )


def swapped(run: Path, before: str, after: str, simulations: int) -> None:
    """Days drawn from a RUN: `after` takes over from `before`, or (by way of comparison) does not."""
    from stef.runs.monitor import MonitorOptions  # noqa: PLC0415
    from stef.runs.monitor.columns import microseconds  # noqa: PLC0415
    from stef.runs.monitor.facts import Facts  # noqa: PLC0415
    from stef.runs.monitor.kinds import read_kinds  # noqa: PLC0415
    from stef.runs.monitor.monitor import series_of  # noqa: PLC0415
    from stef.runs.monitor.reading import read_turns  # noqa: PLC0415
    from stef.runs.monitor.slots import slots_of  # noqa: PLC0415
    from stef.runs.run import open_run  # noqa: PLC0415
    from stef.stats.periods import By  # noqa: PLC0415

    start = datetime(2026, 3, 2, 8, tzinfo=UTC)
    every = read_turns([(open_run(run), 0)], {}, otherwise=start).turns
    sides = [np.flatnonzero(every.facts.says("agent", name)[every.fact]) for name in (before, after)]
    facts = Facts([replace(one, agent="bot") for one in every.facts.all])
    moments = [microseconds(start + timedelta(days=at // 60, minutes=at % 60)) for at in range(40 * 60)]
    for change in (None, 20):
        counted: Counter[str] = Counter()
        delays = []
        for number in range(simulations):
            source = np.random.default_rng([SEED, number])
            pools = [sides[0 if change is None or day < change else 1] for day in range(40)]
            drawn = every.where(np.concatenate([pool[source.choice(len(pool), size=60)] for pool in pools]))
            turns = replace(drawn, facts=facts, moment=np.array(moments))
            (slots,) = slots_of(turns, By.DAY, UTC, None, partial(read_kinds, [open_run(run)]))
            series = series_of(slots, MonitorOptions(rate=RATE))
            first = min(series.changes, key=lambda one: one.raised, default=None)
            counted["questions drift"] += bool(series.question_changes)
            if first is None:
                counted["no alarm"] += 1
                continue
            day = first.raised.number - series.periods[0].period.number
            if change is None or day < change:
                counted["false alarm"] += 1
            else:
                delays.append(day - change + 1)
                counted[f"blamed {first.cause.blame.value}" if first.cause else "no cause"] += 1
                true = series.periods[change].period
                counted["day within bounds"] += first.earliest <= true <= first.latest
        median = f"{np.median(delays):g} days" if delays else "–"
        print(
            f"{before} → {after if change else 'itself'}: {simulations} series, median delay {median}, {dict(counted)}"
        )


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulations", type=int, default=400)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--run", type=Path)
    parser.add_argument("--before")
    parser.add_argument("--after")
    asked = parser.parse_args()
    if asked.run:
        swapped(asked.run, asked.before, asked.after, asked.simulations)
        return
    started = time.process_time()
    chosen = [one for one in scenarios() if not asked.only or one.name in asked.only]
    if asked.json:
        print(json.dumps([asdict(measure(one, asked.simulations)) for one in chosen], indent=2))
        return
    print("| scenario | | false alarms | seen | median days | 9 of 10 | day within bounds |")
    print("|---|---|---|---|---|---|---|")
    for scenario in chosen:
        one = measure(scenario, asked.simulations)
        note = "" if scenario.promised else " (no promise)"
        print(
            f"| {one.name} | {one.what}{note} | {_percent(one.false_alarms)} | {_percent(one.seen)} | "
            f"{_number(one.median)} | {_number(one.ninth)} | {_percent(one.bounded)} |",
            flush=True,
        )
    spent = time.process_time() - started
    print(f"{asked.simulations} simulations each, rate {RATE:.0%}; {spent:.0f} s of CPU", file=sys.stderr)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:g}"


if __name__ == "__main__":
    main()
