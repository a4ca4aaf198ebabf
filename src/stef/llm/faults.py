"""What went wrong between stef and a model's server, and what follows from it."""

import re
from enum import Enum, auto
from typing import Final

from stef.records.judgement import Usage


class ServerFault(Exception):  # noqa: N818  # it is never seen outside of llm/
    """A call that brought no usable reply.

    `status` is the HTTP status, None where no whole reply came (a timeout, a dropped connection, a broken body).
    `code` is the server's own code; `retry_after` what it asks to wait, in seconds; `usage` what it cost all the same.
    `unreachable`: no connection came about at all.
    """

    unreachable = False

    def __init__(
        self,
        message: str,
        status: int | None = None,
        code: str | None = None,
        retry_after: float | None = None,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.retry_after = retry_after
        self.usage = usage

    def __str__(self) -> str:
        said = f"HTTP {self.status}: {self.message}" if self.status else self.message
        return said if self.retry_after is None else f"{said} (the server asks to wait {self.retry_after:.0f} s)"


class Remedy(Enum):
    """What to do about a fault."""

    RETRY = auto()
    GIVE_UP_TURN = auto()
    STOP_RUN = auto()


_PASSING: Final = frozenset({408, 409, 425, 429})
_SPENT: Final = re.compile(
    r"insufficient_quota|billing_hard_limit|exceeded your current quota|credit balance", re.IGNORECASE
)
_ABOUT_THE_TEXT: Final = re.compile(
    r"context.?(?:length|window|size)|maximum context|too many tokens|(?:prompt|input|request) is too (?:long|large)"
    r"|content.?(?:filter|policy|management)|string_above_max_length|safety",
    re.IGNORECASE,
)
# litellm says so under a status that it makes up.
_NOT_SET_UP: Final = re.compile(r"No module named|must be installed|pip install|Must provide one of", re.IGNORECASE)


def remedy_for(fault: ServerFault, proven: bool) -> Remedy:
    """What to do about `fault`. `proven`: this server and model have answered before, so the set-up itself works."""
    said = f"{fault.code or ''} {fault.message}"
    if not proven and _NOT_SET_UP.search(fault.message):
        return Remedy.STOP_RUN
    if fault.status is None:
        return Remedy.RETRY
    if fault.status in (402, 429) and _SPENT.search(said):
        return Remedy.STOP_RUN
    if fault.status in _PASSING or fault.status >= 500:
        return Remedy.RETRY
    if fault.status == 413 or (fault.status in (400, 422) and (proven or _ABOUT_THE_TEXT.search(said))):
        return Remedy.GIVE_UP_TURN
    return Remedy.STOP_RUN
