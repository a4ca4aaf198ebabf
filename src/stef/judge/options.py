"""What can be set on a judge."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypedDict

from stef.llm.budget import Budget
from stef.llm.client import Call, Client
from stef.llm.cost import Price
from stef.llm.gate import Gate
from stef.llm.replies import ReplyStore


class Sees(StrEnum):
    """How much of what stef read and aligned a model's prompt carries beside the question and the SQL."""

    ALL = "all"
    SPEC = "spec"
    QUERY = "query"


class ConfidenceFrom(StrEnum):
    """Where a model's confidence comes from."""

    STATED = "stated"
    LOGPROB = "logprob"
    SAMPLES = "samples"


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Settings that a judge may use; the symbolic judge uses none of them.

    `base_url`: an OpenAI-compatible server. `api_key`: never logged or stored. `prompts_dir`: a folder whose files take
    the place of stef's prompts, file by file. `temperature`: 0 for one judgement and 0.7 for samples where None.
    `max_retries`: further attempts after a failure that may pass. `timeout`: seconds for one attempt; `max_wait`:
    seconds for all attempts of one question together, waits included. `max_tokens`: bound on one reply. `price`: US
    dollars, for models that no table knows. `on_call`: told of every model call, for `calls.jsonl`.

    `samples`: blind judgements of each turn. `refute`: a second question after each verdict on the right side.
    `confidence`: where γ comes from. `sees`: how much evidence the prompt carries. `budget`: what all calls may cost.
    `replies`: keeps replies of a run that may be stopped. `gate`: what all attempts go through. `client`: asked in
    place of the one that the judge's name stands for.
    """

    base_url: str | None = None
    api_key: str | None = None
    prompts_dir: Path | str | None = None
    temperature: float | None = None
    max_retries: int = 4
    timeout: float = 60.0
    max_wait: float = 180.0
    max_tokens: int = 2048
    price: Price | None = None
    on_call: Callable[[Call], None] | None = None
    samples: int = 1
    refute: bool = False
    confidence: str = ConfidenceFrom.STATED
    sees: str = Sees.ALL
    budget: Budget | None = None
    replies: ReplyStore | None = None
    gate: Gate | None = None
    client: Client | None = None


class JudgeKeywords(TypedDict, total=False):
    """The fields of JudgeOptions as keywords of `make_judge`."""

    base_url: str | None
    api_key: str | None
    prompts_dir: Path | str | None
    temperature: float | None
    max_retries: int
    timeout: float
    max_wait: float
    max_tokens: int
    price: Price | None
    on_call: Callable[[Call], None] | None
    samples: int
    refute: bool
    confidence: str
    sees: str
    budget: Budget | None
    replies: ReplyStore | None
    gate: Gate | None
    client: Client | None
