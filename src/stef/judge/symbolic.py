"""The default judge: a small additive model over the alignment's evidence. It needs no key and no network."""

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp, log1p
from typing import Final

from stef.records.judgement import Judgement, Verdict
from stef.records.request import JudgeRequest

NAME: Final = "symbolic"
_FEW: Final = 3
"""With fewer words than this a question says too little to tell a stranger from a friend."""
_CUTS = ((0.75, Verdict.CORRECT), (0.5, Verdict.LIKELY_CORRECT), (0.25, Verdict.POTENTIALLY_INCORRECT))


@dataclass(frozen=True, slots=True)
class Model:
    """log(p / (1 − p)) = `intercept` + Σ `weights`[name] × evidence[name]; a name without a weight counts nothing."""

    intercept: float
    weights: dict[str, float]
    version: str


@lru_cache(maxsize=1)
def load_model() -> Model:
    """The model that the package ships."""
    data = json.loads(files("stef.judge").joinpath("symbolic.json").read_text(encoding="utf-8"))
    return Model(float(data["intercept"]), dict(data["weights"]), str(data["version"]))


class SymbolicJudge:
    """Judges by what was matched, missing and extra. It says of itself that no language model was asked."""

    name = NAME
    prompts_hash: str | None = None

    def __init__(self, model: Model | None = None) -> None:
        self._model = model or load_model()
        self._weights = {name: weight for name, weight in self._model.weights.items() if weight != 0.0}

    @property
    def settings(self) -> dict[str, str]:
        """What decides its judgements: the model, by its version and a hash of its figures."""
        figures = json.dumps([self._model.intercept, self._model.weights], sort_keys=True)
        return {"model": f"{self._model.version}-{hashlib.sha256(figures.encode()).hexdigest()[:8]}"}

    def judge_now(self, request: JudgeRequest) -> Judgement:
        """The judgement, at once: the same for the same request, whoever asks and in whatever order."""
        weights = self._weights
        terms = [(weights[name] * value, name) for name, value in request.evidence.items() if name in weights]
        p = 1.0 / (1.0 + exp(-(self._model.intercept + sum(term for term, _ in terms))))
        verdict = verdict_of(p)
        confidence = p if verdict.on_right_side else 1.0 - p
        return Judgement(verdict, confidence, p, _reasons(terms), NAME)

    def abstains(self, request: JudgeRequest) -> str | None:
        """Why this judge has nothing to go by, None where it has: question and SQL share no word and no constant."""
        seen = request.evidence
        if seen.get("words_untaken_share", 0.0) < 1.0 or "size_tables" not in seen:
            return None
        if "filter_applied" in seen or any(name.endswith("_matched") for name in seen):
            return None
        few = seen.get("words_untaken", 0.0) < log1p(_FEW)
        return (
            None
            if few
            else "the question and the SQL have no word in common; a language model may know how they belong"
        )

    async def judge(self, request: JudgeRequest) -> Judgement:
        """The same as `judge_now`, in the shape of every judge."""
        return self.judge_now(request)

    async def close(self) -> None:
        """Nothing to let go of."""


def verdict_of(p_correct: float) -> Verdict:
    """The verdict for a probability in [0, 1]: a quarter of the scale each."""
    return next((verdict for cut, verdict in _CUTS if p_correct >= cut), Verdict.INCORRECT)


def _reasons(terms: list[tuple[float, str]]) -> tuple[str, ...]:
    """What weighed most, heaviest first, with its part of the log-odds."""
    heaviest = sorted([(-abs(weight), name, weight) for weight, name in terms])[:6]
    return tuple([f"{name.replace('_', ' ')} ({weight:+.2f})" for _, name, weight in heaviest])
