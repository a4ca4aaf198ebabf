"""Readers of questions by name: rules (no model), or a model behind the same arguments."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from stef.errors import JudgeSetupError
from stef.records.reading import QuestionReading

if TYPE_CHECKING:
    from stef.llm.chat import ChatSettings
    from stef.question.periods import Calendar

RULES: Final = "rules"


class QuestionReader(Protocol):
    """Reads questions with a model. Its readings are what `read_question` gives by rules."""

    @property
    def name(self) -> str:
        """Who reads, such as `openai:MODEL`."""
        ...

    @property
    def prompts_hash(self) -> str:
        """Short hash of the prompt in force."""
        ...

    async def read(
        self,
        text: str,
        *,
        now: datetime | None = None,
        calendar: "Calendar | None" = None,
        history: tuple[str, ...] = (),
    ) -> QuestionReading:
        """What `text` asks for. Raises JudgeReplyError, JudgeUnavailableError, JudgeSetupError."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def make_reader(
    spec: str,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    prompts_dir: Path | str | None = None,
    settings: "ChatSettings | None" = None,
) -> QuestionReader | None:
    """The reader that `spec` names: `openai:MODEL`, `litellm:PROVIDER/MODEL`; None for `rules`.

    `settings`: time-outs, retries, price, and who is told of each call.
    Raises JudgeSetupError where it is not known, or cannot work for want of a model or a key.
    """
    kind, _, model = spec.strip().partition(":")
    if kind == RULES and not model:
        return None
    if kind not in ("openai", "litellm") or not model:
        raise JudgeSetupError(f"unknown reader {spec!r}; write rules, openai:MODEL or litellm:PROVIDER/MODEL")
    from stef.llm.litellm_client import litellm_client  # noqa: PLC0415  # only where a model reads
    from stef.llm.openai_client import openai_client  # noqa: PLC0415
    from stef.question.model import ModelReader  # noqa: PLC0415

    make_client = openai_client if kind == "openai" else litellm_client
    return ModelReader(make_client(model, api_key, base_url, settings), prompts_dir)
