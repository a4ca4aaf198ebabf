"""RUNs → the turns that are watched: read part by part, column by column; texts stay where they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from stef.errors import UserError
from stef.runs.asked import question_digest
from stef.runs.monitor.turns import PER, Fact, Facts, Turns
from stef.runs.numbering import Digests, Numbers, Truths, Whole
from stef.runs.run import Run
from stef.runs.state import state_of
from stef.stats.agents import holds_sql

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_FACTS = (
    *PER, "unscored_kind", "unscored_reason", "has_sql", "band", "filter_alignment", "findings",
)  # fmt: skip
_COLUMNS = ("id", "timestamp", "question", "score", "p_correct", *_FACTS)
_WITHIN = "\x1f"
"""What parts the codes of a turn's findings while they are one text."""

_MOST = 1 << 62


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


def microseconds(moment: datetime) -> int:
    """Since 1970."""
    return (moment - EPOCH) // _MICROSECOND


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
        texts = {name: _coded(batch.column(name)) for name in (*_FACTS, "question")}
        score = _floats(batch.column("score"))
        fact, held = self._fact([texts[name] for name in _FACTS], ~np.isnan(score))
        moment, timed = _moments(batch.column("timestamp"), self._otherwise)
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
            "p_correct": np.where(np.isnan(score), np.nan, _floats(batch.column("p_correct"))),
        }
        self._rows += len(batch)
        for name, values in found.items():
            self._columns[name].append(values if held.all() else values[held])

    def _fact(self, columns: Sequence[tuple[Whole, list[Any]]], scored: Truths) -> tuple[Whole, Truths]:
        """The number of each turn's facts, and whether it is one that is asked for."""
        coded = [*columns, (scored.astype(np.int64), [False, True])]
        distinct, of = _distinct(coded)
        numbers, asked = [], []
        for codes in distinct:
            fact = tuple(values[code] for code, (_, values) in zip(codes, coded, strict=True))
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
        own = _mixed(columns.pop("id"), columns["yardstick"])
        who = Numbers()
        agents = np.array([who.of((one.agent, one.agent_version)) for one in facts.all], dtype=np.int64)
        marks = _mixed(own, columns["moment"], columns["cluster"], agents[columns["fact"]])
        turns = Turns(facts, **columns)
        number, first = len(turns), np.unique(marks, return_index=True)[1]
        if len(first) < number:
            first.sort()
            turns, own = turns.where(first), own[first]
        same = len(turns) - len(np.unique(own))
        return Read(turns, self._untimed, number - len(turns), same, self._early)


def _fact(*said: Any) -> Fact:
    agent, version, app, database, kind, reason, has_sql, band, filters, findings, scored = said
    return Fact(
        agent=agent,
        agent_version=version,
        app=app,
        database=database,
        state=state_of({"score": 0.0 if scored else None, "unscored_kind": kind}),
        sql=holds_sql(has_sql, kind, reason),
        band=band,
        filters=filters,
        findings=tuple(findings.split(_WITHIN)) if findings else (),
        reason=reason,
    )


def _coded(column: "pa.Array") -> tuple[Whole, list[Any]]:
    """For each the number of its value, and the values."""
    import pyarrow as pa  # noqa: PLC0415  heavy
    import pyarrow.compute as pc  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

    texts = pc.binary_join(column, _WITHIN) if pa.types.is_list(column.type) else column
    encoded = texts.dictionary_encode()
    values = [*encoded.dictionary.to_pylist(), None]
    return encoded.indices.fill_null(len(values) - 1).to_numpy(zero_copy_only=False).astype(np.int64), values


def _distinct(columns: Sequence[tuple[Whole, list[Any]]]) -> tuple[list[list[int]], Whole]:
    """The distinct rows of coded columns, and for each row which of them it is."""
    key, width = np.zeros(len(columns[0][0]), dtype=np.int64), 1
    for codes, values in columns:
        if width * len(values) >= _MOST:
            key = np.unique(key, return_inverse=True)[1]
            width = len(key)
        key, width = key * len(values) + codes, width * len(values)
    _, first, of = np.unique(key, return_index=True, return_inverse=True)
    return np.stack([codes[first] for codes, _ in columns], axis=1).tolist(), of


def _clusters(databases: tuple[Whole, list[Any]], questions: tuple[Whole, list[Any]]) -> Digests:
    distinct, of = _distinct([databases, questions])
    digests = [_digest(databases[1][database], questions[1][question]) for database, question in distinct]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)[of]


@lru_cache(maxsize=65_536)
def _digest(database: str | None, question: str | None) -> bytes:
    return question_digest(database, question, 8)


def _moments(column: "pa.Array", otherwise: int | None) -> tuple[Whole, Truths]:
    """Microseconds since 1970, and whether there are any; times without a zone are UTC."""
    import pyarrow as pa  # noqa: PLC0415  heavy
    import pyarrow.compute as pc  # noqa: PLC0415  heavy

    whole = pc.cast(pc.cast(column, pa.timestamp("us", tz=getattr(column.type, "tz", None)), safe=False), pa.int64())
    timed = np.asarray(column.is_valid().to_numpy(zero_copy_only=False), dtype=np.bool_)
    if otherwise is not None:
        timed = np.ones(len(column), dtype=np.bool_)
    return whole.fill_null(otherwise or 0).to_numpy(zero_copy_only=False), timed


def _floats(column: "pa.Array") -> Any:
    """NaN where there is none."""
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _mixed(*columns: Any) -> Digests:
    """One number for what stands in all columns (splitmix64): only good for telling whether it is the same."""
    found = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        found += column.astype(np.uint64, copy=False) + np.uint64(0x9E3779B97F4A7C15)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            found ^= found >> np.uint64(shift)
            found *= np.uint64(factor)
        found ^= found >> np.uint64(31)
    return found
