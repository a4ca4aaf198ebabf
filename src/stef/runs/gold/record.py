"""One row of a gold run: what was asked and said, where the results lie, and the report."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from stef.records.asking import AgentReply, Retrieved
from stef.records.gold import CaseReport

if TYPE_CHECKING:
    from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True)
class GoldRecord:
    """A turn on a case, whole: with it, the run's cases, answers and schemas every figure can be computed anew.

    `dialect` is the turn's SQL's, `gold_dialect` the golds' and the offered DDL's. `phrasing` 0 is the case's question,
    n its nth paraphrase; `sample` counts how often the same was asked before. `sql` is what was run, None where the
    turn held no query.
    `gold_keys` and `answer_key` name the results in `answers/`. `hidden` are the ids that nobody was to use.
    """

    row: int
    id: str
    case_id: str
    agent: str
    agent_version: str | None
    phrasing: int
    question: str
    database: str | None
    dialect: str | None
    gold_dialect: str | None
    reply: AgentReply
    report: CaseReport
    sql: str | None = None
    retrieved: Retrieved | None = None
    hidden: tuple[str, ...] = ()
    gold_keys: tuple[str, ...] = ()
    answer_key: str | None = None
    sample: int = 0


@lru_cache(maxsize=1)
def _adapter() -> "TypeAdapter[GoldRecord]":
    from pydantic import TypeAdapter  # noqa: PLC0415  # building the schema takes time that `stef --help` has no use for

    return TypeAdapter(GoldRecord)


def record_to_json(record: GoldRecord) -> str:
    """The record as one line of JSON."""
    return _adapter().dump_json(record).decode()


def record_from_json(text: str) -> GoldRecord:
    """The record that `record_to_json` wrote. Raises ValueError on anything else."""
    return _adapter().validate_json(text)
