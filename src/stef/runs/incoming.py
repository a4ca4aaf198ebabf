"""Where the turns of a job come from: files, or a query whose rows are first copied to a file."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from pathlib import Path
from typing import Any, Final

from stef.databases.urls import safe_url
from stef.errors import InputError
from stef.runs.sources import Source, find_sources

QUERY: Final = "query"


class NothingYetError(InputError):
    """Every file of a log that grows may still be written."""


@dataclass(frozen=True, slots=True)
class Query:
    """A query at a database. The URL may hold a password: it is never shown or stored."""

    url: str = field(repr=False)
    sql: str

    def settings(self) -> dict[str, str]:
        """What of it belongs to a run's settings."""
        return {"from": safe_url(self.url), "sql": self.sql}


@contextmanager
def sources_of(logs: tuple[str, ...], query: Query | None) -> Iterator[list[Source]]:
    """The files to read, as `find_sources` finds them.

    The rows of a query are copied to a temporary file first, in constant memory: the database is let go of before the
    first turn is judged, and a run that goes on sees at once whether the rows are still the same. Raises InputError
    where there is nothing to read.
    """
    if query is None:
        with find_sources(logs) as found:
            yield found
        return
    with tempfile.TemporaryDirectory(prefix="stef-") as folder:
        yield [_copied(query, Path(folder) / "query.jsonl")]


def known_first(sources: list[Source], run: Path) -> list[Source]:
    """The sources in the order in which the RUN at `run` took them, and those that are new to it behind them."""
    order = _known(run)
    return sorted(sources, key=lambda source: order.get(source.name, len(order)))


def settled(sources: list[Source], run: Path, seconds: float) -> list[Source]:
    """The sources without those that are new to `run` and may still be written: changed in the last `seconds`.

    Raises NothingYetError where none is left.
    """
    known, now = _known(run), datetime.now(UTC).timestamp()
    # A file from the future is as good as old: only a wrong clock makes one.
    left = [one for one in sources if one.name in known or not 0 <= now - one.changed() < seconds]
    if not left:
        raise NothingYetError("every file of the log may still be written")
    return left


def _known(run: Path) -> dict[str, int]:
    """The names of the inputs that a RUN was made of, with their places."""
    try:
        inputs = json.loads((run / "run.json").read_bytes())["settings"]["inputs"]
        return {one["name"]: place for place, one in enumerate(inputs)}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _copied(query: Query, path: Path) -> Source:
    from stef.databases.rows import stream_rows  # noqa: PLC0415  heavy

    rows = 0
    with path.open("w", encoding="utf-8", errors="replace") as file:
        for rows, row in enumerate(stream_rows(query.url, query.sql), start=1):  # noqa: B007  how many there were
            file.write(_line(row) + "\n")
    if not rows:
        raise InputError(f"the query at {safe_url(query.url)} gives no rows")
    return Source(path, QUERY, copied=True)


def _line(row: dict[str, Any]) -> str:
    try:
        return json.dumps(row, ensure_ascii=False, default=_plain, allow_nan=False)
    except ValueError:  # JSON knows no NaN and no infinity
        return json.dumps(_finite(row), ensure_ascii=False, default=_plain)


def _finite(value: Any) -> Any:
    match value:
        case float() if not isfinite(value):
            return str(Decimal(value))
        case dict():
            return {name: _finite(one) for name, one in value.items()}
        case list() | tuple():
            return [_finite(one) for one in value]
        case _:
            return value


def _plain(value: Any) -> Any:
    match value:
        case datetime() | date() | time():
            return value.isoformat()
        case Decimal():
            if not value.is_finite():
                return str(value)
            # An id may have more digits than a float.
            return int(value) if value.as_tuple().exponent == 0 else float(value)
        case timedelta():
            return value.total_seconds()
        case bytes() | bytearray() | memoryview():
            return bytes(value).decode("utf-8", "replace")
        case _:
            return str(value)
