"""A monotone map from what a judge says to a probability, and what it was fitted on."""

import hashlib
from bisect import bisect_right
from functools import cached_property
from math import exp, log
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

Share: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0)]

_NEAREST = 1e-3
"""How near to 0 and 1 a probability counts: a judge that says 1.0 does not mean infinitely sure."""


_FARTHEST = 30.0
"""Log-odds beyond which a float's probability would be 1."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Isotonic(_Record):
    """Straight lines between `knots` (judged, probability), and level beyond the first and the last."""

    method: Literal["isotonic"] = "isotonic"
    knots: Annotated[tuple[tuple[Share, Share], ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        for (x, y), (next_x, next_y) in zip(self.knots, self.knots[1:], strict=False):
            if next_x <= x or next_y < y:
                raise ValueError(f"the knots must rise, and [{next_x}, {next_y}] does not above [{x}, {y}]")
        return self

    @cached_property
    def _judged(self) -> tuple[float, ...]:
        return tuple(x for x, _ in self.knots)

    def __call__(self, p_correct: float) -> float:
        """The probability, in [0, 1], for what the judge said, in [0, 1]."""
        at = bisect_right(self._judged, p_correct)
        if at == 0:
            return self.knots[0][1]
        if at == len(self.knots):
            return self.knots[-1][1]
        (x, y), (next_x, next_y) = self.knots[at - 1], self.knots[at]
        # The clamp keeps a float's error from leaving the two neighbours.
        return min(max(y + (next_y - y) * ((p_correct - x) / (next_x - x)), y), next_y)


class Platt(_Record):
    """p = 1 / (1 + exp(−(`slope` × logit + `intercept`))) of the logit of what the judge said."""

    method: Literal["platt"] = "platt"
    slope: Annotated[float, Field(ge=0.0)]
    intercept: float

    def __call__(self, p_correct: float) -> float:
        """The probability, in [0, 1], for what the judge said, in [0, 1]."""
        return logistic(self.slope * logit(p_correct) + self.intercept)


ProbabilityMap: TypeAlias = Annotated[Isotonic | Platt, Field(discriminator="method")]


class FittedOn(_Record):
    """The judge and the labels that a calibration was fitted on. `date` is the caller's; `rules` are hashes by app.

    `judge_settings` are what the judge's RUN records of how it judged, such as the symbolic judge's model.
    """

    judge: str
    prompts_hash: str | None = None
    judge_settings: dict[str, Any] = {}
    rules: dict[str, str] = {}
    stef_version: str | None = None
    labels: int
    right: int
    questions: int
    date: str | None = None


class CrossValidation(_Record):
    """Calibration errors of labels that a fold's map had not seen; `by_chance`: what a perfect judge would show."""

    folds: int
    before: float
    after: float
    by_chance: float


class Calibration(_Record):
    """A fitted map, as a calibration file holds it."""

    stef_calibration: Literal[1] = 1
    map: ProbabilityMap
    fitted_on: FittedOn
    cross_validation: CrossValidation | None = None

    @cached_property
    def hash(self) -> str:
        """12 hex digits over the map and what it was fitted on."""
        content = self.model_dump_json(include={"map", "fitted_on"})
        return hashlib.sha256(content.encode()).hexdigest()[:12]

    def settings(self) -> dict[str, Any]:
        """What a RUN records of it."""
        fitted = self.fitted_on
        return {
            "hash": self.hash,
            "method": self.map.method,
            "judge": fitted.judge,
            "labels": fitted.labels,
            "date": fitted.date,
        }


def logit(p: float) -> float:
    """log(p / (1 − p)), of a p that is kept a thousandth from 0 and 1."""
    held = min(max(p, _NEAREST), 1.0 - _NEAREST)
    return log(held / (1.0 - held))


def logistic(x: float) -> float:
    """The inverse of the logit; never 0 or 1, so that nothing is said to be impossible."""
    return 1.0 / (1.0 + exp(-min(max(x, -_FARTHEST), _FARTHEST)))
