"""An HTTP endpoint as an agent: one call a question, within a time, with every way to fail under its own name."""

from collections.abc import Mapping
from concurrent.futures import CancelledError
from typing import TYPE_CHECKING, Any, Final

from stef.agents.calls import CLOSED, Loop
from stef.agents.description import AgentFile, HttpDescription
from stef.agents.fields import NotReadableError
from stef.agents.json_reply import markup, parse_json, start
from stef.agents.replies import AskFailedError
from stef.agents.template import Secrets, TemplateError, fill, fill_url, with_variables
from stef.errors import AgentSetupError
from stef.llm.faults import ServerFault
from stef.llm.retry import RetryPolicy, with_retries
from stef.llm.sdk_faults import retry_after_of
from stef.records.asking import AgentFault, AgentRequest
from stef.version import VERSION

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

MAX_REPLY: Final = 64 << 20
_ATTEMPTS: Final = 4
_REDIRECTS: Final = range(300, 400)


class HttpCaller:
    """Calls an endpoint. Its client, and the connections it keeps, belong to one loop in a thread."""

    def __init__(self, file: AgentFile, environment: Mapping[str, str], policy: RetryPolicy | None = None) -> None:
        said = file.said
        if not isinstance(said, HttpDescription):
            raise TypeError(said)
        sent = {"url": said.url, "params": said.params, "request": said.request}
        try:
            filled, secrets = with_variables(sent, environment, has_places=True)
            headers, more = with_variables(said.headers, environment, "headers")
        except TemplateError as error:
            raise AgentSetupError(f"{file.path}: {error}") from None
        self._secrets = Secrets({**secrets.by_value, **more.by_value})
        self._url, self._params, self._request = filled["url"], filled["params"], filled["request"]
        self._headers = _checked_headers(headers, file)
        if not self._url.startswith(("http://", "https://")):
            raise AgentSetupError(f"{file.path}: url: expected http://… or https://…, found {said.url!r}")
        self._file, self._method = file, said.method
        self._policy = policy
        self._loop = Loop("stef-agent-http")
        self._client: AsyncClient | None = None
        self._has_answered = False

    @property
    def takes_hide(self) -> bool:
        """Whether the request has a place for the ids to hide."""
        return "hide" in self._file.places

    def call(self, request: AgentRequest) -> Any:
        """The JSON of the reply. Raises AskFailedError, and AgentSetupError where every question would fail alike."""
        policy = self._policy or RetryPolicy(max_attempts=_ATTEMPTS, max_wait=request.timeout, initial=0.5)
        try:
            status, headers, body = self._loop.run(with_retries(lambda: self._once(request), policy), request.timeout)
        except TimeoutError:
            raise AskFailedError(AgentFault.TIMEOUT, f"no whole reply within {request.timeout:g} s") from None
        except CancelledError:
            raise AskFailedError(AgentFault.CRASH, CLOSED) from None
        except ServerFault as fault:
            raise AskFailedError(AgentFault.UNREACHABLE, self._secrets.hidden(str(fault))) from None
        try:
            return self._read(status, headers, body)
        except NotReadableError as error:
            raise NotReadableError(self._secrets.hidden(str(error))) from None

    def close(self) -> None:
        """Close the connections, and end the loop."""
        client, self._client = self._client, None
        self._loop.close(client.aclose if client is not None else None)

    async def _once(self, request: AgentRequest) -> tuple[int, Mapping[str, str], bytes]:
        """One attempt. ServerFault says that it may be tried again: nothing was taken on."""
        import httpx2  # noqa: PLC0415  # only where an endpoint is asked

        if self._client is None:
            # The time is kept outside, for the whole exchange: a server that sends byte after byte ends as well.
            self._client = httpx2.AsyncClient(timeout=None, follow_redirects=False)
        sent: dict[str, Any] = {"headers": self._headers, "params": fill(self._params, request) or None}
        if self._request is not None:
            sent["json"] = fill(self._request, request)
        try:
            async with self._client.stream(self._method, fill_url(self._url, request), **sent) as response:
                if response.status_code == 429 or (response.status_code == 503 and "retry-after" in response.headers):
                    body = await _bounded(response)
                    wait = retry_after_of(response.headers)
                    raise ServerFault(_told(body), status=response.status_code, retry_after=wait)
                return response.status_code, response.headers, await _bounded(response)
        except httpx2.ConnectError as error:
            raise ServerFault(f"no connection: {error}") from None
        except httpx2.InvalidURL as error:
            raise self._setup_error(f"url: {error}") from None
        except httpx2.TransportError as error:
            said = str(error) or type(error).__name__
            raise AskFailedError(AgentFault.CRASH, f"the connection broke off: {self._secrets.hidden(said)}") from None
        except httpx2.DecodingError as error:
            raise NotReadableError(f"the reply's compression is broken: {error}") from None

    def _read(self, status: int, headers: Mapping[str, str], body: bytes) -> Any:
        if status in _REDIRECTS and not self._has_answered:
            raise self._setup_error(
                f"HTTP {status}: the server sends us on to {headers.get('location', 'nowhere')}; write that address, "
                "or, where it is a login page, give a key under headers"
            )
        if status == 401 or (status == 403 and not self._has_answered):
            sent = ", ".join(self._headers) or "none"
            raise self._setup_error(f"HTTP {status}: {_told(body)}; is the key right? Headers that were sent: {sent}")
        if status >= 300:
            raise AskFailedError(AgentFault.CRASH, self._secrets.hidden(f"HTTP {status}: {_told(body)}"))
        value = parse_json(body)
        self._has_answered = True
        return value

    def _setup_error(self, text: str) -> AgentSetupError:
        return AgentSetupError(self._secrets.hidden(f"{self._file.path}: {text}"))


async def _bounded(response: "Response") -> bytes:
    parts, size = [], 0
    async for part in response.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > MAX_REPLY:
            raise NotReadableError(f"the reply is larger than {MAX_REPLY >> 20} MiB")
    return b"".join(parts)


def _told(body: bytes) -> str:
    text = body[:20_000].decode("utf-8", "replace")
    return markup(text) or start(text) or "no words"


def _checked_headers(headers: Mapping[str, str], file: AgentFile) -> dict[str, str]:
    for name, value in headers.items():
        if not name.isascii() or not value.isascii() or any(ord(char) < 32 for char in name + value):
            raise AgentSetupError(f"{file.path}: headers.{name}: a header holds printable ASCII only")
    return {"User-Agent": f"stef/{VERSION}", "Accept": "application/json", **headers}
