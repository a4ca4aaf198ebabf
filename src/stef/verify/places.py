"""The databases of a log, each opened once."""

from threading import Lock

from stef.databases import Databases, Limits
from stef.errors import StefError
from stef.gold.validate.place import Place

_MOST_USES = 2_000
"""Turns after which a place forgets what it was asked: a long log must not fill the memory."""


class Places:
    """Databases within limits, by the names that turns give them."""

    def __init__(self, databases: Databases, limits: Limits) -> None:
        self._databases = databases
        self._limits = limits
        self._lock = Lock()
        self._found: dict[str, tuple[Place, int]] = {}
        self._away: dict[str, StefError] = {}

    def get(self, name: str | None) -> Place | StefError:
        """The database of that name, or why it cannot be reached."""
        key = name or ""
        with self._lock:
            if key in self._away:
                return self._away[key]
            place, uses = self._found.get(key, (None, 0))
            if place is None or uses >= _MOST_USES:
                try:
                    place, uses = Place(self._databases.get(name), self._limits), 0
                except StefError as error:
                    self._away[key] = error
                    return error
            self._found[key] = place, uses + 1
            return place

    def raise_where_none(self) -> None:
        """One URL that leads nowhere is the user's mistake, not a doubt about each of a thousand answers."""
        if self._away and not self._found:
            raise next(iter(self._away.values()))
