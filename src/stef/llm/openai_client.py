"""Any server that speaks OpenAI's API, through the openai SDK."""

import asyncio
import ipaddress
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from stef.errors import JudgeSetupError
from stef.llm.chat import ChatClient, ChatSettings
from stef.llm.faults import ServerFault
from stef.llm.sdk_faults import to_fault

if TYPE_CHECKING:
    from openai import AsyncOpenAI

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
        self._api_key = api_key
        self._base_url = base_url
        self._sdk: AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def send(self, asked: Mapping[str, Any]) -> object:
        """See `Transport.send`."""
        from openai import OpenAIError  # noqa: PLC0415  # heavy

        sdk = self._connected()
        try:
            raw = await sdk.chat.completions.with_raw_response.create(model=self._model, **asked)
            return json.loads(raw.http_response.text)
        except OpenAIError as error:
            raise to_fault(error, self._secret) from error
        except ValueError as error:
            raise ServerFault(f"the reply is no JSON: {error}") from error

    async def close(self) -> None:
        """Let go of connections."""
        if self._sdk is not None and self._loop is asyncio.get_running_loop():
            await self._sdk.close()
        self._sdk = None

    @property
    def _secret(self) -> str | None:
        return self._api_key if self._api_key != _NO_KEY else None

    def _connected(self) -> "AsyncOpenAI":
        # Connections belong to the loop they were made on; a script may run one loop after another.
        loop = asyncio.get_running_loop()
        if self._sdk is None or self._loop is not loop:
            from openai import AsyncOpenAI  # noqa: PLC0415  # heavy

            self._loop = loop
            self._sdk = AsyncOpenAI(api_key=self._api_key, base_url=self._base_url, max_retries=0, timeout=None)
            if self._base_url != OPENAI_URL:
                # The SDK takes these from the environment; they are no other server's business.
                self._sdk.organization = self._sdk.project = None
        return self._sdk


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
