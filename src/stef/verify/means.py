"""What the ladder may use."""

from dataclasses import dataclass
from pathlib import Path

from stef.agents import Agent
from stef.llm.client import Client
from stef.verify.records import Rung

EVEN = 0.5
SAMPLES = 5


@dataclass(frozen=True, slots=True)
class Means:
    """What the ladder may use.

    `client` is the model of the dear rungs, `agent` who answers anew in its place where answers are drawn. `samples`:
    how many are drawn. `rungs`: those that may be climbed. `prior`: the probability of being right before anything is
    known. `settled`: how sure is sure enough to climb no further. `wording`: whether a model looks at what is left of
    an answer's wording. `ask_timeout`: seconds that the agent may take.
    """

    client: Client | None = None
    agent: Agent | None = None
    samples: int = SAMPLES
    rungs: tuple[Rung, ...] = tuple(Rung)
    prior: float = EVEN
    settled: float = 0.9
    dialect: str | None = None
    prompts_dir: Path | str | None = None
    wording: bool = False
    ask_timeout: float = 120.0
    max_tokens: int = 2048
