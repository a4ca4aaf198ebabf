"""A judge's verdict on one turn."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """Does the SQL answer the question?"""

    CORRECT = "correct"
    LIKELY_CORRECT = "likely_correct"
    POTENTIALLY_INCORRECT = "potentially_incorrect"
    INCORRECT = "incorrect"

    @property
    def on_right_side(self) -> bool:
        """Whether the verdict says that the turn is rather right than wrong."""
        return self in (Verdict.CORRECT, Verdict.LIKELY_CORRECT)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a judgement cost. Tokens are the provider's own count; `cost` is in US dollars, None where unknown.

    `latency_s`: seconds from the first question to the last reply, None where nobody waited (a batch).
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    latency_s: float | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """One of several blind judgements on the same turn."""

    verdict: Verdict
    p_correct: float


@dataclass(frozen=True, slots=True)
class Uncalibrated:
    """What a judge said of itself before a calibration, and the hash of that calibration."""

    confidence: float
    p_correct: float
    calibration: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict, how sure the judge is of it, and why.

    `confidence` is γ in [0, 1]. `p_correct` is the judge's probability that the turn is right: γ where the verdict is
    on the right side, 1 − γ where not. `judge` names who judged (`symbolic`, `openai:MODEL`, …); `prompts_hash` is None
    for a judge without prompts.

    `confidence_from` says where a model's γ comes from: `stated`, `logprob` or `samples`. `samples` are the blind
    judgements that this one was drawn from, `spread` the standard deviation of their `p_correct`. `refuted`: whether a
    second question brought a concrete reason against a verdict on the right side, which is then `refutation`; None
    where it was not asked. `symbolic_p` is what the evidence alone makes of the turn: the symbolic judge's `p_correct`.
    `uncalibrated` is there where a calibration mapped `p_correct`, from which `confidence` then follows.
    """

    verdict: Verdict
    confidence: float
    p_correct: float
    reasons: tuple[str, ...]
    judge: str
    prompts_hash: str | None = None
    usage: Usage | None = None
    confidence_from: str | None = None
    samples: tuple[Sample, ...] = ()
    spread: float | None = None
    refuted: bool | None = None
    refutation: str | None = None
    symbolic_p: float | None = None
    uncalibrated: Uncalibrated | None = None

    @property
    def evidence_disagrees(self) -> bool:
        """Whether the symbolic evidence is on the other side than the verdict."""
        return self.symbolic_p is not None and (self.symbolic_p >= 0.5) != self.verdict.on_right_side
