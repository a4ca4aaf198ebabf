"""A RUN and labels, put together: which turn has which label, and what could not be matched."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stef.errors import InputError, UserError
from stef.runs.labels import Labels, Trouble
from stef.runs.paths import follow, parse_path
from stef.runs.run import Run

SLICES: Mapping[str, str] = {
    "agent": "agent",
    "version": "agent_version",
    "agent_version": "agent_version",
    "app": "app",
    "database": "database",
    "dialect": "dialect",
    "session": "session",
    "finding": "findings",
    "findings": "findings",
    "verdict": "verdict",
    "band": "band",
    "filters": "filter_alignment",
    "filter_alignment": "filter_alignment",
    "enrichment": "enrichment",
    "missing_filter": "missing_filters",
    "extra_filter": "extra_filters",
    "judge": "judge",
}
"""What turns can be sliced by, and its column; any other name is looked for in their metadata, then in the labels."""

_COLUMNS = (
    "row", "id", "question", "database", "sql", "status", "score", "p_correct", "p_correct_raw", "verdict",
    "unscored_reason", "unscored_kind",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LabelledTurn:
    """A turn that has a label. `p_correct` and `score` are None where it is unscored.

    `p_raw` is what the judge said before a calibration. `question` names the cluster: database and question.
    `slices` holds, for each name that was asked for, the values the turn belongs to.
    """

    row: int
    id: str
    correct: bool
    asked: str
    question: str
    p_correct: float | None
    p_raw: float | None
    score: float | None
    verdict: str | None
    reason: str | None
    slices: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class LabelledRun:
    """The turns that have a label, and how many do not.

    `unknown`: labels whose id the RUN does not hold. `ambiguous`: ids that several turns share which are not alike, so
    that nobody knows which one was labelled. `alike`: further turns that are the same as a labelled one, left out.
    """

    turns: Sequence[LabelledTurn]
    run_turns: int
    unknown: Trouble
    ambiguous: Trouble
    alike: int

    @property
    def scored(self) -> list[LabelledTurn]:
        """The turns that have a probability."""
        return [turn for turn in self.turns if turn.p_correct is not None]


def label_run(run: Run, labels: Labels, by: Sequence[str] = ()) -> LabelledRun:
    """Put `labels` on the turns of `run`; `by` names what the turns will be sliced by.

    Raises InputError where no label fits a turn, UserError for a name in `by` that no turn has.
    """
    columns = {*_COLUMNS, "metadata", *(SLICES[name] for name in by if name in SLICES)}
    found: dict[str, dict[str, Any]] = {}
    ambiguous, alike, total = Trouble(), 0, 0
    shared: set[str] = set()
    for row in run.rows([*columns]):
        total += 1
        for name in (row["id"], f"#{row['row']}"):
            key = _key(name, labels)
            if key is None:
                continue
            first = found.setdefault(key, row)
            if first is row:
                continue
            if (first["question"], first["sql"]) == (row["question"], row["sql"]):
                alike += 1
            elif key not in shared:
                shared.add(key)
                ambiguous.add(key)
    unknown = Trouble()
    for name in labels.by_id:
        if name not in found:
            unknown.add(name)
    held = {key: row for key, row in found.items() if key not in shared}
    if not held:
        raise InputError(_none_fits(run, labels, ambiguous))
    turns = [_labelled(row, labels, key, by) for key, row in held.items()]
    _refuse_unknown_slices(turns, by)
    return LabelledRun(sorted(turns, key=lambda turn: turn.row), total, unknown, ambiguous, alike)


def sliced(turns: Iterable[LabelledTurn], name: str) -> dict[str, list[LabelledTurn]]:
    """The turns by their value of `name`, the largest slice first; those without a value are in none."""
    groups: dict[str, list[LabelledTurn]] = {}
    for turn in turns:
        for value in turn.slices[name]:
            groups.setdefault(value, []).append(turn)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def _key(name: str | None, labels: Labels) -> str | None:
    """The id by which the labels know a turn: its own, or the same without spaces around it."""
    if name is None or name in labels.by_id:
        return name
    bare = name.strip()
    return bare if bare in labels.by_id else None


def _labelled(row: Mapping[str, Any], labels: Labels, key: str, by: Sequence[str]) -> LabelledTurn:
    label = labels.by_id[key]
    scored = row["status"] == "scored"
    raw = row.get("p_correct_raw")
    return LabelledTurn(
        row=row["row"],
        id=row["id"],
        correct=label.correct,
        asked=row["question"],
        question=f"{row['database'] or ''}\x00{row['question']}",
        p_correct=row["p_correct"] if scored else None,
        p_raw=(row["p_correct"] if raw is None else raw) if scored else None,
        score=row["score"],
        verdict=row["verdict"],
        reason=row["unscored_reason"],
        slices={name: tuple(_values(name, row, label.fields)) for name in by},
    )


def _values(name: str, row: Mapping[str, Any], label: Mapping[str, Any]) -> Iterator[str]:
    if name in SLICES:
        value = row[SLICES[name]]
    else:
        path = parse_path(name)
        value = follow(json.loads(row["metadata"]) if row["metadata"] else {}, path)
        value = follow(dict(label), path) if value is None else value
    for one in value if isinstance(value, list) else [value]:
        if one is not None and one != "":
            yield str(one)


def _refuse_unknown_slices(turns: Sequence[LabelledTurn], by: Sequence[str]) -> None:
    for name in by:
        if name not in SLICES and not any(turn.slices[name] for turn in turns):
            from rapidfuzz import process  # noqa: PLC0415  only for the message

            near = process.extractOne(name, list(SLICES), score_cutoff=60)
            hint = f"did you mean {near[0]}? " if near else ""
            raise UserError(
                f"--by {name}: no labelled turn has it; {hint}there are {', '.join(SLICES)}, and any field of the log "
                "that was kept (stef score --keep) or of the labels"
            )


def _none_fits(run: Run, labels: Labels, ambiguous: Trouble) -> str:
    if ambiguous.count:
        return (
            f"{run.path}: every labelled id belongs to several different turns, such as {ambiguous.examples[0]}; "
            "label rows instead: an id such as #17 is the turn's row"
        )
    held = [str(row["id"]) for row in run.query("SELECT id FROM turns ORDER BY row LIMIT 3")]
    if not labels.by_id:
        return "every label is contradicted by another one of the same id; see which of them is right"
    wanted = ", ".join(list(labels.by_id)[:3])
    return (
        f"{run.path}: none of {len(labels.by_id)} labels has the id of a turn; the labels have {wanted}, "
        f"the turns {', '.join(held)}"
    )
