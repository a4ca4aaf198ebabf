"""RUNs → the turns that are watched: read part by part, column by column; texts stay where they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from sys import intern
from typing import TYPE_CHECKING, Any

import numpy as np

from stef.errors import UserError
from stef.runs.asked import question_digest
from stef.runs.monitor.columns import WITHIN, coded, distinct, floats, microseconds, mixed, moments
from stef.runs.monitor.facts import PER, Fact, Facts
from stef.runs.monitor.turns import Turns
from stef.runs.numbering import Digests, Numbers, Truths, Whole
from stef.runs.run import Run
from stef.runs.state import state_of
from stef.stats.agents import holds_sql

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

_FACTS = (
    *PER, "unscored_kind", "unscored_reason", "has_sql", "band", "filter_alignment", "findings",
)  # fmt: skip
_COLUMNS = ("id", "timestamp", "question", "score", "p_correct", *_FACTS)


@dataclass(frozen=True, slots=True)
class Read:
    """Turns in the order in which they were read, and what was left out; a turn that is there twice counts once."""

    turns: Turns
    untimed: int
    duplicates: int
    same_id: int
    early: int


def read_turns(
    runs: Sequence[tuple[Run, int]],
    only: Mapping[str, str],
    since: datetime | None = None,
    otherwise: datetime | None = None,
) -> Read:
    """The turns of RUNs, each with the number of its yardstick, that are `only` of these fields' values.

    Turns before `since` are left out, and those without a timestamp, unless there is one for them (`otherwise`).
    Raises InputError where a RUN cannot be read.
    """
    reading = _Reading(only, None if since is None else microseconds(since), otherwise)
    for run, yardstick in runs:
        for batch in run.batches(_COLUMNS):
            reading.add(batch, yardstick)
    return reading.read()


def read_only(texts: Sequence[str]) -> dict[str, str]:
    """`agent=bot` and its like. Raises UserError for another field, or none."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in PER:
            raise UserError(f"--only {text}: write FIELD=VALUE with one of {', '.join(PER)}, such as agent=bot")
        found[name] = value
    return found


class _Reading:
    """Columns as they fill."""

    def __init__(self, only: Mapping[str, str], since: int | None, otherwise: datetime | None) -> None:
        self._only = only
        self._since = since
        self._otherwise = None if otherwise is None else microseconds(otherwise)
        self._facts = Numbers()
        self._columns: dict[str, list[Any]] = {name: [] for name in ("id", *Turns.columns())}
        self._rows = self._untimed = self._early = 0

    def add(self, batch: "pa.RecordBatch", yardstick: int) -> None:
        """Keep what is asked for."""
        texts = {name: coded(batch.column(name)) for name in (*_FACTS, "question")}
        score = floats(batch.column("score"))
        fact, held = self._fact([texts[name] for name in _FACTS], ~np.isnan(score))
        moment, timed = moments(batch.column("timestamp"), self._otherwise)
        self._untimed += int((held & ~timed).sum())
        held &= timed
        if self._since is not None:
            early = held & (moment < self._since)
            self._early += int(early.sum())
            held &= ~early
        found: dict[str, Any] = {
            "id": np.fromiter(map(hash, batch.column("id").fill_null("").to_pylist()), np.int64, len(batch)),
            "moment": moment,
            "cluster": _clusters(texts["database"], texts["question"]),
            "fact": fact,
            "yardstick": np.full(len(batch), yardstick, dtype=np.int16),
            "place": np.arange(self._rows, self._rows + len(batch)),
            "score": score,
            "p_correct": np.where(np.isnan(score), np.nan, floats(batch.column("p_correct"))),
        }
        self._rows += len(batch)
        for name, values in found.items():
            self._columns[name].append(values if held.all() else values[held])

    def _fact(self, columns: Sequence[tuple[Whole, list[Any]]], scored: Truths) -> tuple[Whole, Truths]:
        """The number of each turn's facts, and whether it is one that is asked for."""
        told = [*columns, (scored.astype(np.int64), [False, True])]
        rows, of = distinct(told)
        numbers, asked = [], []
        for codes in rows:
            fact = tuple(values[code] for code, (_, values) in zip(codes, told, strict=True))
            numbers.append(self._facts.of(fact))
            asked.append(all((fact[PER.index(name)] or "") == value for name, value in self._only.items()))
        return np.array(numbers, dtype=np.int32)[of], np.array(asked, dtype=np.bool_)[of]

    def read(self) -> Read:
        """What was read, without duplicates."""
        columns: dict[str, Any] = {}
        for name in list(self._columns):
            several = self._columns.pop(name)
            columns[name] = np.concatenate(several) if several else np.array([], dtype=np.int64)
        facts = Facts([_fact(*one) for one in self._facts.all()])
        own = mixed(columns.pop("id"), columns["yardstick"])
        who = Numbers()
        agents = np.array([who.of((one.agent, one.agent_version)) for one in facts.all], dtype=np.int64)
        marks = mixed(own, columns["moment"], columns["cluster"], agents[columns["fact"]])
        number, first = len(marks), np.unique(marks, return_index=True)[1]
        if len(first) < number:
            first.sort()
            own = own[first]
            # One column after the other: a second copy of a month's turns would be too much.
            for name, values in columns.items():
                columns[name] = values[first]
        same = len(own) - len(np.unique(own))
        return Read(Turns(facts, **columns), self._untimed, number - len(own), same, self._early)


def _fact(*said: Any) -> Fact:
    texts = (intern(one) if isinstance(one, str) else one for one in said)
    agent, version, app, database, kind, reason, has_sql, band, filters, findings, scored = texts
    return Fact(
        agent=agent,
        agent_version=version,
        app=app,
        database=database,
        state=state_of({"score": 0.0 if scored else None, "unscored_kind": kind}),
        sql=holds_sql(bool(has_sql), kind, reason),
        band=band,
        filters=filters,
        findings=tuple(map(intern, findings.split(WITHIN))) if findings else (),
        reason=reason,
    )


def _clusters(databases: tuple[Whole, list[Any]], questions: tuple[Whole, list[Any]]) -> Digests:
    rows, of = distinct([databases, questions])
    digests = [_digest(databases[1][database], questions[1][question]) for database, question in rows]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)[of]


@lru_cache(maxsize=65_536)
def _digest(database: str | None, question: str | None) -> bytes:
    return question_digest(database, question, 8)
