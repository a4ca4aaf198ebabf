"""The rows of a RUN as a comparison reads them: the key by which they are paired, their figures, what is said."""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stef.errors import UserError
from stef.runs.labelled import SLICES
from stef.runs.paths import follow, parse_path
from stef.runs.run import Run
from stef.runs.state import State, state_of

SCORE, P_CORRECT, CORRECT = "score", "p_correct", "correct"
FIGURES = (
    "exact_match", "bird_ex", "executable", "columns_precision", "columns_recall", "cells_precision", "cells_recall",
    "tables_precision", "tables_recall", "joins_precision", "joins_recall", "projections_precision",
    "projections_recall", "filters_precision", "filters_recall", "filters_without_values_precision",
    "filters_without_values_recall", "aggregations_precision", "aggregations_recall", "grouping_precision",
    "grouping_recall", "retrieval_precision", "retrieval_recall", "agent_retrieval_precision",
    "agent_retrieval_recall",
)  # fmt: skip
"""The figures of a gold run that are compared beside `correct`."""

POINTS = 100.0
"""Shares are compared in points, as scores are: 0 to 100."""

_SCORE_COLUMNS = (
    "row", "id", "question", "agent", "agent_version", "session", "database", "sql", "score", "p_correct", "spread",
    "verdict", "filter_alignment", "findings", "missing_filters", "extra_filters", "unscored_reason", "unscored_kind",
    "case_id", "app", "band", "metadata",
)  # fmt: skip
_GOLD_COLUMNS = (
    "row", "id", "question", "agent", "agent_version", "database", "sql", "case_id", "phrasing", "category",
    "difficulty", "tags", "kind", "outcome", "correct", "held_out", "ceilings", "symptom", "bucket", "error",
    "error_whose", "gold_fingerprints", "answer_fingerprint", "scorer_fault", *FIGURES,
)  # fmt: skip
_GOLD_SLICES = frozenset({"agent", "agent_version", "database", "category", "difficulty", "tags", "kind", "outcome"})
OUTCOMES = frozenset({
    "finding", "findings", "verdict", "band", "filters", "filter_alignment", "enrichment", "missing_filter",
    "extra_filter", "missing_filters", "extra_filters", "outcome", "score", "p_correct", "correct", "symptom", "bucket",
})  # fmt: skip
"""What came of a turn. Turns that are chosen by it are not chosen fairly: it neither makes sides nor slices."""
_END = " \t?.!¿¡"


@dataclass(frozen=True, slots=True)
class Told:
    """One turn of a RUN. `figures` are in points (0 to 100); one that is undefined is not in it.

    `key` pairs it with the other side's (None: it has none), `cluster` names the question whose pairs move together.
    `facts` are the columns that say what changed; `places` what slices it belongs to.
    """

    row: int
    id: str
    key: str | None
    cluster: str
    question: str
    agent: str
    version: str | None
    session: str | None
    state: State
    figures: Mapping[str, float]
    facts: Mapping[str, Any]
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def normalised(question: str) -> str:
    """A question as it is paired: letter case, white space, width of letters and the mark at its end do not count."""
    text = " ".join(unicodedata.normalize("NFKC", question).casefold().split())
    return text.strip(_END) or text


def told_rows(run: Run, key: str | None, by: Sequence[str]) -> Iterator[Told]:
    """The turns of `run`, paired by the field `key` (None: by question and database, or by case and phrasing).

    `by` names what they are sliced by: columns, else fields of their metadata. Raises UserError for a name that a gold
    run does not have, InputError where the RUN cannot be read.
    """
    told = _gold if run.gold else _scored
    names: tuple[str, ...] = _GOLD_COLUMNS
    if run.gold:
        _refuse_unknown((key, *by))
    else:
        names = (*_SCORE_COLUMNS, *(SLICES[name] for name in by if name in SLICES))
    held = {row["column_name"] for row in run.query("DESCRIBE turns")}
    extra = (key,) if key in held else ()
    columns = [name for name in dict.fromkeys((*names, *extra)) if name in held]
    # A RUN of an earlier stef may lack a column.
    lacking = dict.fromkeys(name for name in names if name not in held)
    for stored in run.rows(columns):
        row = {**lacking, **stored} if lacking else stored
        metadata = json.loads(row["metadata"]) if row.get("metadata") else {}
        places = {name: tuple(_values(name, row, metadata)) for name in by}
        yield told(row, None if key is None else _one(key, row, metadata), places, key is None)


def _scored(row: Mapping[str, Any], given: str | None, places: Mapping[str, tuple[str, ...]], by_text: bool) -> Told:
    text = f"{row['database'] or ''}\x00{normalised(row['question'] or '')}"
    figures = {name: row[name] * scale for name, scale in ((SCORE, 1.0), (P_CORRECT, POINTS)) if row[name] is not None}
    return Told(
        row=row["row"],
        id=row["id"],
        key=text if by_text else given,
        cluster=row["case_id"] or text,
        question=row["question"] or "",
        agent=_agent(row),
        version=row["agent_version"],
        session=row["session"],
        state=state_of(row),
        figures=figures if row["score"] is not None else {},
        facts=row,
        places=places,
    )


def _gold(row: Mapping[str, Any], given: str | None, places: Mapping[str, tuple[str, ...]], by_text: bool) -> Told:
    values = {name: row.get(name) for name in (CORRECT, *FIGURES)}
    usable = not row["held_out"] and not row["scorer_fault"]
    return Told(
        row=row["row"],
        id=row["id"],
        key=f"{row['case_id']}\x00{row['phrasing']}" if by_text else given,
        cluster=row["case_id"],
        question=row["question"] or "",
        agent=_agent(row),
        version=row["agent_version"],
        session=None,
        state=State.SCORED if usable and row["correct"] is not None else State.UNKNOWN,
        figures={name: float(value) * POINTS for name, value in values.items() if usable and value is not None},
        facts=row,
        places=places,
    )


def _agent(row: Mapping[str, Any]) -> str:
    """The agent without its version, which gold runs put into the name."""
    agent, version = row["agent"] or "", row["agent_version"]
    return agent.removesuffix(version).strip() if version else agent


def _values(name: str, row: Mapping[str, Any], metadata: Mapping[str, Any]) -> Iterator[str]:
    column = SLICES.get(name, name)
    value = row[column] if column in row else follow(dict(metadata), parse_path(name))
    for one in value if isinstance(value, list) else [value]:
        if one is not None and one != "":
            yield str(one)


def _one(name: str, row: Mapping[str, Any], metadata: Mapping[str, Any]) -> str | None:
    value = row[name] if name in row else follow(dict(metadata), parse_path(name))
    if value is None or value == "":
        return None
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _refuse_unknown(names: Sequence[str | None]) -> None:
    for name in names:
        if name is not None and name not in _GOLD_COLUMNS and name not in _GOLD_SLICES and name != "version":
            raise UserError(f"a gold run has no {name!r}; there are {', '.join(sorted(_GOLD_SLICES))}")
