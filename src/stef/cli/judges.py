"""Options that several commands share, and the Evaluator that they describe. Only here is the environment read."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stef.errors import JudgeSetupError

if TYPE_CHECKING:
    from stef.evaluator import Evaluator
    from stef.runs.calls import CallLog

SYMBOLIC = "symbolic"
OPENAI_KEY = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """How to judge, as the command line says it."""

    judge: str = SYMBOLIC
    rules: Path | None = None
    dialect: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    prompts: Path | None = None

    def evaluator(self, calls: "CallLog | None" = None) -> "Evaluator":
        """The Evaluator of this choice. Raises UserError for anything in it that cannot work."""
        from stef.evaluator import Evaluator  # noqa: PLC0415  heavy
        from stef.judge.registry import make_judge  # noqa: PLC0415
        from stef.rules import RuleBook  # noqa: PLC0415

        book = RuleBook.load(self.rules)
        judge = make_judge(
            self.judge,
            base_url=self.base_url,
            api_key=self._api_key(),
            prompts_dir=self.prompts,
            on_call=None if calls is None else calls.add,
        )
        return Evaluator(book, judge, self.dialect)

    def _api_key(self) -> str | None:
        if self.api_key_env is not None:
            key = os.environ.get(self.api_key_env, "").strip()
            if not key:
                raise JudgeSetupError(f"--api-key-env {self.api_key_env}: this environment variable is not set")
            return key
        # litellm knows the variable of each provider; the key of one must not go to another.
        return os.environ.get(OPENAI_KEY) if self.judge.startswith("openai:") else None


def judge_in_words(name: str) -> str:
    """The judge as tables name it."""
    return "symbolic, no LLM" if name == SYMBOLIC else name
