"""Judgements made from a verdict and a confidence."""

from stef.records.judgement import Judgement, Verdict


def p_correct(verdict: Verdict, confidence: float) -> float:
    """The probability in [0, 1] that the turn is right: γ where the verdict is on the right side, 1 − γ where not."""
    return confidence if verdict.on_right_side else 1.0 - confidence


def make_judgement(
    verdict: Verdict, confidence: float, reasons: tuple[str, ...], judge: str, prompts_hash: str | None = None
) -> Judgement:
    """A Judgement whose `p_correct` follows from `verdict` and `confidence` (γ in [0, 1])."""
    return Judgement(verdict, confidence, p_correct(verdict, confidence), reasons, judge, prompts_hash)
