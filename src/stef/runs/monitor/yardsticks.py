"""What RUNs were measured with: turns that were measured otherwise are another series."""

import json
from dataclasses import dataclass

from stef.runs.run import Run
from stef.runs.yardstick import EVALUATION


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What a RUN was measured with: setting by setting, as text."""

    settings: tuple[tuple[str, str], ...]

    @property
    def judge(self) -> str:
        """Who judged."""
        return json.loads(dict(self.settings).get("judge", "null")) or "unknown"

    def changes(self, other: "Yardstick") -> tuple[str, ...]:
        """What is another in `other`, in words: `judge "symbolic" → "openai:gpt"`."""
        mine, its = dict(self.settings), dict(other.settings)
        names = [name for name in dict.fromkeys([*mine, *its]) if mine.get(name) != its.get(name)]
        return tuple(f"{name} {_brief(mine.get(name))} → {_brief(its.get(name))}" for name in names)


def yardstick_of(run: Run) -> Yardstick:
    """What `run` was measured with."""
    evaluation = run.settings.get("evaluation", {})
    found = {words: evaluation.get(name) for name, words in EVALUATION.items() if evaluation.get(name) is not None}
    if run.settings.get("rescored") is not None:
        found["weights of rescoring"] = run.settings["rescored"]
    return Yardstick(tuple((name, json.dumps(value, sort_keys=True, default=str)) for name, value in found.items()))


def _brief(text: str | None) -> str:
    if text is None:
        return "none"
    return text if len(text) <= 60 else f"{text[:57]}…"
