"""What the ladder may use, as the command line says it: a model, an agent, a budget. The environment is read here."""

import hashlib
import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stef.cli.judges import MAX_TOKENS, Asking, budget_of
from stef.errors import JudgeSetupError, UserError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stef.agents import Agent
    from stef.llm.budget import Budget
    from stef.llm.client import Client
    from stef.runs.calls import CallLog
    from stef.verify import Means, Rung


@dataclass(frozen=True, slots=True)
class Price:
    """Bounds and prices: tokens of one reply, US dollars per million tokens, US dollars for all."""

    max_tokens: int = MAX_TOKENS
    price_in: float | None = None
    price_out: float | None = None
    budget: float | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The options that say what may be used."""

    judge: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    agent: str | None = None
    samples: int = 5
    rungs: str | None = None
    prior: float = 0.5
    settled: float = 0.9
    dialect: str | None = None
    prompts: Path | None = None
    wording: bool = False
    price: Price = field(default_factory=Price)

    def budget(self) -> "Budget | None":
        """The budget. Raises UserError where it buys nothing, or where nobody is asked."""
        if self.price.budget is not None and self.judge is None:
            raise UserError("--budget is for the calls of a model: name it with --judge")
        return budget_of(self.price.budget)

    @contextmanager
    def means(self, calls: "CallLog | None") -> "Iterator[Means]":
        """The means, with the agent open. Raises UserError for anything in it that cannot work."""
        from stef.sql import check_dialect  # noqa: PLC0415  heavy
        from stef.verify import Means  # noqa: PLC0415

        for name, value, least in (("prior", self.prior, 0.0), ("settled", self.settled, 0.5)):
            if not least < value < 1.0:
                raise UserError(f"--{name} {value:g}: a probability between {least:g} and 1, both left out")
        if self.wording and self.judge is None:
            raise UserError("--judge-wording asks a model: name it with --judge")
        client = self._client(calls)
        agent = self._agent()
        try:
            yield Means(
                client=client,
                agent=agent,
                samples=self.samples,
                rungs=_rungs(self.rungs),
                prior=self.prior,
                settled=self.settled,
                dialect=check_dialect(self.dialect) if self.dialect else None,
                prompts_dir=self.prompts,
                wording=self.wording,
                max_tokens=self.price.max_tokens,
            )
        finally:
            if agent is not None:
                agent.close()

    def asks(self, means: "Means") -> dict[str, Any]:
        """What decides the dear rungs, for run.json; no secret of a command line."""
        if means.client is None and means.agent is None:
            return {}
        from stef.verify.prompts import prompts_in_force  # noqa: PLC0415

        return {
            "model": None if means.client is None else means.client.model,
            "base_url": self.base_url,
            "agent": None if means.agent is None else means.agent.name,
            "agent_spec": None if self.agent is None else hashlib.sha256(self.agent.encode()).hexdigest()[:16],
            "samples": self.samples,
            "prompts": prompts_in_force(self.prompts),
            "wording": self.wording,
            "max_tokens": self.price.max_tokens,
        }

    def _agent(self) -> "Agent | None":
        if self.agent is None:
            return None
        if self.agent.startswith("replay:"):
            raise UserError(
                f"--agent {self.agent}: a log gives the same answer each time; answers are drawn anew from an agent "
                "that can be asked: http:FILE, command:…, python:module:function"
            )
        from stef.agents import open_agent  # noqa: PLC0415  heavy

        return open_agent(self.agent, environment=os.environ)

    def _client(self, calls: "CallLog | None") -> "Client | None":
        if self.judge is None:
            return None
        from stef.judge.models import chat_settings  # noqa: PLC0415  heavy
        from stef.judge.options import JudgeOptions  # noqa: PLC0415
        from stef.llm.litellm_client import litellm_client  # noqa: PLC0415
        from stef.llm.openai_client import openai_client  # noqa: PLC0415

        named = self.judge.strip()
        kind, _, model = named.partition(":")
        price = self.price
        asking = Asking(max_tokens=price.max_tokens, price_in=price.price_in, price_out=price.price_out)
        options = JudgeOptions(
            base_url=self.base_url,
            price=asking.price(),
            on_call=None if calls is None else calls.add,
            budget=self.budget() if calls is None else calls.budget,
            replies=None if calls is None else calls.replies,
            gate=None if calls is None else calls.gate,
        )
        match kind:
            case "openai" if model:
                return openai_client(model, self._api_key(named), self.base_url, chat_settings(named, options))
            case "litellm" if "/" in model:
                return litellm_client(model, self._api_key(named), self.base_url, chat_settings(named, options))
            case "local" if model:
                return _local(model, options)
            case _:
                raise JudgeSetupError(
                    f"--judge {self.judge}: the dear rungs ask a model; write openai:MODEL, litellm:PROVIDER/MODEL or "
                    "local:MODEL.gguf"
                )

    def _api_key(self, named: str) -> str | None:
        from stef.cli.judges import JudgeChoice  # noqa: PLC0415

        return JudgeChoice(judge=named, base_url=self.base_url, api_key_env=self.api_key_env).api_key(named)


def _local(path: str, options: Any) -> "Client":
    from dataclasses import replace  # noqa: PLC0415

    from stef.judge.models import LOCAL_TIMEOUT, chat_settings  # noqa: PLC0415  heavy
    from stef.llm.cost import Price as Rates  # noqa: PLC0415
    from stef.llm.local import check_model_file, local_client  # noqa: PLC0415

    if options.base_url is not None:
        raise JudgeSetupError("local serves the model itself; leave --base-url out, or write openai:MODEL")
    check_model_file(Path(path))
    patient = replace(options, timeout=LOCAL_TIMEOUT, max_wait=LOCAL_TIMEOUT, price=options.price or Rates(0.0, 0.0))
    return local_client(path, chat_settings(f"local:{path}", patient))


def _rungs(names: str | None) -> "tuple[Rung, ...]":
    from stef.verify import Rung  # noqa: PLC0415  heavy

    if names is None:
        return tuple(Rung)
    wanted = [name.strip().casefold().replace("_", "-") for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if name not in list(Rung)]
    if unknown or not wanted:
        raise UserError(f"--rungs {names}: there are {', '.join(Rung)}")
    return tuple(rung for rung in Rung if rung in wanted)
