"""What can be set on a judge."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from stef.llm.client import Call
from stef.llm.cost import Price


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Settings that a judge may use; the symbolic judge uses none of them.

    `base_url`: an OpenAI-compatible server. `api_key`: never logged or stored. `prompts_dir`: a folder whose files take
    the place of stef's prompts, file by file. `max_retries`: further attempts after a failure that may pass.
    `timeout`: seconds for one attempt; `max_wait`: seconds for all attempts of one question together, waits included.
    `max_tokens`: bound on one reply. `price`: US dollars, for models that no table knows. `on_call`: told of every
    model call, for `calls.jsonl`.
    """

    base_url: str | None = None
    api_key: str | None = None
    prompts_dir: Path | str | None = None
    temperature: float = 0.0
    max_retries: int = 4
    timeout: float = 60.0
    max_wait: float = 180.0
    max_tokens: int = 2048
    price: Price | None = None
    on_call: Callable[[Call], None] | None = None


class JudgeKeywords(TypedDict, total=False):
    """The fields of JudgeOptions as keywords of `make_judge`."""

    base_url: str | None
    api_key: str | None
    prompts_dir: Path | str | None
    temperature: float
    max_retries: int
    timeout: float
    max_wait: float
    max_tokens: int
    price: Price | None
    on_call: Callable[[Call], None] | None
