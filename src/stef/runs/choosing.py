"""A part of a log in place of all of it: a sample, or what is new."""

import hashlib
import heapq
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from stef.errors import UserError
from stef.evaluator import Evaluator
from stef.runs.turns import Row

_AGO: Final = re.compile(r"(\d+)\s*([mhdw])")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_SCALE: Final = float(1 << 64)
_NO_FINDING: Final = ""


class SampleBy(StrEnum):
    """How a sample is drawn."""

    RANDOM = "random"
    AGENT = "agent"
    NEWEST = "newest"
    FINDING = "finding"


@dataclass(frozen=True, slots=True)
class Sample:
    """`count` turns, or a `share` of them in (0, 1]; exactly one is set. The same seed draws the same turns.

    By `agent`, `count` is for each agent and version; by `finding`, the rarest findings come first, so that each is
    there as often as the others, as far as there are turns.
    """

    count: int | None = None
    share: float | None = None
    by: SampleBy = SampleBy.RANDOM
    seed: int = 0

    def settings(self) -> dict[str, Any]:
        """What belongs to a run's settings."""
        return {"count": self.count, "share": self.share, "by": self.by.value, "seed": self.seed}


def parse_sample(text: str, by: str = SampleBy.RANDOM, seed: int = 0) -> Sample:
    """The sample that `500` or `5%` names. Raises UserError for anything else."""
    try:
        kind = SampleBy(by)
    except ValueError as error:
        raise UserError(f"--sample-by {by}: give one of {', '.join(SampleBy)}") from error
    number = text.strip().removesuffix("%")
    try:
        value = float(number)
    except ValueError:
        value = 0.0
    if text.strip().endswith("%"):
        if not 0 < value <= 100:
            raise UserError(f"--sample {text}: give more than 0 % and at most 100 %")
        if kind in (SampleBy.NEWEST, SampleBy.FINDING):
            raise UserError(f"--sample {text}: by {kind} give a number of turns, not a share")
        return Sample(share=value / 100, by=kind, seed=seed)
    if not number.isdigit() or value < 1:
        raise UserError(f"--sample {text}: give a number of turns, such as 500, or a share, such as 5%")
    return Sample(count=int(number), by=kind, seed=seed)


def parse_since(text: str, now: datetime) -> datetime:
    """The moment that `2026-11-01`, `2026-11-01T06:00:00Z` or `7d` (`m`, `h`, `d`, `w` ago) names, in UTC.

    Raises UserError for anything else.
    """
    ago = _AGO.fullmatch(text.strip())
    if ago:
        return now - timedelta(**{_UNITS[ago.group(2)]: int(ago.group(1))})
    try:
        return _in_utc(datetime.fromisoformat(text.strip()))
    except ValueError as error:
        raise UserError(f"--since {text}: give a date, a time (2026-11-01T06:00:00Z), or a span such as 7d") from error


@dataclass(frozen=True, slots=True)
class Choice:
    """Which turns are scored: those since a moment, and of these a sample."""

    since: datetime | None = None
    sample: Sample | None = None

    def settings(self) -> dict[str, Any]:
        """What belongs to a run's settings; nothing where all turns are scored."""
        chosen: dict[str, Any] = {}
        if self.since is not None:
            chosen["since"] = self.since.isoformat()
        if self.sample is not None:
            chosen["sample"] = self.sample.settings()
        return chosen

    def test(self, rows: Callable[[], Iterable[Row]], evaluator: Evaluator) -> Callable[[Row], bool]:
        """Says of each turn of the log whether it is chosen. `rows` reads the log: once more, where that is needed."""
        sample = self.sample
        if sample is None:
            return self._is_new
        if sample.share is not None:
            share = sample.share
            return lambda row: self._is_new(row) and _rank(sample, row) < share * _SCALE
        drawn = _drawn(sample, filter(self._is_new, rows()), evaluator)
        return lambda row: row.row in drawn

    def _is_new(self, row: Row) -> bool:
        at = row.turn.timestamp
        return self.since is None or (at is not None and _in_utc(at) >= self.since)


def _drawn(sample: Sample, rows: Iterable[Row], evaluator: Evaluator) -> frozenset[int]:
    """The rows of a sample of so many turns, in memory for those alone."""
    count = sample.count or 0
    match sample.by:
        case SampleBy.RANDOM:
            return frozenset(row for _, row in heapq.nsmallest(count, ((_rank(sample, one), one.row) for one in rows)))
        case SampleBy.NEWEST:
            dated = ((_in_utc(one.turn.timestamp), one.row) for one in rows if one.turn.timestamp is not None)
            return frozenset(row for _, row in heapq.nlargest(count, dated))
        case SampleBy.AGENT:
            strata = _strata(sample, rows, lambda row: [(row.turn.agent, row.turn.agent_version)])
            return frozenset(row for stratum in strata.values() for row in stratum)
        case SampleBy.FINDING:
            return _in_turns(_strata(sample, rows, lambda row: _codes(row, evaluator)), count)


def _strata(sample: Sample, rows: Iterable[Row], of: Callable[[Row], Iterable[Any]]) -> dict[Any, list[int]]:
    """Of each stratum so many turns as the sample has, by lot."""
    heaps: defaultdict[Any, list[tuple[int, int]]] = defaultdict(list)
    for row in rows:
        for stratum in of(row):
            heap, entry = heaps[stratum], (-_rank(sample, row), -row.row)
            if len(heap) < (sample.count or 0):
                heapq.heappush(heap, entry)
            else:
                heapq.heappushpop(heap, entry)
    return {stratum: [-row for _, row in sorted(heap, reverse=True)] for stratum, heap in heaps.items()}


def _in_turns(strata: dict[Any, list[int]], count: int) -> frozenset[int]:
    """`count` rows, one of each stratum after the other, the smallest stratum first."""
    order = sorted(strata, key=lambda code: (len(strata[code]), code))
    left = {code: iter(strata[code]) for code in order}
    drawn: set[int] = set()
    while left and len(drawn) < count:
        for code in order:
            if code not in left or len(drawn) >= count:
                continue
            row = next((one for one in left[code] if one not in drawn), None)
            if row is None:
                del left[code]
            else:
                drawn.add(row)
    return frozenset(drawn)


def _codes(row: Row, evaluator: Evaluator) -> list[str]:
    request = evaluator.prepare_turn(row.turn).request
    codes = [] if request is None else sorted({finding.code for finding in request.findings})
    return codes or [_NO_FINDING]


def _rank(sample: Sample, row: Row) -> int:
    """A number by lot, from 0 up to 2^64, the same for the same seed and row."""
    return int.from_bytes(hashlib.blake2b(f"{sample.seed}:{row.row}".encode(), digest_size=8).digest(), "big")


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
