"""The composed score Φ = B / 10 × 100 × Γ, with B = min(10, F + V + L) (STEF, arXiv 2604.28049)."""

from typing import assert_never

from stef.records.alignment import FilterAlignment, FiltersAligned
from stef.records.assessment import Band, Scored
from stef.records.judgement import Judgement, Verdict
from stef.rules.scoring import Bands, FilterPoints, Scoring, VerdictPoints

_DIGITS = 9
"""Decimals kept: enough for any weights that people set, too few for a float's error to cross a band's bound."""


def compose(filters: FiltersAligned, judgement: Judgement, scoring: Scoring) -> Scored:
    """The score of one turn in [0, 100], and all of its parts; see `rescore_parts`."""
    all_benign = all(extra.benign for extra in filters.extras)
    return rescore_parts(filters.alignment, all_benign, judgement.verdict, judgement.confidence, scoring)


def rescore_parts(
    filter_alignment: FilterAlignment,
    all_extras_benign: bool,
    verdict: Verdict,
    confidence: float,
    scoring: Scoring,
) -> Scored:
    """The score from flat values, as a RUN stores them: needs no model call.

    `all_extras_benign` counts only in class `fully_applied_with_extras`. `confidence` is γ in [0, 1], else ValueError:
    a judge's reply that is off the scale has no score.
    """
    if not 0.0 <= confidence <= 1.0:
        raise ValueError(f"confidence must lie in [0, 1], not {confidence!r}")
    with_extras = filter_alignment is FilterAlignment.FULLY_APPLIED_WITH_EXTRAS
    filter_score = _filter_points(filter_alignment, scoring.filter)
    verdict_score = _verdict_points(verdict, scoring.verdict)
    laxity = scoring.laxity if with_extras and all_extras_benign else 0.0
    multiplier = _multiplier(confidence, scoring)
    if scoring.method == "monotone" and not verdict.on_right_side:
        # The boost is capped along with F: else benign extras would lift a wrong turn above one without extras.
        filter_score = min(filter_score, verdict_score)
        laxity = min(laxity, verdict_score - filter_score)
        multiplier = scoring.multipliers.low
    base = min(10.0, filter_score + verdict_score + laxity)
    score = round(base * 10.0 * multiplier, _DIGITS)
    return Scored(score, band_of(score, scoring.bands), filter_score, verdict_score, laxity, base, multiplier)


def band_of(score: float, bands: Bands) -> Band:
    """The band of a score in [0, 100]; a lower bound belongs to its band."""
    if score >= bands.excellent:
        return Band.EXCELLENT
    if score >= bands.good:
        return Band.GOOD
    return Band.MARGINAL if score >= bands.marginal else Band.POOR


def _filter_points(alignment: FilterAlignment, points: FilterPoints) -> float:
    match alignment:
        case FilterAlignment.FULLY_APPLIED:
            return points.fully_applied
        case FilterAlignment.FULLY_APPLIED_WITH_EXTRAS:
            return points.fully_applied_with_extras
        case FilterAlignment.PARTIALLY_APPLIED:
            return points.partially_applied
        case FilterAlignment.NOT_APPLIED:
            return points.not_applied
        case _:
            assert_never(alignment)


def _verdict_points(verdict: Verdict, points: VerdictPoints) -> float:
    match verdict:
        case Verdict.CORRECT:
            return points.correct
        case Verdict.LIKELY_CORRECT:
            return points.likely_correct
        case Verdict.POTENTIALLY_INCORRECT:
            return points.potentially_incorrect
        case Verdict.INCORRECT:
            return points.incorrect
        case _:
            assert_never(verdict)


def _multiplier(confidence: float, scoring: Scoring) -> float:
    if confidence >= scoring.confidence.high:
        return scoring.multipliers.high
    return scoring.multipliers.medium if confidence >= scoring.confidence.medium else scoring.multipliers.low
