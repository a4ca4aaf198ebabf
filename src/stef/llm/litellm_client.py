"""Every other provider, through litellm."""

import difflib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any, Final

from stef.errors import JudgeSetupError
from stef.llm.chat import ChatClient, ChatSettings
from stef.llm.openai_client import KEY_OF_ANOTHER, check_url, is_loopback
from stef.llm.sdk_faults import to_fault

# Loading litellm fetches price tables from the network and reads a .env file unless told not to.
_QUIET: Final = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"}


def litellm_client(
    model: str, api_key: str | None = None, base_url: str | None = None, settings: ChatSettings | None = None
) -> ChatClient:
    """A client of `model`, written PROVIDER/MODEL.

    Keys that are not given are read from the environment by litellm, but never for a `base_url` of somebody else's.
    Raises JudgeSetupError where the provider is unknown, or where its key is missing.
    """
    if base_url is not None:
        check_url(base_url)
    litellm = load_litellm()
    _check_provider(litellm, model)
    if not api_key and not base_url:
        missing = litellm.validate_environment(model=model)["missing_keys"]
        if missing:
            wanted = ", ".join(missing)
            raise JudgeSetupError(f"litellm:{model} needs {wanted}: set in the environment, or pass api_key")
    if not api_key and base_url:
        if not is_loopback(base_url):
            raise JudgeSetupError(f"litellm:{model} at {base_url} needs a key: {KEY_OF_ANOTHER}")
        api_key = "none"
    settings = settings or ChatSettings()
    if base_url is None:
        settings = replace(settings, priced_as=(model, model.partition("/")[2]))
    return ChatClient(LiteLLMTransport(model, api_key, base_url), f"litellm:{model}", base_url, settings)


class LiteLLMTransport:
    """Chat completions of `model` through litellm."""

    def __init__(self, model: str, api_key: str | None, base_url: str | None) -> None:
        self._model = model
        self._api_key = api_key
        self._base_url = base_url

    async def send(self, asked: Mapping[str, Any]) -> object:
        """See `Transport.send`."""
        from openai import OpenAIError  # noqa: PLC0415  # heavy

        litellm = load_litellm()
        try:
            answer = await litellm.acompletion(
                model=self._model,
                api_key=self._api_key,
                base_url=self._base_url,
                max_retries=0,
                num_retries=0,
                drop_params=True,
                **asked,
            )
        except OpenAIError as error:
            raise to_fault(error, self._api_key) from error
        return answer.model_dump(warnings=False)

    async def close(self) -> None:
        """litellm keeps its connections to itself."""


def load_litellm() -> ModuleType:
    """litellm, loaded without network, without reading .env, and silent on standard output."""
    with _environment(_QUIET):
        import litellm  # noqa: PLC0415  # takes seconds

    # Nothing is sent anywhere but to the model that was named, at later calls either.
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    added = {name: value for name, value in values.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def _check_provider(litellm: ModuleType, model: str) -> None:
    try:
        litellm.get_llm_provider(model=model)
    except litellm.exceptions.BadRequestError as error:
        providers = sorted(str(getattr(provider, "value", provider)) for provider in litellm.provider_list)
        near = difflib.get_close_matches(model.partition("/")[0].lower(), providers, n=2, cutoff=0.6)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise JudgeSetupError(
            f"litellm:{model}: litellm knows no such provider{hint}; write litellm:PROVIDER/MODEL"
        ) from error
