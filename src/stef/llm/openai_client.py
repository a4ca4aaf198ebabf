"""Any server that speaks OpenAI's API."""

import ipaddress
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from stef.errors import JudgeSetupError
from stef.llm.chat import ChatClient, ChatSettings
from stef.llm.http import JsonPoster

OPENAI_HOST: Final = "api.openai.com"
OPENAI_URL: Final = f"https://{OPENAI_HOST}/v1"
_NO_KEY: Final = "none"
KEY_OF_ANOTHER: Final = (
    "name the environment variable that holds it (--api-key-env VAR), or pass api_key; a key for one provider is "
    "never sent to another server unasked"
)


def openai_client(
    model: str, api_key: str | None = None, base_url: str | None = None, settings: ChatSettings | None = None
) -> ChatClient:
    """A client of `model` at `base_url` (OpenAI's own by default).

    A key is needed but on this machine (a loopback address). Raises JudgeSetupError where there is none, or where the
    URL is none.
    """
    if base_url is not None:
        check_url(base_url)
    if not api_key:
        _check_needs_none(model, base_url)
    transport = OpenAITransport(model, api_key or _NO_KEY, base_url or OPENAI_URL)
    return ChatClient(transport, f"openai:{model}", base_url or OPENAI_URL, settings)


class OpenAITransport:
    """Chat completions of `model` at `base_url`."""

    def __init__(self, model: str, api_key: str, base_url: str) -> None:
        self._model = model
        self._poster = JsonPoster(f"{base_url.rstrip('/')}/chat/completions", api_key)

    async def send(self, asked: Mapping[str, Any]) -> object:
        """See `Transport.send`."""
        return await self._poster.post({"model": self._model, **asked})

    async def close(self) -> None:
        """Let go of connections."""
        await self._poster.close()


def _check_needs_none(model: str, base_url: str | None) -> None:
    if base_url is None or is_openai(base_url):
        raise JudgeSetupError(
            f"openai:{model} needs a key: set the environment variable OPENAI_API_KEY, or pass api_key; "
            "only a server on this machine (such as --base-url http://127.0.0.1:8000/v1) needs none"
        )
    if not is_loopback(base_url):
        raise JudgeSetupError(f"openai:{model} at {base_url} needs a key: {KEY_OF_ANOTHER}")


def check_url(url: str) -> None:
    """Raise JudgeSetupError where `url` is no http(s) URL with a host."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port
    except ValueError:
        valid = False
    if not valid:
        raise JudgeSetupError(f"{url!r} is no base URL; write one such as http://127.0.0.1:8000/v1")


def is_openai(url: str) -> bool:
    """Whether `url` is OpenAI's own (a region of it too), over TLS."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    return parts.scheme == "https" and (host == OPENAI_HOST or host.endswith(f".{OPENAI_HOST}"))


def is_loopback(url: str) -> bool:
    """Whether `url` leads to this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
