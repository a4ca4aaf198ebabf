"""A RUN → the turns of one side: the key by which each is paired, its figures, what is said of it."""

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import nan
from typing import Any

import numpy as np

from stef.errors import UserError
from stef.runs.asked import question_digest
from stef.runs.compare.turns import STATES, Known, Turns
from stef.runs.gold.columns import COLUMNS
from stef.runs.labelled import SLICES
from stef.runs.numbering import NONE
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

_SCORE_FACTS = ("verdict", "filter_alignment", "findings", "unscored_reason")
_SCORE_COLUMNS = (
    "row", "id", "question", "agent", "agent_version", "session", "database", "sql", "score", "p_correct", "spread",
    "unscored_kind", "case_id", *_SCORE_FACTS,
)  # fmt: skip
_GOLD_FACTS = (
    "agent", "outcome", "bucket", "symptom", "error", "error_whose", "scorer_fault", "held_out", "ceilings",
    "gold_fingerprints",
)  # fmt: skip
_GOLD_COLUMNS = (
    "row", "id", "agent_version", "sql", "case_id", "phrasing", "correct", *_GOLD_FACTS, *FIGURES,
)  # fmt: skip
_GOLD_SLICES = frozenset({"agent", "agent_version", "database", "category", "difficulty", "tags", "kind", "outcome"})
OUTCOMES = frozenset({
    "finding", "findings", "verdict", "band", "filters", "filter_alignment", "enrichment", "missing_filter",
    "extra_filter", "missing_filters", "extra_filters", "outcome", "score", "p_correct", "correct", "symptom", "bucket",
})  # fmt: skip
"""What came of a turn. Turns that are chosen by it are not chosen fairly: it neither makes sides nor slices."""


def known_of(run: Run) -> Known:
    """An empty numbering for comparisons of RUNs like `run`."""
    return Known(_GOLD_FACTS if run.gold else _SCORE_FACTS)


def read_turns(run: Run, key: str | None, by: Sequence[str], known: Known) -> Turns:
    """The turns of `run`, paired by the field `key` (None: by question and database, or by case and phrasing).

    `by` names what they are sliced by: columns, else fields of their metadata. Read part by part; what is kept of a
    turn are numbers. Raises UserError for a name that a gold run does not have, InputError where the RUN cannot be
    read.
    """
    if run.gold:
        _refuse_unknown((key, *by))
    needed = _GOLD_COLUMNS if run.gold else _SCORE_COLUMNS
    asked = tuple(SLICES.get(name, name) for name in (*by, *((key,) if key else ())))
    held = {row["column_name"] for row in run.query("DESCRIBE turns")}
    names = dict.fromkeys((*needed, *(name for name in asked if name in held)))
    if any(name not in held for name in asked) and not run.gold:
        names["metadata"] = None
    # A RUN of an earlier stef may lack a column.
    lacking = dict.fromkeys(name for name in names if name not in held)
    reading = _Reading(known, key, by, gold=run.gold)
    for row in run.rows([name for name in names if name in held]):
        reading.add({**lacking, **row} if lacking else row)
    return reading.turns()


class _Reading:
    """Columns as they fill."""

    def __init__(self, known: Known, key: str | None, by: Sequence[str], *, gold: bool) -> None:
        self._known = known
        self._key = key
        self._by = by
        self._gold = gold
        self._whole = {name: array("q") for name in ("row", "id", "sql")}
        self._small = {name: array("i") for name in ("key", "cluster", "session", "agent", "fact")}
        self._state = array("b")
        self._spread = array("d")
        self._figures = {name: array("d") for name in ((CORRECT, *FIGURES) if gold else (SCORE, P_CORRECT))}
        self._places = {name: array("i") for name in by}

    def add(self, row: Mapping[str, Any]) -> None:
        known, metadata = self._known, _metadata(row.get("metadata"))
        self._whole["row"].append(row["row"])
        self._whole["id"].append(hash(row["id"]))
        self._whole["sql"].append(NONE if row["sql"] is None else hash(row["sql"]))
        self._small["agent"].append(known.agents.of(_agent(row)))
        self._small["fact"].append(known.facts.of(tuple(_fact(row[name]) for name in known.columns)))
        (self._add_gold if self._gold else self._add_scored)(row)
        if self._key is not None:
            given = _one(self._key, row, metadata)
            self._small["key"].append(NONE if given is None else known.questions.of(("key", given)))
        for name, numbers in self._places.items():
            numbers.append(known.places.of(tuple(_values(name, row, metadata))))

    def _add_scored(self, row: Mapping[str, Any]) -> None:
        known, state = self._known, state_of(row)
        # The text itself is not needed, only what is the same text.
        number = NONE
        if self._key is None or not row["case_id"]:
            number = known.questions.of(question_digest(row["database"], row["question"], 16))
        if self._key is None:
            self._small["key"].append(number)
        self._small["cluster"].append(known.questions.of(("case", row["case_id"])) if row["case_id"] else number)
        self._small["session"].append(NONE if row["session"] is None else known.sessions.of(row["session"]))
        self._state.append(STATES.index(state))
        self._spread.append(_number(row["spread"]))
        scored = state is State.SCORED
        self._figures[SCORE].append(row[SCORE] if scored else nan)
        self._figures[P_CORRECT].append(_number(row[P_CORRECT], POINTS) if scored else nan)

    def _add_gold(self, row: Mapping[str, Any]) -> None:
        known = self._known
        if self._key is None:
            self._small["key"].append(known.questions.of(("key", row["case_id"], row["phrasing"])))
        self._small["cluster"].append(known.questions.of(row["case_id"]))
        self._small["session"].append(NONE)
        usable = not row["held_out"] and not row["scorer_fault"]
        decided = usable and row[CORRECT] is not None
        self._state.append(STATES.index(State.SCORED if decided else State.UNKNOWN))
        self._spread.append(nan)
        for name, values in self._figures.items():
            values.append(_number(row[name], POINTS) if usable else nan)

    def turns(self) -> Turns:
        """What was read."""
        arrays: dict[str, array[Any]] = {**self._whole, **self._small, "state": self._state, "spread": self._spread}
        return Turns(
            known=self._known,
            **{name: _array(values) for name, values in arrays.items()},
            figures={name: _array(values) for name, values in self._figures.items()},
            places={name: _array(values) for name, values in self._places.items()},
        )


def _array(values: "array[Any]") -> Any:
    return np.frombuffer(values, dtype=values.typecode) if values else np.array([], dtype=values.typecode)


def _number(value: Any, scale: float = 1.0) -> float:
    return nan if value is None else float(value) * scale


def _fact(value: Any) -> Any:
    """A value that can be numbered: lists as tuples, texts once."""
    return tuple(value) if isinstance(value, list) else value


@lru_cache(maxsize=4096)
def _metadata(text: str | None) -> Mapping[str, Any]:
    found = json.loads(text) if text else {}
    return found if isinstance(found, dict) else {}


def _agent(row: Mapping[str, Any]) -> str:
    """The agent without its version, which gold runs put into the name."""
    agent, version = row["agent"] or "", row["agent_version"]
    return agent.removesuffix(version).strip() if version else agent


def _values(name: str, row: Mapping[str, Any], metadata: Mapping[str, Any]) -> Iterator[str]:
    column = SLICES.get(name, name)
    value = row[column] if column in row else follow(dict(metadata), parse_path(name)) if metadata else None
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
        if name is not None and name not in COLUMNS and name != "version":
            raise UserError(f"a gold run has no {name!r}; there are {', '.join(sorted(_GOLD_SLICES))}")
