"""What a RUN says in short: the agent table, the reasons of the unscored, the filters that go wrong most often."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stef.findings.registry import FAULT
from stef.records.alignment import FilterAlignment
from stef.records.assessment import Band
from stef.records.reasons import UnscoredReason, kind_of
from stef.runs.run import Run
from stef.stats import AgentSummary, AgentTable, ScoreRow

_COLUMNS = ("agent", "agent_version", "score", "band", "unscored_reason", "has_sql")
_MOST = 5
_BANDS = {band.value: band for band in Band}
_REASONS = {reason.value: reason for reason in UnscoredReason}


@dataclass(frozen=True, slots=True)
class Counted:
    """Something, and in how many turns it was."""

    text: str
    turns: int


@dataclass(frozen=True, slots=True)
class BesideGold:
    """What an agent's scores are beside what the golds say, where the log was a gold run.

    Of the `turns` with a verdict, `right` are right; the mean scores are of those that are scored.
    """

    agent: str | None
    agent_version: str | None
    turns: int
    right: int
    mean_right: float | None
    mean_wrong: float | None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A RUN in short. `worst` is the turn with the lowest score (the least p_correct among equals); its `row` and `id`.

    `examples` holds one id for each reason of an unscored turn. `disagreements`: turns where a model's verdict is on
    one side and the symbolic evidence on the other. `finding_faults`: turns on which a rule of the findings raised:
    stef's own fault, which cost the turn nothing but that finding.
    """

    agents: tuple[AgentSummary, ...]
    total: AgentSummary
    filter_classes: Mapping[str, int]
    missing: tuple[Counted, ...]
    extra: tuple[Counted, ...]
    findings: tuple[Counted, ...]
    duplicate_ids: int
    worst: Mapping[str, Any] | None
    examples: Mapping[str, str]
    disagreements: int = 0
    finding_faults: int = 0
    beside_gold: tuple[BesideGold, ...] = ()


def summarise(run: Run) -> RunSummary:
    """The summary of all turns that are in the RUN. Raises InputError where its Parquet cannot be read."""
    table = AgentTable(_score_row(row) for row in run.rows(_COLUMNS))
    counted = run.query("SELECT filter_alignment AS name, count(*) AS n FROM turns GROUP BY 1")
    classes = {row["name"]: row["n"] for row in counted}
    worst = run.query(
        "SELECT row, id, score FROM turns WHERE score IS NOT NULL ORDER BY score, p_correct NULLS LAST, row LIMIT 1"
    )
    doubled = run.query("SELECT count(*) - count(DISTINCT id) AS n FROM turns")
    reasons = run.query(
        "SELECT unscored_reason AS reason, arg_min(id, row) AS id FROM turns "
        "WHERE unscored_reason IS NOT NULL GROUP BY 1"
    )
    faults = run.query(f"SELECT count(*) AS n FROM turns WHERE list_contains(findings, '{FAULT}')")  # noqa: S608
    return RunSummary(
        agents=table.agents(),
        total=table.total(),
        filter_classes={kind.value: classes.get(kind.value, 0) for kind in FilterAlignment},
        missing=_most_common(run, _each("missing_filters")),
        extra=_most_common(run, f"{_each('extra_filters')} EXCEPT {_each('benign_filters')}"),
        findings=_most_common(run, f"SELECT * FROM ({_each('findings')}) WHERE text <> '{FAULT}'"),  # noqa: S608
        duplicate_ids=doubled[0]["n"] if doubled else 0,
        worst=worst[0] if worst else None,
        examples={row["reason"]: row["id"] for row in reasons},
        disagreements=_disagreements(run),
        finding_faults=faults[0]["n"] if faults else 0,
        beside_gold=_beside_gold(run),
    )


def _has(run: Run, column: str) -> bool:
    """Whether the RUN has a column; one of an earlier stef may lack it."""
    return bool(run.query("SELECT 1 FROM (DESCRIBE turns) WHERE column_name = ?", [column]))


def _beside_gold(run: Run) -> tuple[BesideGold, ...]:
    if not _has(run, "gold_correct"):
        return ()
    rows = run.query(
        """
        SELECT agent, agent_version, count(*) AS turns, count_if(gold_correct) AS "right",
            avg(score) FILTER (WHERE gold_correct) AS mean_right,
            avg(score) FILTER (WHERE NOT gold_correct) AS mean_wrong
        FROM turns WHERE gold_correct IS NOT NULL GROUP BY ALL ORDER BY agent, agent_version
        """
    )
    return tuple(BesideGold(**row) for row in rows)


def _disagreements(run: Run) -> int:
    if not _has(run, "symbolic_p"):
        return 0
    rows = run.query(
        "SELECT count(*) AS n FROM turns WHERE (symbolic_p >= 0.5) <> (verdict IN ('correct', 'likely_correct'))"
    )
    return int(rows[0]["n"]) if rows else 0


def _score_row(row: Mapping[str, Any]) -> ScoreRow:
    reason = _REASONS.get(row["unscored_reason"])
    return ScoreRow(
        agent=row["agent"],
        agent_version=row["agent_version"],
        score=row["score"],
        band=_BANDS.get(row["band"]),
        unscored_reason=reason,
        unscored_kind=kind_of(reason) if reason else None,
        has_sql=bool(row["has_sql"]),
    )


def _each(column: str) -> str:
    return f"SELECT row, unnest({column}) AS text FROM turns"  # noqa: S608  our own names


def _most_common(run: Run, texts: str) -> tuple[Counted, ...]:
    """The texts that stand in most turns; ties by text."""
    rows = run.query(
        f"SELECT text, count(DISTINCT row) AS n FROM ({texts}) GROUP BY 1 ORDER BY n DESC, text LIMIT {_MOST}"  # noqa: S608
    )
    return tuple(Counted(row["text"], row["n"]) for row in rows)
