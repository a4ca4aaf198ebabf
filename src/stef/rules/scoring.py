"""Weights, thresholds and bands of the composed score, as an application may set them."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from stef.rules.base import Closed, never_rises

Part = Annotated[float, Field(ge=0, le=5)]
"""Points of one half of the score: 0 to 5."""

Share = Annotated[float, Field(ge=0, le=1)]


class FilterPoints(Closed):
    """F: points for each class of filter alignment, 0 to 5."""

    fully_applied: Part = 5.0
    fully_applied_with_extras: Part = 4.0
    partially_applied: Part = 2.0
    not_applied: Part = 0.0

    @model_validator(mode="after")
    def _falls(self) -> Self:
        points = (self.fully_applied, self.fully_applied_with_extras, self.partially_applied, self.not_applied)
        if not never_rises(points):
            raise ValueError("points must not rise from fully_applied down to not_applied")
        return self


class VerdictPoints(Closed):
    """V: points for each verdict, 0 to 5."""

    correct: Part = 5.0
    likely_correct: Part = 4.0
    potentially_incorrect: Part = 2.0
    incorrect: Part = 0.0

    @model_validator(mode="after")
    def _falls(self) -> Self:
        if not never_rises((self.correct, self.likely_correct, self.potentially_incorrect, self.incorrect)):
            raise ValueError("points must not rise from correct down to incorrect")
        return self


class ConfidenceLevels(Closed):
    """The lowest confidence γ (included) that is `high`, and the lowest that is `medium`; below it is `low`."""

    high: Share = 0.85
    medium: Share = 0.65

    @model_validator(mode="after")
    def _falls(self) -> Self:
        if not never_rises((self.high, self.medium)):
            raise ValueError("'medium' must not be above 'high'")
        return self


class Multipliers(Closed):
    """Γ: what the base is multiplied with at each level of confidence."""

    high: Share = 1.0
    medium: Share = 0.8
    low: Share = 0.5

    @model_validator(mode="after")
    def _falls(self) -> Self:
        if not never_rises((self.high, self.medium, self.low)):
            raise ValueError("multipliers must not rise from high down to low")
        return self


class Bands(Closed):
    """The lowest score (included) of each band; below `marginal` is poor."""

    excellent: Annotated[float, Field(ge=0, le=100)] = 90.0
    good: Annotated[float, Field(ge=0, le=100)] = 75.0
    marginal: Annotated[float, Field(ge=0, le=100)] = 50.0

    @model_validator(mode="after")
    def _falls(self) -> Self:
        if not never_rises((self.excellent, self.good, self.marginal)):
            raise ValueError("bands must not rise from excellent down to marginal")
        return self


class Scoring(Closed):
    """How the score is composed.

    `method` is the paper's (`stef`), or `monotone`, which never rises as a judge grows surer that a turn is wrong.
    """

    method: Literal["stef", "monotone"] = "stef"
    filter: FilterPoints = FilterPoints()
    verdict: VerdictPoints = VerdictPoints()
    laxity: Annotated[float, Field(ge=0, le=5)] = Field(
        default=1.0,
        description="Boost where every extra filter is benign, and the class is `fully_applied_with_extras`",
    )
    confidence: ConfidenceLevels = ConfidenceLevels()
    multipliers: Multipliers = Multipliers()
    bands: Bands = Bands()
