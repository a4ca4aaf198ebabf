"""RUNs over time: periods, gaps, duplicates, yardsticks, drift, and what is blamed for it."""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from compare_kit import scored_run, told

from stef.errors import InputError, UserError
from stef.runs.monitor import Blame, Monitored, MonitorOptions, monitor, monitor_runs, read_only, slots
from stef.runs.monitor.gate import FailOn, failures, read_gates
from stef.runs.monitor.kinds import FEATURES, traits
from stef.runs.monitor.words import headlines
from stef.runs.run import Run
from stef.stats.periods import By

START = datetime(2025, 11, 1, 9, tzinfo=UTC)
TOWNS = ("Oslo", "Bergen", "Molde", "Narvik", "Voss", "Bodø", "Hamar", "Moss", "Alta", "Skien", "Tromsø", "Drammen")


def plain(number: int) -> str:
    """A question without much to it."""
    return f"List the names of shops in {TOWNS[number % len(TOWNS)]} with code {number}."


def hard(number: int) -> str:
    """A question of another kind."""
    return f"What is the average price per category of the orders that customer {number} placed since March 2024?"


def log(
    days: int,
    score: Callable[[int, int, random.Random], float | None],
    question: Callable[[int, int], str] = lambda day, at: plain(day * 100 + at),
    size: int = 40,
    first: int = 0,
    **more: Any,
) -> Iterator[dict[str, Any]]:
    """Rows of a RUN: `size` turns a day, with scores by day and turn; None is SQL that cannot be read."""
    source = random.Random(7 + first)
    for day in range(first, first + days):
        for at in range(size):
            value = score(day, at, source)
            moment = START + timedelta(days=day, minutes=at)
            reason = "unparsable" if value is None else None
            yield told(
                question(day, at), value, reason, timestamp=moment, has_sql=True, id=f"{day}-{at}",
                band=None if value is None else "good" if value >= 75 else "poor", **more,
            )  # fmt: skip


def steady(_: int, __: int, source: random.Random) -> float:
    """Scores that do not drift."""
    return source.choice([45.0, 72.0, 80.0, 80.0, 90.0])


def falling(day: int, at: int, source: random.Random) -> float:
    """Scores that fall by 25 points on the tenth day."""
    return max(0.0, steady(day, at, source) - (25.0 if day >= 10 else 0.0))


def by_day(*runs: Run, **options: Any) -> Monitored:
    """Watched by day."""
    return monitor_runs(runs, MonitorOptions(**options))


def test_figures_of_a_period(tmp_path: Path) -> None:
    """Mean, P10, coverage, readable rate and bands are of the period's own turns, each with its interval."""
    run = scored_run(tmp_path / "run", log(2, lambda day, at, _: None if at < 4 else 50.0 + 10 * day + at, size=40))
    (series,) = by_day(run).series
    first, second = series.periods
    assert (first.period.label, first.turns, first.scored, first.questions) == ("2025-11-01", 40, 36, 40)
    assert first.mean == pytest.approx(50 + sum(range(4, 40)) / 36)
    assert first.mean_interval is not None and first.mean_interval.low < first.mean < first.mean_interval.high
    assert (first.coverage.count, first.coverage.n, first.readable.share) == (36, 40, 0.9)
    assert first.readable.interval is not None and first.readable.interval.low == pytest.approx(0.769, abs=1e-3)
    assert first.bands["good"].count == 15
    assert first.reasons == {"unparsable": 4}
    assert second.mean is not None and second.mean > first.mean


def test_gaps_stay_gaps(tmp_path: Path) -> None:
    """A day without turns is no row, no zero and no evidence: it is a gap."""
    runs = [
        scored_run(tmp_path / "a", log(5, steady)),
        scored_run(tmp_path / "b", log(5, steady, first=9)),
    ]
    (series,) = by_day(*runs).series
    assert len(series.periods) == 10
    assert [(gap.after.label, gap.before.label, gap.length) for gap in series.gaps] == [("2025-11-05", "2025-11-10", 4)]
    assert series.changes == ()


def test_a_period_in_which_nothing_is_scored_has_no_mean(tmp_path: Path) -> None:
    """A day on which no SQL could be read has a readable rate of 0, and no mean at all."""
    run = scored_run(tmp_path / "run", log(2, lambda day, _, __: None if day else 80.0))
    (series,) = by_day(run).series
    assert (series.periods[1].mean, series.periods[1].p10, series.periods[1].readable.share) == (None, None, 0.0)
    assert series.periods[1].bands["good"].share is None


def test_an_outage_of_the_judge_is_no_drift(tmp_path: Path) -> None:
    """Turns that stef could not score say nothing of the agent: coverage falls, and nothing is blamed."""
    rows = [
        told(
            plain(at),
            None,
            "judge_unavailable",
            timestamp=START + timedelta(days=20, minutes=at),
            has_sql=True,
            id=f"x{at}",
        )
        for at in range(60)
    ]
    run = scored_run(tmp_path / "run", [*log(20, steady), *rows])
    (series,) = by_day(run).series
    assert series.periods[-1].own == 60
    assert series.periods[-1].coverage.share == 0
    assert series.changes == ()


def test_turns_without_a_timestamp_are_counted(tmp_path: Path) -> None:
    """They stand in no period."""
    run = scored_run(tmp_path / "run", [*log(2, steady), told("When?", 80.0), told("Where?", 80.0)])
    found = by_day(run)
    assert (found.untimed, found.turns) == (2, 80)


def test_no_timestamps_at_all_is_refused(tmp_path: Path) -> None:
    """Without any timestamp there is nothing to show, and it is said how to map one."""
    with pytest.raises(InputError, match="--map timestamp=FIELD"):
        by_day(scored_run(tmp_path / "run", [told("When?", 80.0)]))


def test_duplicates_count_once(tmp_path: Path) -> None:
    """Two RUNs of overlapping logs: what is in both counts once."""
    a, b = scored_run(tmp_path / "a", log(3, steady)), scored_run(tmp_path / "b", log(4, steady))
    found = by_day(a, b)
    assert (found.duplicates, found.turns, found.same_id) == (120, 160, 0)


def test_ids_that_mean_other_turns_are_kept(tmp_path: Path) -> None:
    """Ids such as log.jsonl:17 come back each night; another moment makes another turn of them."""
    rows = [told(plain(1), 80.0, timestamp=START + timedelta(days=day), id="log:1") for day in range(3)]
    found = by_day(scored_run(tmp_path / "run", rows))
    assert (found.duplicates, found.same_id, found.turns) == (0, 2, 3)


def test_worse_sql_is_seen_dated_and_blamed(tmp_path: Path) -> None:
    """Scores that fall while the questions stay as they are: the SQL is blamed, with day, size and findings."""
    rows = [
        {**row, "findings": ["S201"] if (row["timestamp"].day > 10) == (at % 3 > 0) else []}
        for at, row in enumerate(log(20, falling))
    ]
    found = by_day(scored_run(tmp_path / "run", rows))
    (series,) = found.series
    change = next(one for one in series.changes if one.figure == "score")
    assert change.since.label == "2025-11-11"
    assert change.difference == pytest.approx(-25, abs=3)
    assert change.worse
    assert change.raised.number - change.since.number <= 2
    assert change.cause is not None
    assert change.cause.blame is Blame.SQL
    assert change.cause.questions == ()
    assert [move.name for move in change.cause.findings] == ["S201"]
    assert any(
        "the SQL changed, the questions are like before; S201 fires 2.0× as often" in one
        for one in headlines(found, {})
    )
    assert series.question_changes == ()


def test_another_mix_of_questions_is_no_worse_sql(tmp_path: Path) -> None:
    """Scores that fall because harder questions are asked: the questions are blamed, and their drift is seen itself."""

    def asks_hard(day: int, at: int) -> bool:
        return at % 8 < (1 if day < 10 else 6)

    def score(day: int, at: int, source: random.Random) -> float:
        return max(0.0, steady(day, at, source) - 30.0 * asks_hard(day, at))

    run = scored_run(
        tmp_path / "run",
        log(20, score, lambda day, at: (hard if asks_hard(day, at) else plain)(day * 100 + at)),
    )
    found = by_day(run)
    (series,) = found.series
    change = next(one for one in series.changes if one.figure == "score")
    assert change.cause is not None
    assert change.cause.blame is Blame.QUESTIONS
    assert change.cause.parts is not None
    assert change.cause.parts.within.sign() == 0
    assert {"total or average", "about a period"} <= {move.name for move in change.cause.questions}
    assert series.question_changes
    assert failures([FailOn.QUESTIONS], found)


def test_the_same_questions_decide(tmp_path: Path) -> None:
    """Asked again and answered as before, they clear the SQL, though new questions of their kind score lower."""

    def question(day: int, at: int) -> str:
        return plain(at % 40 if at < 40 or day < 10 else day * 100 + at)

    def score(day: int, at: int, _: random.Random) -> float:
        return (40.0 if day >= 10 and at >= 40 else 80.0) + at % 3

    run = scored_run(tmp_path / "run", log(20, score, question, size=60))
    change = next(one for one in by_day(run).series[0].changes if one.figure == "score")
    assert change.cause is not None and change.cause.again is not None and change.cause.parts is not None
    assert change.cause.again.clusters == 40
    assert change.cause.parts.within.sign() == -1
    assert change.cause.blame is Blame.QUESTIONS


def test_sql_that_breaks_is_seen(tmp_path: Path) -> None:
    """Scores of what is left may even rise: that less can be read is a change for the worse by itself."""

    def breaks(day: int, at: int, source: random.Random) -> float | None:
        return None if day >= 10 and at % 3 == 0 else steady(day, at, source)

    found = by_day(scored_run(tmp_path / "run", log(20, breaks)))
    changes = {change.figure: change for change in found.series[0].changes}
    assert changes["readable"].since.label == "2025-11-11"
    assert changes["readable"].worse
    assert changes["readable"].after == pytest.approx(65, abs=2)
    assert "readable SQL fell from 100.0 %" in " ".join(headlines(found, {}))


def test_another_judge_is_no_drift(tmp_path: Path) -> None:
    """RUNs of another judge are a series of their own; that it changed is said, with the day."""
    a = scored_run(tmp_path / "a", log(12, steady))
    b = scored_run(tmp_path / "b", log(12, lambda d, at, s: steady(d, at, s) - 40, first=12), judge="openai:x")
    found = by_day(a, b)
    assert [each.changes for each in found.series] == [(), ()]
    (change,) = found.yardsticks
    assert change.since.label == "2025-11-13"
    assert change.what == ('judge "symbolic" → "openai:x"',)
    assert [each.yardstick for each in found.current] == [1]
    assert "no drift of the agent's" in next(iter(headlines(found, {})))


def test_two_judges_at_the_same_time_are_two_series(tmp_path: Path) -> None:
    """The same turns judged by two are no duplicates and no drift."""
    a = scored_run(tmp_path / "a", log(12, steady))
    b = scored_run(tmp_path / "b", log(12, lambda d, at, s: steady(d, at, s) - 40), judge="openai:x")
    found = by_day(a, b)
    assert (len(found.series), found.duplicates, found.turns) == (2, 0, 960)
    assert [each.changes for each in found.series] == [(), ()]


def test_a_recovery_ends_what_stands(tmp_path: Path) -> None:
    """Scores that fall and rise again: both are seen, and the gate is quiet after the second."""

    def score(day: int, at: int, source: random.Random) -> float:
        return steady(day, at, source) - (30.0 if 10 <= day < 20 else 0.0)

    worse = by_day(scored_run(tmp_path / "worse", log(18, score)))
    assert [one.figure for one in worse.series[0].standing if one.figure == "score"] == ["score"]
    assert failures([FailOn.DRIFT], worse)
    assert not failures([FailOn.NEW_DRIFT], worse)
    better = by_day(scored_run(tmp_path / "better", log(30, score)))
    signs = [(one.since.label, one.sign) for one in better.series[0].changes if one.figure == "score"]
    assert signs == [("2025-11-11", -1), ("2025-11-21", 1)]
    assert not failures([FailOn.DRIFT, FailOn.NEW_DRIFT], better)


def test_new_drift_rings_once(tmp_path: Path) -> None:
    """Looked at each morning, a change fails the gate new-drift on one day, and the same day is named ever after."""
    rang, named = [], set()
    for days in range(9, 16):
        found = by_day(scored_run(tmp_path / f"run{days}", log(days, falling)))
        rang += [days for one in failures([FailOn.NEW_DRIFT], found) if "scores fell" in one]
        named |= {one.since.label for one in found.series[0].changes if one.figure == "score"}
    assert len(rang) == 1
    assert named == {"2025-11-11"}


def test_each_agent_apart(tmp_path: Path) -> None:
    """--per agent tells which of two drifts."""
    rows = [*log(20, steady, agent="good"), *log(20, falling, agent="bad")]
    found = by_day(scored_run(tmp_path / "run", rows), per="agent")
    drifts = {each.name: any(one.figure == "score" for one in each.changes) for each in found.series}
    assert drifts == {"good": False, "bad": True}
    only = by_day(scored_run(tmp_path / "again", rows), only=(("agent", "good"),))
    assert (only.turns, only.series[0].changes) == (800, ())


def test_since_begins_anew(tmp_path: Path) -> None:
    """What lies before it is counted and left out, so that a change that is known is no drift."""
    run = scored_run(tmp_path / "run", log(20, falling))
    found = by_day(run, since=datetime(2025, 11, 11))
    assert (found.early, found.series[0].changes) == (400, ())
    with pytest.raises(InputError, match="before --since"):
        by_day(run, since=datetime(2026, 11, 11))


def test_days_that_differ_by_themselves_are_named(tmp_path: Path) -> None:
    """Where whole days are better or worse, the stated rate does not hold, and that is said."""
    waves = {day: random.Random(day).choice([-12.0, 0.0, 12.0]) for day in range(24)}
    restless = by_day(scored_run(tmp_path / "a", log(24, lambda d, at, s: steady(d, at, s) * 0.8 + waves[d])))
    assert restless.series[0].restless
    assert restless.series[0].dispersion is not None and restless.series[0].dispersion.ratio > 2
    assert not by_day(scored_run(tmp_path / "b", log(24, steady))).series[0].restless


def test_one_period_only(tmp_path: Path) -> None:
    """One day alone says how it was, and that there is nothing to hold it against."""
    found = by_day(scored_run(tmp_path / "run", log(1, steady)))
    assert list(headlines(found, {})) == ["one day only (2025-11-01): there is nothing to hold it against yet"]


def test_days_begin_in_the_named_zone(tmp_path: Path) -> None:
    """A turn at 23:30 UTC is one of the next day in Oslo."""
    rows = [told(plain(at), 80.0, timestamp=datetime(2025, 11, 2, 22 + at, 30, tzinfo=UTC)) for at in (0, 1)]
    run = scored_run(tmp_path / "run", rows)
    labels = {
        zone: [one.period.label for one in by_day(run, zone=zone).series[0].periods] for zone in ("UTC", "Europe/Oslo")
    }
    assert labels == {"UTC": ["2025-11-02"], "Europe/Oslo": ["2025-11-02", "2025-11-03"]} or labels["Europe/Oslo"] == [
        "2025-11-03"
    ]
    assert [one.period.label for one in by_day(run, by=By.WEEK).series[0].periods] == ["2025-10-27"]


def test_clocks_that_are_wrong_are_named(tmp_path: Path) -> None:
    """A turn of 1970 and one of 2099 are counted, named, and no drift."""
    odd = [told(plain(at), 80.0, timestamp=datetime(year, 1, 1, tzinfo=UTC)) for at, year in enumerate((1970, 2099))]
    run = scored_run(tmp_path / "run", [*log(10, steady), *odd])
    found = monitor_runs([run], MonitorOptions(), datetime(2026, 1, 1, tzinfo=UTC))
    assert [period.label for period in found.odd] == ["1970-01-01", "2099-01-01"]
    assert found.future == 1
    assert len(found.series[0].periods) == 12
    assert found.series[0].changes == ()


def test_the_order_of_runs_and_rows_changes_nothing(tmp_path: Path) -> None:
    """A log is put in order of time, however its parts come."""
    rows = list(log(14, falling))
    shuffled = rows.copy()
    random.Random(1).shuffle(shuffled)
    one = by_day(scored_run(tmp_path / "a", rows))
    other = by_day(scored_run(tmp_path / "b", shuffled[:300]), scored_run(tmp_path / "c", shuffled[300:]))
    assert one.series == other.series


def test_turns_of_one_moment_are_in_no_order(tmp_path: Path) -> None:
    """The same question several times at the same moment: no order of rows moves a digit."""
    days = [row["timestamp"] for row in log(6, falling, size=1)]
    rows = [
        told(plain(at), score, timestamp=day, id=f"{day} {at} {score}", has_sql=True)
        for day in days
        for at in range(3)
        for score in (33.3, 70.1, 8.9)
    ]
    one, other = (scored_run(tmp_path / name, held) for name, held in (("a", rows), ("b", rows[::-1])))
    assert by_day(one).series == by_day(other).series


def test_kinds_are_those_of_the_turns_that_are_kept(tmp_path: Path) -> None:
    """Turns of another agent and untimed ones are left out: the questions that are read are those of the others."""

    def question(day: int, at: int) -> str:
        return (hard if day >= 12 else plain)(day * 100 + at)

    kept = list(log(20, steady, question, agent="good", first=2))
    others = [*log(20, steady, lambda day, at: "Wie viele Kunden haben wir?", agent="bad"), told("When?", 1.0)]
    mixed = [row for pair in zip(kept, others, strict=False) for row in pair]
    alone = by_day(scored_run(tmp_path / "alone", kept))
    found = by_day(scored_run(tmp_path / "mixed", mixed), only=(("agent", "good"),))
    assert alone.series[0].question_changes
    assert found.series == alone.series


def test_many_questions_are_sampled_for_what_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a period has more questions than are read, what is asked is told from a part of them, and that is said;
    scores stay those of all, and neither the order of turns nor repeating them moves the sample."""

    def question(day: int, at: int) -> str:
        return (hard if day >= 10 and at % 2 else plain)(day * 100 + at)

    rows = list(log(20, falling, question))
    run = scored_run(tmp_path / "run", rows)
    whole = by_day(run).series[0]
    monkeypatch.setattr(slots, "MOST_ASKED", 25)
    monkeypatch.setattr(monitor, "MOST_ASKED", 25)
    found = by_day(run)
    (series,) = found.series
    (remark,) = found.remarks
    assert remark.startswith("20 days with more than 25 questions: what is asked is told from 25 of each")
    assert series.periods == whole.periods
    assert [(one.figure, one.since, one.before) for one in series.changes] == [
        (one.figure, one.since, one.before) for one in whole.changes
    ]
    (change,) = [one for one in series.question_changes if one.figure == "total or average"]
    assert (change.since.label, change.before_questions) == ("2025-11-11", 250)
    assert change.after == pytest.approx(50, abs=10)
    again = [*rows[::-1], *({**row, "id": f"again {row['id']}"} for row in rows)]
    assert by_day(scored_run(tmp_path / "again", again)).series[0].question_changes == series.question_changes


@pytest.mark.parametrize("text", ["agent", "colour=red", "=x", ""])
def test_only_takes_known_fields(text: str) -> None:
    """Another field, or none, is the user's mistake."""
    with pytest.raises(UserError, match="--only"):
        read_only([text])


def test_unknown_gates_and_fields_are_refused(tmp_path: Path) -> None:
    """The message names those that there are."""
    with pytest.raises(UserError, match="drift, new-drift, questions"):
        read_gates(["score"])
    with pytest.raises(UserError, match="agent, agent_version"):
        by_day(scored_run(tmp_path / "run", log(1, steady)), per="colour")


def test_what_a_question_is() -> None:
    """Features and kind of a question are those of its reading; a language that is not read is a feature itself."""
    assert traits(hard(1)).features >= {"total or average", "per group", "about a period"}
    assert traits("How many shops are there?").kind == "count, without a filter"
    assert traits("Wie viele Kunden haben wir in der Stadt, und wer sind sie?").features == {"not readable"}
    assert all(traits(text).features <= set(FEATURES) for text in ("", "?", hard(2), plain(3)))
