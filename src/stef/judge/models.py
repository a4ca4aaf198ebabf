"""Judges that ask a model, put together from their options."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from stef.errors import JudgeSetupError
from stef.judge.comparing import ComparingJudge
from stef.judge.llm import LLMJudge, Manner
from stef.judge.options import ConfidenceFrom, JudgeOptions, Sees
from stef.judge.protocol import ModelJudge
from stef.judge.refuting import LLMRefuter, RefutingJudge
from stef.judge.sampling import SamplingJudge
from stef.llm.batch import BatchClient
from stef.llm.chat import ChatSettings
from stef.llm.client import Client
from stef.llm.cost import Price, find_price
from stef.llm.litellm_client import litellm_client
from stef.llm.local import check_model_file, local_client, model_fingerprint
from stef.llm.openai_client import openai_client
from stef.llm.retry import RetryPolicy

SAMPLE_TEMPERATURE: Final = 0.7
MOST_SAMPLES: Final = 100
LOCAL_TIMEOUT: Final = 3600.0


def openai_judge(model: str, options: JudgeOptions) -> ModelJudge:
    """The judge `openai:MODEL`. Raises JudgeSetupError where the model or its key is missing."""
    if not model:
        raise JudgeSetupError("openai needs a model; write openai:MODEL")
    check_options(options)
    client = options.client
    if client is None:
        client = openai_client(model, options.api_key, options.base_url, chat_settings(f"openai:{model}", options))
    return model_judge(client, options)


def litellm_judge(model: str, options: JudgeOptions) -> ModelJudge:
    """The judge `litellm:PROVIDER/MODEL`. Raises JudgeSetupError where the provider is unknown or its key missing."""
    if "/" not in model:
        raise JudgeSetupError(f"litellm needs a provider and a model, not {model!r}; write litellm:PROVIDER/MODEL")
    check_options(options)
    client = options.client
    if client is None:
        client = litellm_client(model, options.api_key, options.base_url, chat_settings(f"litellm:{model}", options))
    return model_judge(client, options)


def local_judge(path: str, options: JudgeOptions) -> ModelJudge:
    """The judge `local:MODEL.gguf`. Raises JudgeSetupError where the file is none, or the engine is not installed."""
    if not path:
        raise JudgeSetupError("local needs a model file; write local:MODEL.gguf")
    check_options(options)
    if options.base_url is not None:
        raise JudgeSetupError("local serves the model itself; leave --base-url out, or write openai:MODEL")
    check_model_file(Path(path))
    client = options.client
    if client is None:
        # A question waits for those before it; a slow machine is no outage.
        timeout = max(options.timeout, LOCAL_TIMEOUT)
        free = options.price or Price(0.0, 0.0)
        patient = replace(options, timeout=timeout, max_wait=max(options.max_wait, timeout), price=free)
        client = local_client(path, chat_settings(f"local:{path}", patient))
    return model_judge(client, options, {"model_file": model_fingerprint(Path(path))})


def model_judge(client: Client, options: JudgeOptions, about: Mapping[str, Any] | None = None) -> ModelJudge:
    """The judge that asks `client` as `options` say: samples inside, the refutation around them.

    `about` is what else of it belongs to a run's settings.
    """
    manner = _manner(options)
    if isinstance(client, BatchClient):
        # A file holds one reply to each question.
        manner = replace(manner, asks=1)
    by_agreement = options.confidence == ConfidenceFrom.SAMPLES
    judge: ModelJudge = LLMJudge(client, options.prompts_dir, manner)
    if options.samples > 1:
        samples = [replace(manner, sample=number) for number in range(1, options.samples + 1)]
        judge = SamplingJudge(
            [LLMJudge(client, options.prompts_dir, one) for one in samples], by_agreement=by_agreement
        )
    if options.refute:
        judge = RefutingJudge(judge, LLMRefuter(client, options.prompts_dir, replace(manner, temperature=0.0)))
    return ComparingJudge(judge, about)


def check_options(options: JudgeOptions) -> None:
    """Raise JudgeSetupError where `options` do not fit together."""
    if not 1 <= options.samples <= MOST_SAMPLES:
        raise JudgeSetupError(f"--samples {options.samples}: give a number from 1 to {MOST_SAMPLES}")
    if options.samples > 1 and options.temperature == 0.0:
        raise JudgeSetupError("--samples at temperature 0 would ask for the same reply again; leave it out or raise it")
    _choice(Sees, options.sees, "--judge-sees")
    if _choice(ConfidenceFrom, options.confidence, "--confidence") is ConfidenceFrom.SAMPLES and options.samples == 1:
        raise JudgeSetupError("--confidence samples needs several samples; give --samples 5")


def chat_settings(named: str, options: JudgeOptions) -> ChatSettings:
    """How the model `named` (`openai:MODEL`, `litellm:PROVIDER/MODEL`) is asked.

    Raises JudgeSetupError where there is a budget and the price of the model is not known.
    """
    # A model's name says nothing of the price at a server of one's own.
    priced_as = price_names(named) if options.base_url is None else ()
    price = options.price
    if price is None and options.budget is not None:
        price = find_price(priced_as) if priced_as else None
        if price is None:
            raise JudgeSetupError(
                f"{named}: the price of this model is not known, so a budget cannot be kept; "
                "give --price-in and --price-out, in US dollars per million tokens"
            )
    return ChatSettings(
        timeout=options.timeout,
        retry=RetryPolicy(max_attempts=options.max_retries + 1, max_wait=options.max_wait),
        price=price,
        priced_as=priced_as,
        on_call=options.on_call,
        budget=options.budget,
        replies=options.replies,
        gate=options.gate,
    )


def price_names(named: str) -> tuple[str, ...]:
    """What a price table may call the model `named`, the best name first."""
    kind, _, model = named.partition(":")
    return (model, model.partition("/")[2]) if kind == "litellm" else (model,)


def _manner(options: JudgeOptions) -> Manner:
    temperature = options.temperature
    if temperature is None:
        temperature = SAMPLE_TEMPERATURE if options.samples > 1 else 0.0
    confidence = ConfidenceFrom(options.confidence)
    if confidence is ConfidenceFrom.SAMPLES:
        # Each sample states its own; what counts is how many agree.
        confidence = ConfidenceFrom.STATED
    return Manner(temperature, options.max_tokens, Sees(options.sees), confidence)


def _choice(kind: type[Sees] | type[ConfidenceFrom], value: str, option: str) -> Sees | ConfidenceFrom:
    try:
        return kind(value)
    except ValueError as error:
        raise JudgeSetupError(f"{option} {value}: give one of {', '.join(kind)}") from error
