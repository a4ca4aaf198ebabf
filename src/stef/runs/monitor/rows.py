"""The turns of RUNs as they are watched: when, which question, what came of it, and by which yardstick."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from sys import intern
from typing import Any

from stef.errors import UserError
from stef.runs.compare.rows import normalised
from stef.runs.monitor.kinds import Traits, traits
from stef.runs.run import Run
from stef.runs.state import State, state_of
from stef.runs.yardstick import EVALUATION
from stef.stats.agents import holds_sql

SCORE, P_CORRECT, READABLE, DECLINED = "score", "p_correct", "readable", "declined"
AGAIN = "score_again"
"""The score, each question held against itself: what moves though the same is asked."""

PER = ("agent", "agent_version", "app", "database")
"""By what turns can be watched apart."""

_COLUMNS = (
    "row", "id", "timestamp", "question", "database", "agent", "agent_version", "app", "score", "p_correct", "band",
    "findings", "unscored_reason", "unscored_kind", "has_sql", "filter_alignment",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What a RUN was measured with: setting by setting, as text."""

    settings: tuple[tuple[str, str], ...]

    @property
    def judge(self) -> str:
        """Who judged."""
        return json.loads(dict(self.settings).get("judge", "null")) or "unknown"

    def changes(self, other: "Yardstick") -> tuple[str, ...]:
        """What is another in `other`, in words: `judge "symbolic" → "openai:gpt"`."""
        mine, its = dict(self.settings), dict(other.settings)
        names = [name for name in dict.fromkeys([*mine, *its]) if mine.get(name) != its.get(name)]
        return tuple(f"{name} {_brief(mine.get(name))} → {_brief(its.get(name))}" for name in names)


@dataclass(frozen=True, slots=True)
class Watched:
    """One turn. `cluster` names its question (database and text), `asked` says what kind of question that is;
    `yardstick` is the number of its RUN's.

    `sql`: whether it counts for the readable rate, as in the agent table.
    """

    id: str
    moment: datetime
    cluster: str
    asked: Traits
    agent: str | None
    agent_version: str | None
    app: str | None
    database: str | None
    state: State
    sql: bool
    score: float | None
    p_correct: float | None
    band: str | None
    filters: str | None
    findings: tuple[str, ...]
    reason: str | None
    yardstick: int


def figure_of(turn: Watched, name: str) -> float | None:
    """A figure of one turn in [0, 1]; None where the turn says nothing of it.

    `score`, `score_again`: Φ / 100. `p_correct`: of scored turns, as the judge has it.
    `readable`: of turns that hold SQL. `declined`: of turns whose end is the agent's.
    """
    match name:
        case "score" | "score_again":
            return None if turn.score is None else turn.score / 100.0
        case "p_correct":
            return turn.p_correct
        case "readable":
            return float(turn.state is not State.UNREADABLE) if turn.sql else None
        case "declined":
            return None if turn.state is State.UNKNOWN else float(turn.state is State.DECLINED)
        case _:
            raise ValueError(f"no figure {name!r}")


def yardstick_of(run: Run) -> Yardstick:
    """What `run` was measured with."""
    evaluation = run.settings.get("evaluation", {})
    found = {words: evaluation.get(name) for name, words in EVALUATION.items() if evaluation.get(name) is not None}
    if run.settings.get("rescored") is not None:
        found["weights of rescoring"] = run.settings["rescored"]
    return Yardstick(tuple((name, json.dumps(value, sort_keys=True, default=str)) for name, value in found.items()))


def watched_rows(
    run: Run,
    yardstick: int,
    only: Mapping[str, str],
    otherwise: datetime | None = None,
    asked: dict[str, Traits] | None = None,
) -> Iterator[Watched | None]:
    """The turns of `run` that are `only` of these fields' values; None for each without a timestamp (or `otherwise`).

    `asked` keeps what each question is, so that none is read twice. Raises InputError where the RUN cannot be read.
    """
    asked = {} if asked is None else asked
    for row in run.rows(_COLUMNS):
        if any((row[name] or "") != value for name, value in only.items()):
            continue
        moment = row["timestamp"] or otherwise
        yield None if moment is None else _watched(row, yardstick, moment, asked)


def read_only(texts: Sequence[str]) -> dict[str, str]:
    """`agent=bot` and its like. Raises UserError for another field, or none."""
    found = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or name not in PER:
            raise UserError(f"--only {text}: write FIELD=VALUE with one of {', '.join(PER)}, such as agent=bot")
        found[name] = value
    return found


def _watched(row: Mapping[str, Any], yardstick: int, moment: datetime, asked: dict[str, Traits]) -> Watched:
    database, question = row["database"], row["question"] or ""
    kind = asked.get(question)
    if kind is None:
        kind = asked[question] = traits(question)
    return Watched(
        id=row["id"] or "",
        moment=moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC),
        cluster=intern(f"{database or ''}\x00{normalised(question)}"),
        asked=kind,
        agent=_interned(row["agent"]),
        agent_version=_interned(row["agent_version"]),
        app=_interned(row["app"]),
        database=_interned(database),
        state=state_of(row),
        sql=holds_sql(row["has_sql"], row["unscored_kind"], row["unscored_reason"]),
        score=row["score"],
        p_correct=row["p_correct"] if row["score"] is not None else None,
        band=_interned(row["band"]),
        filters=_interned(row["filter_alignment"]),
        findings=_codes(tuple(row["findings"] or ())),
        reason=_interned(row["unscored_reason"]),
        yardstick=yardstick,
    )


@lru_cache(maxsize=4096)
def _codes(codes: tuple[str, ...]) -> tuple[str, ...]:
    """One and the same tuple for the same codes."""
    return tuple(map(intern, codes))


def _interned(text: str | None) -> str | None:
    return None if text is None else intern(text)


def _brief(text: str | None) -> str:
    if text is None:
        return "none"
    return text if len(text) <= 60 else f"{text[:57]}…"
