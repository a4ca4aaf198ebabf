"""The agent table: known figures, and laws."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.records.assessment import Band
from stef.records.reasons import UnscoredReason, kind_of
from stef.stats import AgentTable, ScoreRow, agent_table, mean, percentile

finite = st.floats(0, 100)


def scored(score: float, agent: str | None = "a", version: str | None = "1", band: str = "good") -> ScoreRow:
    return ScoreRow(agent, version, score, Band(band))


def unscored(reason: str, *, has_sql: bool = True) -> ScoreRow:
    why = UnscoredReason(reason)
    return ScoreRow("a", "1", None, None, why, kind_of(why), has_sql)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([], 0.9, None),
        ([7], 0.9, 7),
        ([1, 2], 0.9, 1.9),
        ([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100], 0.9, 90),
        ([100, 50, 72, 90], 0.9, 97),
        ([3, 1, 2], 0.5, 2),
        ([3, 1, 2], 1.0, 3),
        ([3, 1, 2], 0.0, 1),
    ],
)
def test_percentile_by_linear_interpolation(values, share, expected):
    """The rank is (n − 1) × share; between two ranks the line between their values is followed."""
    assert percentile(values, share) == (expected if expected is None else pytest.approx(expected))


def test_nothing_is_undefined_not_zero():
    """An empty table has no mean, P90, coverage, readable rate or shares."""
    total = AgentTable().total()
    assert (total.mean, total.p90, total.coverage, total.readable_rate, total.band_shares) == (None,) * 5
    assert agent_table([]) == ()


def test_unscored_turns_stay_out_of_the_mean_and_in_the_coverage():
    """An unscored turn lowers coverage and never the mean."""
    (line,) = agent_table([scored(80), scored(60), unscored("unparsable"), unscored("judge_unavailable")])
    assert (line.turns, line.scored, line.unscored, line.mean, line.coverage) == (4, 2, 2, 70, 0.5)
    assert line.reasons == {"unparsable": 1, "judge_unavailable": 1}
    assert line.kinds == {"agent": 1, "stef": 1}


@pytest.mark.parametrize(
    ("row", "with_sql", "readable"),
    [
        (scored(10), 1, 1),
        (unscored("unparsable"), 1, 0),
        (unscored("not_sql"), 1, 0),
        (unscored("several_statements"), 1, 0),
        (unscored("judge_unavailable"), 1, 1),
        (unscored("question_not_readable"), 1, 1),
        (unscored("empty"), 0, 0),
        (unscored("declined", has_sql=False), 0, 0),
        (unscored("declined"), 0, 0),
        (unscored("harness_fault"), 0, 0),
    ],
)
def test_readable_rate_counts_turns_that_hold_sql(row, with_sql, readable):
    """What holds no SQL, and what stef could not look at, is in neither part of the rate."""
    total = AgentTable([row]).total()
    assert (total.with_sql, total.readable) == (with_sql, readable)


def test_versions_in_natural_order_and_the_nameless_last():
    """v9 stands before v10; turns without agent or version come last."""
    rows = [scored(1, version=v) for v in ("v10", "v9", None)] + [scored(1, agent=None, version=None)]
    assert [(s.agent, s.agent_version) for s in agent_table(rows)] == [
        ("a", "v9"), ("a", "v10"), ("a", None), (None, None)]  # fmt: skip


def test_bands_are_shares_of_scored_turns():
    """Shares add up to one, and a band without turns is there with 0."""
    (line,) = agent_table([scored(95, band="excellent"), scored(76), scored(76), scored(10, band="poor")])
    assert line.bands == {"excellent": 1, "good": 2, "marginal": 0, "poor": 1}
    assert line.band_shares == {"excellent": 0.25, "good": 0.5, "marginal": 0.0, "poor": 0.25}


@given(st.lists(finite, min_size=1), st.floats(0, 1))
def test_percentile_lies_within_the_values(values, share):
    """A percentile lies between the least and the greatest value."""
    assert min(values) <= percentile(values, share) <= max(values)


@given(st.lists(finite, min_size=1), st.randoms(use_true_random=False))
def test_row_order_does_not_matter(values, rng: random.Random):
    """Mean and P90 are the same, to the last bit, in any order of rows."""
    mixed = rng.sample(values, len(values))
    assert AgentTable(map(scored, values)).total() == AgentTable(map(scored, mixed)).total()


@given(st.lists(st.tuples(finite, st.sampled_from("abc")), min_size=1))
def test_total_is_all_agents_together(rows):
    """The total counts every row once, and its mean is the mean of all rows."""
    table = AgentTable(scored(score, agent) for score, agent in rows)
    assert table.total().turns == sum(line.turns for line in table.agents()) == len(rows)
    assert math.isclose(table.total().mean or 0, mean(score for score, _ in rows) or 0)
