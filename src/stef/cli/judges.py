"""How the command line says who judges, and the Evaluator that it describes. Only here is the environment read."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from stef.errors import JudgeSetupError, UserError

if TYPE_CHECKING:
    from collections.abc import Callable

    from stef.evaluator import Evaluator
    from stef.judge.protocol import Judge
    from stef.llm.budget import Budget
    from stef.llm.client import Client
    from stef.llm.cost import Price
    from stef.llm.gate import Gate, Limits
    from stef.question.readers import QuestionReader
    from stef.runs.calls import CallLog

SYMBOLIC: Final = "symbolic"
RULES: Final = "rules"
OPENAI_KEY: Final = "OPENAI_API_KEY"
MAX_TOKENS: Final = 2048
_WITHOUT_MODEL: Final = (SYMBOLIC, "recorded")
_SERVED: Final = ("openai", "litellm")


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked, as the command line says it. Prices are in US dollars per million tokens."""

    samples: int = 1
    refute: bool = False
    confidence: str = "stated"
    sees: str = "all"
    max_tokens: int = MAX_TOKENS
    price_in: float | None = None
    price_out: float | None = None

    def price(self) -> "Price | None":
        """The price that was given. Raises UserError where only a half of it was."""
        if self.price_in is None and self.price_out is None:
            return None
        if self.price_in is None or self.price_out is None:
            raise UserError("--price-in and --price-out belong together: US dollars per million tokens")
        from stef.llm.cost import Price  # noqa: PLC0415  heavy

        return Price(self.price_in, self.price_out)


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """Who judges and who reads, as the command line says it."""

    judge: str = SYMBOLIC
    rules: Path | None = None
    dialect: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    prompts: Path | None = None
    reader: str = RULES
    asking: Asking = field(default_factory=Asking)

    def evaluator(self, calls: "CallLog | None" = None) -> "Evaluator":
        """The Evaluator of this choice. Raises UserError for anything in it that cannot work."""
        from stef.evaluator import Evaluator  # noqa: PLC0415  heavy
        from stef.rules import RuleBook  # noqa: PLC0415

        book = RuleBook.load(self.rules)
        self._check_one_server()
        judge = self._judge(calls)
        return Evaluator(book, judge, self.dialect, self._reader(calls) or RULES)

    def unasked(self) -> "Evaluator":
        """The Evaluator of this choice with a judge that only says what it would ask; questions are read by rules.

        No key is needed. Raises UserError for a judge of somebody else's, which can't say it.
        """
        from stef.judge.protocol import ModelJudge  # noqa: PLC0415  heavy
        from stef.llm.unasked import UnaskedClient  # noqa: PLC0415

        evaluator = self.asking_client(UnaskedClient(self.judge.strip()))
        if _kind(self.judge) not in _WITHOUT_MODEL and not isinstance(evaluator.judge, ModelJudge):
            raise UserError(f"--judge {self.judge}: this judge does not say what it would ask")
        return evaluator

    @property
    def asks_models(self) -> bool:
        """Whether judging or reading takes a call."""
        return _kind(self.judge) not in _WITHOUT_MODEL or self.reader.strip() != RULES

    def price(self) -> "Price | None":
        """The price of the model asked: what was given, else what litellm's table says; None where unknown."""
        given = self.asking.price()
        named = self.judge if _provider(self.judge) is not None else self.reader
        if given is not None or self.base_url is not None or _provider(named) is None:
            return given
        from stef.judge.models import price_names  # noqa: PLC0415  heavy
        from stef.llm.cost import find_price  # noqa: PLC0415

        return find_price(price_names(named.strip()))

    def reader_prompts(self) -> "Callable[[str, tuple[str, ...]], str] | None":
        """What a model that reads would be sent for a question and its history; None where rules read."""
        if self.reader.strip() == RULES:
            return None
        from stef.llm.unasked import UnaskedClient  # noqa: PLC0415  heavy
        from stef.question.model import ModelReader  # noqa: PLC0415

        reader = ModelReader(UnaskedClient(self.reader.strip()), self.prompts)
        return lambda text, history: "\n".join(one.content for one in reader.messages(text, history))

    def asking_client(self, client: "Client") -> "Evaluator":
        """The Evaluator of this choice with a judge that asks `client` in place of a server."""
        from stef.evaluator import Evaluator  # noqa: PLC0415  heavy
        from stef.rules import RuleBook  # noqa: PLC0415

        return Evaluator(RuleBook.load(self.rules), self._judge(None, client), self.dialect)

    def _judge(self, calls: "CallLog | None", client: "Client | None" = None) -> "Judge":
        from stef.judge.registry import make_judge  # noqa: PLC0415  heavy

        return make_judge(
            self.judge,
            base_url=self.base_url,
            api_key=None if client is not None else self.api_key(self.judge),
            prompts_dir=self.prompts,
            max_tokens=self.asking.max_tokens,
            price=self.asking.price(),
            on_call=None if calls is None else calls.add,
            samples=self.asking.samples,
            refute=self.asking.refute,
            confidence=self.asking.confidence,
            sees=self.asking.sees,
            budget=None if calls is None else calls.budget,
            replies=None if calls is None else calls.replies,
            gate=None if calls is None else calls.gate,
            client=client,
        )

    def _reader(self, calls: "CallLog | None") -> "QuestionReader | None":
        if self.reader.strip() == RULES:
            return None
        from stef.judge.models import chat_settings  # noqa: PLC0415  heavy
        from stef.judge.options import JudgeOptions  # noqa: PLC0415
        from stef.question.readers import make_reader  # noqa: PLC0415

        options = JudgeOptions(
            base_url=self.base_url,
            price=self.asking.price(),
            on_call=None if calls is None else calls.add,
            budget=None if calls is None else calls.budget,
            replies=None if calls is None else calls.replies,
            gate=None if calls is None else calls.gate,
        )
        return make_reader(
            self.reader,
            base_url=self.base_url,
            api_key=self.api_key(self.reader),
            prompts_dir=self.prompts,
            settings=chat_settings(self.reader.strip(), options),
        )

    def _check_one_server(self) -> None:
        """One base URL and one key are for one provider: what is meant for one must not go to another."""
        providers = {found for found in map(_provider, (self.judge, self.reader)) if found is not None}
        if len(providers) > 1 and (self.base_url is not None or self.api_key_env is not None):
            raise UserError(
                f"--judge {self.judge} and --reader {self.reader} ask two providers, but --base-url and --api-key-env "
                "are for one; leave them out and set each provider's own variable"
            )

    def api_key(self, named: str) -> str | None:
        """The key for the model `named`, None where it needs none of ours. Raises JudgeSetupError."""
        if self.api_key_env is not None:
            key = os.environ.get(self.api_key_env, "").strip()
            if not key:
                raise JudgeSetupError(f"--api-key-env {self.api_key_env}: this environment variable is not set")
            return key
        # litellm knows the variable of each provider. OpenAI's key is for OpenAI alone, whatever speaks its API.
        return os.environ.get(OPENAI_KEY) if named.strip().startswith("openai:") and self._at_openai() else None

    def _at_openai(self) -> bool:
        from stef.llm.openai_client import check_url, is_openai  # noqa: PLC0415  heavy

        if self.base_url is None:
            return True
        check_url(self.base_url)
        return is_openai(self.base_url)


def budget_of(dollars: float | None) -> "Budget | None":
    """The Budget of `--budget`. Raises UserError where it buys nothing."""
    if dollars is None:
        return None
    if not dollars > 0:
        raise UserError(f"--budget {dollars:g}: give more than 0 US dollars")
    from stef.llm.budget import Budget  # noqa: PLC0415  heavy

    return Budget(dollars)


def gate_of(limits: "Limits") -> "Gate":
    """The Gate of all calls of a run. Raises UserError for a rate that lets nothing through."""
    for option, rate in (
        ("--requests-per-minute", limits.requests_per_minute),
        ("--tokens-per-minute", limits.tokens_per_minute),
    ):
        if rate is not None and not rate > 0:
            raise UserError(f"{option} {rate:g}: give more than 0")
    from stef.llm.gate import Gate  # noqa: PLC0415  heavy

    return Gate(limits)


def default_store() -> Path:
    """Where judgements are kept where nobody says so: the user's cache folder."""
    from platformdirs import user_cache_path  # noqa: PLC0415  only where a model judges

    return user_cache_path("stef") / "judgements.sqlite"


def _kind(named: str) -> str:
    return named.strip().partition(":")[0]


def _provider(named: str) -> str | None:
    """Who is asked: `openai`, or litellm with its provider; None where no server is, and for others' judges."""
    kind, _, model = named.strip().partition(":")
    if kind not in _SERVED:
        return None
    return kind if kind == "openai" else f"{kind}:{model.partition('/')[0]}"


def judge_in_words(name: str) -> str:
    """The judge as tables name it."""
    return "symbolic, no LLM" if name == SYMBOLIC else name
