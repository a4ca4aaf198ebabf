"""What `stef verify` found on the database, beside the scores of the same turns."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stef.errors import InputError
from stef.report.explanation import Line, Mark, Section
from stef.runs.picked import picked
from stef.runs.run import Run, open_any_run
from stef.runs.verify.folder import VERIFY, CheckFolder
from stef.verify.records import Outcome, Rung, Stand

MOST_NAMED = 25
"""Turns that are named for each way in which score and checks contradict each other."""
_HIGH, _LOW = frozenset({"excellent", "good"}), frozenset({"marginal", "poor"})
_OPPOSED = frozenset({Outcome.REFUTED.value, Outcome.DOUBTFUL.value})
_COLUMNS = ("row", "id", "outcome", "p", "rungs")
_MARKS = {
    Stand.FOR: Mark.MATCHED,
    Stand.NEUTRAL: Mark.PLAIN,
    Stand.AGAINST: Mark.MISSING,
    Stand.NOTHING: Mark.UNDECIDED,
}


@dataclass(frozen=True, slots=True)
class RungCount:
    """Of the turns for which a rung was `climbed`: those that it caught, passed, or could not look at (`nothing`)."""

    rung: str
    climbed: int
    caught: int
    passed: int
    nothing: int
    left_out: int


@dataclass(frozen=True, slots=True)
class Named:
    """A turn of which score and checks contradict each other. `said` is what was seen on the database."""

    row: int
    id: str
    question: str
    score: float
    outcome: str
    p: float | None
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """The checks of a scored RUN's turns. `bands` counts turns by outcome and band (None: without a score).

    `high` scored high and are opposed by a check, the surest first; `low` scored low and are supported; the first of
    each are named. `unmatched` checks are of no turn of the RUN.
    """

    run: Run
    turns: int
    unmatched: int
    rungs: tuple[RungCount, ...]
    bands: Mapping[tuple[str, str | None], int]
    high: tuple[Named, ...]
    high_turns: int
    low: tuple[Named, ...]
    low_turns: int

    @property
    def named(self) -> frozenset[int]:
        """The rows of the turns that are named."""
        return frozenset(one.row for one in (*self.high, *self.low))

    @property
    def outcomes(self) -> dict[str, int]:
        """How many turns have each outcome."""
        counts: Counter[str] = Counter()
        for (outcome, _), turns in self.bands.items():
            counts[outcome] += turns
        return {one.value: counts[one.value] for one in Outcome}

    def told(self, rows: Iterable[int]) -> dict[int, Mapping[str, Any]]:
        """The whole record of the checks of these rows."""
        found = picked(check_parts(self.run.path), rows, ("verification",))
        return {row: _record(one["verification"]) for row, one in found.items()}


def check_parts(path: Path) -> list[Path]:
    """The Parquet of a RUN of `stef verify`."""
    return sorted((path / CheckFolder.PARTS).glob("part-*.parquet"))


def read_checks(path: Path, run: Run) -> Checked:
    """The checks at `path` beside the turns of the scored `run`, row by row; a check counts where the id is the same.

    Raises InputError for what is no RUN of `stef verify`, and where none of its turns is one of the RUN's.
    """
    checks = open_any_run(path)
    if checks.settings.get("kind") != VERIFY:
        raise InputError(f"--checks {path}: not made by stef verify; stef verify {run.path} --db URL -o NEW makes one")
    known = {row["row"]: (row["id"], row["score"], row["band"]) for row in run.rows(("row", "id", "score", "band"))}
    seen = _Seen()
    for part in check_parts(path):
        for check in checks.part_rows(part, _COLUMNS):
            seen.add(check, known.get(check["row"]))
    if not seen.turns:
        raise InputError(f"--checks {path}: of no turn of {run.path}; stef verify {run.path} --db URL -o NEW makes one")
    return seen.checked(checks, run)


class _Seen:
    """What one pass over the checks adds up."""

    def __init__(self) -> None:
        self.turns = self.unmatched = 0
        self.bands: Counter[tuple[str, str | None]] = Counter()
        self.stands: Counter[tuple[str, str]] = Counter()
        self.high: list[tuple[float, float, int]] = []
        self.low: list[tuple[float, float, int]] = []

    def add(self, check: Mapping[str, Any], turn: tuple[str, float | None, str | None] | None) -> None:
        """Count one check, of a turn with this id, score and band."""
        if turn is None or turn[0] != check["id"]:
            self.unmatched += 1
            return
        _, score, band = turn
        self.turns += 1
        self.bands[check["outcome"], band] += 1
        self.stands.update(_stand(one) for one in check["rungs"] or ())
        p = 0.5 if check["p"] is None else check["p"]
        if score is not None and band in _HIGH and check["outcome"] in _OPPOSED:
            self.high.append((p, -score, check["row"]))
        if score is not None and band in _LOW and check["outcome"] == Outcome.SUPPORTED.value:
            self.low.append((-p, score, check["row"]))

    def checked(self, checks: Run, run: Run) -> Checked:
        """What was counted, with the turns that are named."""
        high, low = (sorted(one)[:MOST_NAMED] for one in (self.high, self.low))
        return Checked(
            run=checks,
            turns=self.turns,
            unmatched=self.unmatched,
            rungs=tuple(self._rung(rung.value) for rung in Rung),
            bands=dict(self.bands),
            high=tuple(_named([row for _, _, row in high], run, checks)),
            high_turns=len(self.high),
            low=tuple(_named([row for _, _, row in low], run, checks)),
            low_turns=len(self.low),
        )

    def _rung(self, rung: str) -> RungCount:
        stands = {stand: self.stands[rung, stand.value] for stand in Stand}
        climbed = sum(stands.values())
        passed = stands[Stand.FOR] + stands[Stand.NEUTRAL]
        return RungCount(rung, climbed, stands[Stand.AGAINST], passed, stands[Stand.NOTHING], self.turns - climbed)


def _stand(text: str) -> tuple[str, str]:
    rung, _, stand = text.partition(": ")
    return rung, stand


def _named(rows: Sequence[int], run: Run, checks: Run) -> Iterator[Named]:
    turns = picked(run.parts(), rows, ("id", "question", "score"))
    found = picked(check_parts(checks.path), rows, ("outcome", "p", "verification"))
    for row in rows:
        turn, check = turns[row], found[row]
        yield Named(
            row=row,
            id=turn["id"],
            question=turn["question"] or "",
            score=turn["score"],
            outcome=check["outcome"],
            p=check["p"],
            said=tuple(_said(_record(check["verification"]))),
        )


def _said(found: Mapping[str, Any]) -> Iterator[str]:
    """What stands for or against the answer."""
    for rung in found["rungs"]:
        if rung["stand"] in {Stand.AGAINST.value, Stand.FOR.value}:
            signs = [f"{sign['code']}: {sign['message']}" for sign in rung["signs"]]
            yield f"{rung['rung']}: {'; '.join(signs) or rung['detail']}"


def checks_section(found: Mapping[str, Any]) -> Section:
    """What each rung said of a turn, in marked lines."""
    return Section("Checks on the database (stef verify)", tuple(_lines(found)))


def _lines(found: Mapping[str, Any]) -> Iterator[Line]:
    p = "" if found["p"] is None else f", p = {found['p']:.2f}"
    mark = {Outcome.SUPPORTED: Mark.MATCHED, Outcome.DOUBTFUL: Mark.MISSING, Outcome.REFUTED: Mark.MISSING}
    yield Line(mark.get(Outcome(found["outcome"]), Mark.PLAIN), f"{found['outcome']}{p}", found["reason"] or "")
    for rung in found["rungs"]:
        stand = Stand(rung["stand"])
        yield Line(_MARKS[stand], f"{rung['rung']}: {_STANDS[stand]}", "" if rung["signs"] else rung["detail"])
        for sign in rung["signs"]:
            against = sign["weight"] < 0
            yield Line(Mark.MISSING if against else Mark.PLAIN, f"{sign['code']}: {sign['message']}", sign["way_out"])
    for rung, why in (found.get("left_out") or {}).items():
        yield Line(Mark.PLAIN, f"{rung}: not climbed", why)
    for claim in (found.get("wording") or {}).get("claims") or ():
        if claim["ground"] == "nothing":
            yield Line(Mark.MISSING, f"wording: {claim['kind']} {claim['text']!r}", "stands on nothing in the rows")


_STANDS = {
    Stand.FOR: "speaks for the answer",
    Stand.NEUTRAL: "passed",
    Stand.AGAINST: "speaks against the answer",
    Stand.NOTHING: "could not look",
}


def _record(text: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(text)
    return found
