"""The openai SDK's exceptions as ServerFaults. litellm's are subclasses of them."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from stef.llm.faults import ServerFault

_LONGEST_MESSAGE: Final = 500
_DEEPEST: Final = 20
_SHORTEST_SECRET: Final = 6
_NO_CONNECTION: Final = frozenset({"ConnectError", "ConnectionRefusedError", "gaierror", "ClientConnectorError"})
# What the SDKs put before the server's own words.
_PREFIX: Final = re.compile(r"^Error code: \d+ - |^(?:(?:litellm\.)?\w+(?:Error|Exception)(?:: | - ))+")


def to_fault(error: Exception, secret: str | None = None) -> ServerFault:
    """`error` as a ServerFault. `secret` is taken out of its message: some servers send the key back."""
    message = " ".join(str(getattr(error, "message", None) or error or type(error).__name__).split())
    message = _PREFIX.sub("", message).partition(" Traceback (most recent call last)")[0] or message
    unreachable = any(_NO_CONNECTION & {base.__name__ for base in type(cause).__mro__} for cause in _causes(error))
    if unreachable:
        message = f"no connection: {_causes(error)[-1]}"
    if secret and len(secret) >= _SHORTEST_SECRET:
        message = message.replace(secret, "***")
    status = getattr(error, "status_code", None)
    fault = ServerFault(
        message[:_LONGEST_MESSAGE],
        status=status if isinstance(status, int) and _has_reply(error) and not unreachable else None,
        code=_code(error),
        retry_after=retry_after_of(_headers(error)),
    )
    fault.unreachable = unreachable
    return fault


def _causes(error: BaseException) -> list[BaseException]:
    causes = [error]
    while len(causes) < _DEEPEST:
        cause = causes[-1].__cause__ or causes[-1].__context__
        if cause is None:
            break
        causes.append(cause)
    return causes


def _has_reply(error: Exception) -> bool:
    # litellm gives timeouts and dropped connections a status of their own.
    names = {base.__name__ for base in type(error).__mro__}
    return not names & {"APIConnectionError", "APITimeoutError"}


def _code(error: Exception) -> str | None:
    code = getattr(error, "code", None) or getattr(error, "type", None)
    return code if isinstance(code, str) else None


def _headers(error: Exception) -> Mapping[str, str]:
    for holder in (getattr(error, "response", None), error):
        for name in ("headers", "litellm_response_headers"):
            headers = getattr(holder, name, None)
            if isinstance(headers, Mapping) and "retry-after" in headers:
                return headers
    return {}


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """What a server asks to wait, in seconds, by its header Retry-After; None where it asks for nothing."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
