"""Lets one query through. (First cut: by parsing.)"""

from functools import lru_cache

from stef.records.reading import Unreadable
from stef.records.result import Failure, FailureKind
from stef.sql import parse


@lru_cache(maxsize=10_000)
def admit(sql: str, dialect: str) -> "str | Failure":
    """The one query in `sql`, as it is sent to the database, or NOT_ONE_QUERY."""
    parsed = parse(sql, dialect)
    if isinstance(parsed, Unreadable):
        return Failure(FailureKind.NOT_ONE_QUERY, str(parsed.detail))
    return parsed.text
