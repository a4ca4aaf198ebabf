"""What differs from one kind of server to the next."""

import contextlib
import os
import socket
from dataclasses import dataclass
from typing import Any, Protocol

from stef.databases.protocol import Limits
from stef.records.result import FailureKind


@dataclass(frozen=True, slots=True)
class Trouble:
    """A driver's error: its kind, the server's words, the name that it does not know, and is the login at fault."""

    kind: FailureKind
    message: str
    unknown: str = ""
    login: bool = False


class Manners(Protocol):
    """How one kind of server is asked only to read, in time. Connections and cursors are the driver's own.

    `chunk` is how many rows one request to the server brings; `survives_cut` says that a connection can go on after a
    result that was not fetched to its end.
    """

    chunk: int
    survives_cut: bool

    def prepare(self, connection: Any) -> None:
        """Make a new connection ready: how it reads values."""

    def begin(self, connection: Any, limits: Limits) -> None:
        """Begin a transaction that only reads, under the server's own time limit where it has one."""

    def cursor(self, connection: Any) -> Any:
        """A cursor that leaves the rows with the server until they are fetched."""

    def cancel(self, connection: Any) -> None:
        """Ask the server to end what runs on `connection`; called from another thread, perhaps more than once."""

    def hang_up(self, connection: Any) -> None:
        """Break the connection under a query that the server does not end, so that nobody waits for it any longer."""

    def abandon(self, cursor: Any) -> None:
        """Forget the rows that are still to come: the connection is closed next."""

    def trouble(self, error: BaseException) -> Trouble:
        """What an error of the driver's means."""
        ...


def shut_down(descriptor: int) -> None:
    """End a connection's socket for both sides, which wakes whoever waits on it; the descriptor stays the driver's."""
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as copy:
        copy.shutdown(socket.SHUT_RDWR)
