"""The clustered bootstrap: its weights, its lanes, its intervals."""

import random
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.stats.agreement import Figure, agreement, ranking
from stef.stats.bootstrap import Interval, Resampling, draws, interval, lanes, resampled_cells, resampled_mean
from stef.stats.cells import Judged, cells_of
from stef.stats.figures import auc
from stef.stats.means import mean

FEW = Resampling(resamples=200, seed=3)


def test_each_question_counts_once_on_average() -> None:
    """The weights have mean and variance 1, as drawing with replacement has."""
    counts = [count for packed in islice(draws(Resampling()), 50) for count in lanes(packed, Resampling())]
    assert len(counts) == 50 * 1_000
    assert mean(counts) == pytest.approx(1.0, abs=0.02)
    assert mean((count - 1) ** 2 for count in counts) == pytest.approx(1.0, abs=0.03)


def test_a_seed_gives_the_same_draws() -> None:
    """And another one others."""
    first, again, other = (list(islice(draws(Resampling(seed=seed)), 5)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


@given(st.lists(st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=5), min_size=1, max_size=8))
def test_turns_of_a_question_are_drawn_together(questions: list[list[tuple[int, bool]]]) -> None:
    """A resample holds each question whole, as often as it was drawn."""
    drawn = [lanes(packed, FEW) for packed in islice(draws(FEW), len(questions))]
    for number, cells in enumerate(resampled_cells(questions, (0.1, 0.4, 0.6, 0.9), FEW)):
        for cell in range(4):
            for correct, counts in ((True, cells.right), (False, cells.wrong)):
                expected = sum(
                    times[number] * turns.count((cell, correct)) for times, turns in zip(drawn, questions, strict=True)
                )
                assert counts[cell] == expected


def test_resampled_mean_lies_around_the_mean() -> None:
    """Its spread is that of a mean of so many values."""
    values = [(number * 61 % 400) / 400 for number in range(400)]
    held = [value for value in resampled_mean(values, Resampling()) if value is not None]
    assert mean(held) == pytest.approx(mean(values), abs=0.003)
    found = interval(held, 0.95)
    assert found is not None
    assert found.width == pytest.approx(2 * 1.96 * 0.2887 / 20, rel=0.1)


def test_an_interval_needs_resamples_in_which_the_figure_is_defined() -> None:
    """A figure that is hardly ever defined has none."""
    assert interval([None] * 990 + [0.5] * 10, 0.95) is None
    assert interval([], 0.95) is None
    assert interval([0.5] * 30, 0.95) == Interval(0.5, 0.5)


def test_more_turns_of_the_same_questions_are_no_more_evidence() -> None:
    """Each question ten times over: the interval is as wide as before."""
    source = random.Random(7)
    judged = [Judged(round(source.random(), 2), source.random() < 0.6, f"q{number:03}") for number in range(120)]
    once, often = agreement(judged), agreement(judged * 10)
    for name in (Figure.AUC, Figure.ACCURACY, Figure.FALSE_ACCEPTS):
        assert often.figures[name].value == pytest.approx(once.figures[name].value)
        assert often.figures[name].interval is not None
        assert often.figures[name].interval.low == pytest.approx(once.figures[name].interval.low, abs=0.01)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Of 90 % intervals of a known AUC, about nine in ten hold it."""
    source, held = random.Random(11), 0
    for _ in range(100):
        judged = []
        for number in range(80):
            correct = source.random() < 0.5
            # The larger of two uniform numbers is above a third one in two of three cases.
            value = max(source.random(), source.random()) if correct else source.random()
            judged.append(Judged(value, correct, f"q{number}"))
        found = ranking(judged, Resampling(resamples=200, level=0.9)).interval
        assert found is not None
        held += found.low <= 2 / 3 <= found.high
    assert 80 <= held <= 98


def test_intervals_are_those_of_drawing_questions_with_replacement() -> None:
    """The rounded weights give what the textbook's resampling gives."""
    source = random.Random(13)
    judged = []
    for question in range(60):
        hard = source.random()
        judged += [
            Judged(round(source.random() * 0.5 + 0.5 * hard, 2), source.random() < hard, f"q{question}")
            for _ in range(5)
        ]
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(one.question, []).append(one)
    keys, values = list(groups), []
    for _ in range(1_000):
        drawn = [one for key in source.choices(keys, k=len(keys)) for one in groups[key]]
        values.append(auc(cells_of(drawn)))
    textbook, ours = interval(values, 0.9), ranking(judged, Resampling(level=0.9)).interval
    assert textbook is not None
    assert ours is not None
    assert ours.low == pytest.approx(textbook.low, abs=0.02)
    assert ours.high == pytest.approx(textbook.high, abs=0.02)
