"""A gold RUN in short: the overview of its turns, and the golds that several agents agree against."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from stef.errors import InputError
from stef.gold.reading import Overview, ReportRow, overview_of
from stef.records.case import CaseKind
from stef.runs.gold.record import GoldRecord, record_from_json
from stef.runs.run import Run

_COLUMNS = (
    "row",
    "category",
    "difficulty",
    "tags",
    "kind",
    "control",
    "retrieval_seconds",
    "agent_seconds",
    "query_seconds",
    "record",
)
_SEVERAL = 2
"""Agents that it takes to doubt a gold; versions of one agent are one."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A gold that agents agree against: `agents` of the `asked` give one and the same answer, which is not the gold's.

    It puts the gold in doubt, and no more: agents make the same mistakes. `example` is the id of one such turn.
    """

    case_id: str
    agents: int
    asked: int
    example: str


@dataclass(frozen=True, slots=True)
class GoldSummary:
    """A gold RUN in short. `agreements`: the most agents first; `unreachable`: what databases that were down said, and
    on how many turns."""

    overview: Overview
    agreements: tuple[Agreement, ...]
    worst: str | None
    unreachable: Mapping[str, int]


def summarise_gold(run: Run) -> GoldSummary:
    """The summary of all turns in the RUN. Raises InputError where its Parquet cannot be read."""
    return GoldSummary(overview_of(report_rows(run)), tuple(_agreements(run)), _worst(run), _unreachable(run))


def record_of(run: Run, row: dict[str, Any]) -> GoldRecord:
    """The record of a row. Raises InputError where it is of another version of stef."""
    try:
        return record_from_json(row["record"])
    except ValueError as error:
        raise InputError(f"{run.path}: row {row['row']} holds no record of this version of stef") from error


def report_rows(run: Run) -> Iterator[ReportRow]:
    """The turns of a run, in their order, as an overview reads them."""
    for row in run.rows(_COLUMNS):
        record = record_of(run, row)
        yield ReportRow(
            report=record.report,
            agent=record.agent,
            agent_version=record.agent_version,
            phrasing=record.phrasing,
            sample=record.sample,
            database=record.database,
            category=row["category"],
            difficulty=row["difficulty"],
            tags=tuple(row["tags"] or ()),
            kind=CaseKind(row["kind"]),
            control=row["control"],
            has_sql=record.sql is not None,
            retrieval_seconds=row["retrieval_seconds"],
            agent_seconds=row["agent_seconds"],
            query_seconds=row["query_seconds"],
        )


def _agreements(run: Run) -> Iterator[Agreement]:
    """Cases where more than half of the agents that were asked give the same wrong answer."""
    base = "trim(CASE WHEN agent_version IS NULL THEN agent ELSE replace(agent, agent_version, '') END)"
    rows = run.query(
        f"""
        WITH asked AS (SELECT case_id, phrasing, count(*) AS n FROM turns WHERE NOT held_out GROUP BY ALL),
        wrong AS (
            SELECT case_id, phrasing, answer_fingerprint, count(*) AS turns, count(DISTINCT {base}) AS agents,
                arg_min(id, row) AS example
            FROM turns
            WHERE correct = FALSE AND executable AND answer_rows > 0 AND NOT held_out
                AND answer_fingerprint IS NOT NULL
            GROUP BY ALL
        )
        SELECT case_id, turns, n, example FROM wrong JOIN asked USING (case_id, phrasing)
        WHERE agents >= {_SEVERAL} AND 2 * turns > n ORDER BY turns DESC, n, case_id
        """  # noqa: S608  our own names
    )
    for row in rows:
        yield Agreement(row["case_id"], row["turns"], row["n"], row["example"])


def _worst(run: Run) -> str | None:
    """The id of a turn worth looking at: wrong, and the least like its gold."""
    rows = run.query(
        """
        SELECT id FROM turns WHERE correct = FALSE AND executable AND NOT held_out
        ORDER BY coalesce(columns_recall, 0) + coalesce(cells_recall, 0), row LIMIT 1
        """
    )
    return rows[0]["id"] if rows else None


def _unreachable(run: Run) -> Mapping[str, int]:
    rows = run.query(
        "SELECT error, count(*) AS n FROM turns WHERE error_whose = 'database' GROUP BY error ORDER BY n DESC, error"
    )
    return {row["error"]: row["n"] for row in rows}
