"""Connections that wait for their next query."""

from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

_Connection = TypeVar("_Connection")


class Pool(Generic[_Connection]):
    """As many open connections as queries ran at once: each query has one to itself, on whatever thread it runs."""

    def __init__(self, open_one: Callable[[], _Connection], close_one: Callable[[_Connection], object]) -> None:
        self._open = open_one
        self._close = close_one
        self._idle: deque[_Connection] = deque()
        self._closed = False

    def take(self) -> _Connection:
        """An idle connection, else a new one."""
        try:
            return self._idle.pop()
        except IndexError:
            return self._open()

    def give_back(self, connection: _Connection) -> None:
        """Keep `connection` for the next query; after `close` it is closed instead."""
        self._idle.append(connection)
        if self._closed:
            self.close()

    def drop(self, connection: _Connection) -> None:
        """Close a connection that is not to be used again."""
        self._close(connection)

    def close(self) -> None:
        """Close what is idle now, and what is given back later."""
        self._closed = True
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                return
            self._close(connection)
