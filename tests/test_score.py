"""The composed score: the table of the design, and its laws."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.records.alignment import ExtraFilter, FilterAlignment, FiltersAligned
from stef.records.assessment import Band
from stef.records.judgement import Judgement, Verdict
from stef.rules.scoring import Bands, Multipliers, Scoring, VerdictPoints
from stef.score import band_of, compose, rescore_parts

FULL, EXTRAS, PARTIAL, NONE = FilterAlignment
CORRECT, LIKELY, DOUBTFUL, WRONG = Verdict
STEF, MONOTONE = Scoring(), Scoring(method="monotone")

TABLE = [
    # class, all extras benign, verdict, γ, F, V, L, B, Γ, Φ, band
    (FULL, True, CORRECT, 0.9, 5, 5, 0, 10, 1.0, 100.0, "excellent"),
    (EXTRAS, True, CORRECT, 0.85, 4, 5, 1, 10, 1.0, 100.0, "excellent"),
    (EXTRAS, False, CORRECT, 0.85, 4, 5, 0, 9, 1.0, 90.0, "excellent"),
    (FULL, True, CORRECT, 0.8499, 5, 5, 0, 10, 0.8, 80.0, "good"),
    (FULL, True, LIKELY, 0.65, 5, 4, 0, 9, 0.8, 72.0, "marginal"),
    (FULL, True, LIKELY, 0.6499, 5, 4, 0, 9, 0.5, 45.0, "poor"),
    (PARTIAL, True, LIKELY, 1.0, 2, 4, 0, 6, 1.0, 60.0, "marginal"),
    (PARTIAL, True, DOUBTFUL, 0.9, 2, 2, 0, 4, 1.0, 40.0, "poor"),
    (FULL, True, DOUBTFUL, 0.7, 5, 2, 0, 7, 0.8, 56.0, "marginal"),
    (NONE, True, CORRECT, 1.0, 0, 5, 0, 5, 1.0, 50.0, "marginal"),
    (NONE, True, WRONG, 1.0, 0, 0, 0, 0, 1.0, 0.0, "poor"),
    (FULL, True, WRONG, 0.95, 5, 0, 0, 5, 1.0, 50.0, "marginal"),
    (FULL, True, WRONG, 0.0, 5, 0, 0, 5, 0.5, 25.0, "poor"),
]

classes = st.sampled_from(FilterAlignment)
verdicts = st.sampled_from(Verdict)
confidences = st.floats(0, 1)
falling = st.lists(st.floats(0, 5), min_size=4, max_size=4).map(lambda points: sorted(points, reverse=True))


@st.composite
def scorings(draw: st.DrawFn) -> Scoring:
    """Any scoring that an application may set."""
    f, v = draw(falling), draw(falling)
    high, low = sorted(draw(st.tuples(confidences, confidences)), reverse=True)
    g = sorted(draw(st.tuples(confidences, confidences, confidences)), reverse=True)
    return Scoring.model_validate(
        {
            "method": draw(st.sampled_from(["stef", "monotone"])),
            "filter": dict(zip((name.value for name in FilterAlignment), f, strict=True)),
            "verdict": dict(zip((name.value for name in Verdict), v, strict=True)),
            "laxity": draw(st.floats(0, 5)),
            "confidence": {"high": high, "medium": low},
            "multipliers": {"high": g[0], "medium": g[1], "low": g[2]},
        }
    )


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}-{row[2]}-{row[3]}-benign={row[1]}")
def test_design_table(row):
    """Parts, score and band are those of the design's table; thresholds belong to the higher level."""
    alignment, benign, verdict, confidence, *expected = row
    scored = rescore_parts(alignment, benign, verdict, confidence, STEF)
    parts = [scored.filter_score, scored.verdict_score, scored.laxity, scored.base, scored.multiplier]
    assert [*parts, scored.score, scored.band] == expected


@pytest.mark.parametrize(
    ("score", "band"), [(100, "excellent"), (90, "excellent"), (89.99, "good"), (75, "good"), (74.99, "marginal"),
                        (50, "marginal"), (49.99, "poor"), (0, "poor")]
)  # fmt: skip
def test_lower_bound_belongs_to_band(score, band):
    """A score on a bound is in the band above it."""
    assert band_of(score, Bands()) is Band(band)


def test_laxity_needs_every_extra_benign():
    """One extra without a rule takes the boost away."""
    benign, unknown = ExtraFilter("deleted_at IS NULL", benign_by="soft delete"), ExtraFilter("city = 'x'")
    judged = Judgement(CORRECT, 0.9, 0.9, (), "scripted")
    assert compose(FiltersAligned(EXTRAS, extras=(benign,)), judged, STEF).laxity == 1
    assert compose(FiltersAligned(EXTRAS, extras=(benign, unknown)), judged, STEF).laxity == 0


def test_laxity_only_in_class_with_extras():
    """Benign extras beside missing filters earn nothing."""
    benign = ExtraFilter("deleted_at IS NULL", benign_by="soft delete")
    judged = Judgement(CORRECT, 0.9, 0.9, (), "scripted")
    assert compose(FiltersAligned(PARTIAL, extras=(benign,)), judged, STEF).laxity == 0


@pytest.mark.parametrize("confidence", [math.nan, -0.01, 1.01, math.inf])
def test_confidence_off_the_scale_has_no_score(confidence):
    """A confidence outside [0, 1] is an error and never a number."""
    with pytest.raises(ValueError, match="confidence"):
        rescore_parts(FULL, True, CORRECT, confidence, STEF)


def test_paper_score_rises_as_the_judge_grows_surer_of_incorrect():
    """The paper's own oddity stays: a sure `incorrect` is above an unsure one, and above an unsure `likely_correct`."""
    assert rescore_parts(FULL, True, WRONG, 0.95, STEF).score > rescore_parts(FULL, True, WRONG, 0.5, STEF).score
    assert rescore_parts(FULL, True, WRONG, 0.95, STEF).score > rescore_parts(FULL, True, LIKELY, 0.5, STEF).score


@pytest.mark.parametrize(("alignment", "benign"), list(product(FilterAlignment, (True, False))))
def test_monotone_gives_nothing_for_incorrect(alignment, benign):
    """With method monotone an incorrect turn scores 0, however sure the judge is."""
    assert {rescore_parts(alignment, benign, WRONG, g, MONOTONE).score for g in (0.0, 0.7, 1.0)} == {0.0}


def test_monotone_figures():
    """For a wrong-side verdict F counts at most V, and Γ is the lowest."""
    scored = rescore_parts(FULL, True, DOUBTFUL, 0.95, MONOTONE)
    assert (scored.filter_score, scored.verdict_score, scored.multiplier, scored.score) == (2, 2, 0.5, 20.0)
    assert rescore_parts(FULL, True, CORRECT, 0.95, MONOTONE) == rescore_parts(FULL, True, CORRECT, 0.95, STEF)


def test_weights_of_the_rules_are_used():
    """Points and multipliers come from the application's scoring."""
    assert rescore_parts(FULL, True, CORRECT, 0.9, Scoring(verdict=VerdictPoints(correct=4.5))).score == 95
    assert rescore_parts(FULL, True, LIKELY, 0.9, Scoring(multipliers=Multipliers(high=0.9))).score == 81


def test_weights_that_rise_are_refused():
    """A worse verdict cannot be worth more than a better one."""
    with pytest.raises(ValueError, match="must not rise from correct down to incorrect"):
        VerdictPoints(correct=3)


@given(classes, st.booleans(), verdicts, confidences, scorings())
def test_score_lies_between_0_and_100_and_is_its_parts(alignment, benign, verdict, confidence, scoring):
    """Φ is in [0, 100], and follows from the parts that are stored beside it."""
    scored = rescore_parts(alignment, benign, verdict, confidence, scoring)
    assert 0 <= scored.score <= 100
    assert scored.base == min(10, scored.filter_score + scored.verdict_score + scored.laxity)
    assert scored.score == pytest.approx(scored.base * 10 * scored.multiplier, abs=1e-8)
    assert scored.band is band_of(scored.score, scoring.bands)


@given(classes, st.booleans(), verdicts, st.tuples(confidences, confidences), scorings())
def test_score_never_rises_as_confidence_falls(alignment, benign, verdict, pair, scoring):
    """On the right side of both methods, and on both sides of monotone, a less sure judge never gives more."""
    low, high = sorted(pair)
    less = rescore_parts(alignment, benign, verdict, low, scoring).score
    more = rescore_parts(alignment, benign, verdict, high, scoring).score
    assert less <= more


@given(classes, st.booleans(), st.tuples(verdicts, verdicts), st.tuples(confidences, confidences), scorings())
def test_monotone_never_rises_towards_wrong(alignment, benign, pair, confidences_, scoring):
    """Method monotone: a better verdict never scores lower, whatever the confidence in either."""
    scoring = scoring.model_copy(update={"method": "monotone"})
    better, worse = sorted(pair, key=tuple(Verdict).index)
    if better.on_right_side and worse.on_right_side:
        confidences_ = (confidences_[0], confidences_[0])
    high = rescore_parts(alignment, benign, better, confidences_[0], scoring).score
    assert rescore_parts(alignment, benign, worse, confidences_[1], scoring).score <= high


@given(st.tuples(classes, classes), verdicts, confidences, scorings())
def test_better_filters_never_score_lower(pair, verdict, confidence, scoring):
    """Without the boost, a better class of filters never scores lower."""
    better, worse = sorted(pair, key=tuple(FilterAlignment).index)
    high = rescore_parts(better, False, verdict, confidence, scoring).score
    assert rescore_parts(worse, False, verdict, confidence, scoring).score <= high


@given(verdicts, confidences, st.sampled_from([STEF, MONOTONE]))
def test_benign_extras_never_beat_no_extras(verdict, confidence, scoring):
    """With the default weights, extras score at most as high as none, with the boost too."""
    none = rescore_parts(FULL, True, verdict, confidence, scoring).score
    assert rescore_parts(EXTRAS, True, verdict, confidence, scoring).score <= none
