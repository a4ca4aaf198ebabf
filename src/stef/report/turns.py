"""The turns of scored RUNs as a page shows them: the list's columns, and the explanation of each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from stef.errors import InputError
from stef.records.assessment import Assessment, Scored
from stef.records.serialise import assessment_from_json
from stef.report.causes import cause_of
from stef.report.checks import Checked, checks_section
from stef.report.details import Detail, Names, Packed, pack
from stef.report.explanation import (
    Mark,
    Section,
    Stretch,
    arithmetic,
    headline,
    marked_enriched,
    marked_question,
    marked_sql,
    sections,
)
from stef.report.scored import ScoredReport, is_low, name_of
from stef.report.text import visible
from stef.runs.picked import picked
from stef.runs.run import Run

MOST_TURNS = 10_000
"""Turns that can be opened in one page, unless said otherwise."""
_LONGEST = 20_000
"""Characters of a text that is shown; a longer one is cut, and says so."""
_AT_ONCE = 2_000
"""Turns that are read whole at once."""
_MARKS = {mark: number for number, mark in enumerate(Mark)}
_COLUMNS = (
    "row",
    "id",
    "agent",
    "agent_version",
    "app",
    "database",
    "timestamp",
    "question",
    "score",
    "p_correct",
    "band",
    "filter_alignment",
    "verdict",
    "extra_filters",
    "benign_filters",
    "findings",
    "unscored_reason",
    "assessment",
)


def packed_turns(reports: Sequence[ScoredReport], most: int, checks: Checked | None = None) -> Packed:
    """The turns of all reports; where they are more than `most`, those that scored lowest, each RUN its share.

    `checks` are of the last RUN; the turns that they name are among those held.
    """
    names = {key: Names() for key in ("agent", "band", "cause", "finding", "filters", "verdict", "checked")}
    texts = {key: Names() for key in ("question", "sql")}
    share = max(1, most // max(1, len(reports)))
    details = []
    for number, report in enumerate(reports):
        of_this = checks if number == len(reports) - 1 else None
        held = _held(report.run, share, of_this)
        for start in range(0, len(held), _AT_ONCE):
            rows = held[start : start + _AT_ONCE]
            whole = picked(report.run.parts(), rows, _COLUMNS)
            told = {} if of_this is None else of_this.told(rows)
            details += [_detail(number, whole[row], told.get(row), names, texts) for row in rows]
    return pack(details, names, texts, packed_head([str(report.run.path) for report in reports]))


def packed_head(runs: Sequence[str]) -> dict[str, Any]:
    """What the page needs to show packed turns: the marks and what they say, the names of the RUNs."""
    return {
        "marks": [mark.value for mark in Mark],
        "meanings": [mark.name.lower().replace("_", " ") for mark in Mark],
        "runs": [visible(run) for run in runs],
    }


def _held(run: Run, most: int, checks: Checked | None) -> list[int]:
    """The rows that the page holds, in order."""
    lowest = run.query(f"SELECT row FROM turns ORDER BY score NULLS FIRST, p_correct, row LIMIT {int(most)}")  # noqa: S608
    return sorted({*(one["row"] for one in lowest), *(() if checks is None else checks.named)})


def assessment_of(row: Mapping[str, Any], where: object) -> Assessment:
    """The Assessment of a row. Raises InputError where it is of another version of stef."""
    try:
        return assessment_from_json(row["assessment"])
    except ValueError as error:
        raise InputError(f"{where}: row {row['row']} holds no Assessment of this version of stef") from error


def _detail(
    number: int,
    row: Mapping[str, Any],
    checked: Mapping[str, Any] | None,
    names: Mapping[str, Names],
    texts: Mapping[str, Names],
) -> Detail:
    assessment = assessment_of(row, f"RUN {number + 1}")
    question, agent = row["question"] or "", name_of(row["agent"], row["agent_version"])
    columns = {
        "run": number,
        "row": row["row"],
        "id": visible(row["id"] or ""),
        "agent": names["agent"].number(visible(agent)),
        "score": row["score"],
        "p": None if row["p_correct"] is None else round(row["p_correct"], 4),
        "band": names["band"].number(row["band"]),
        "cause": names["cause"].number(cause_of(row).title if is_low(row) else None),
        "finding": [names["finding"].number(code) for code in dict.fromkeys(row["findings"] or ())],
        "filters": names["filters"].number(row["filter_alignment"]),
        "verdict": names["verdict"].number(row["verdict"]),
        "checked": names["checked"].number(None if checked is None else checked["outcome"]),
        "question": texts["question"].number(cut(question)),
        "sql": texts["sql"].number(cut(assessment.sql)),
    }
    body = body_of(row, assessment)
    if checked is not None:
        body["lines"].append(_section(checks_section(checked)))
    return Detail(question, columns, body)


def body_of(row: Mapping[str, Any], assessment: Assessment) -> dict[str, Any]:
    """What opens under a turn: texts in marked stretches, and sections of marked lines."""
    outcome = assessment.outcome
    return {
        "head": visible(headline(assessment)),
        "sum": arithmetic(outcome) if isinstance(outcome, Scored) else "",
        "about": [visible(text) for text in _about(row)],
        "q": _stretches(marked_question(assessment)),
        "e": _stretches(marked_enriched(assessment)),
        "s": _stretches(marked_sql(assessment)),
        "lines": [_section(section) for section in sections(assessment)],
    }


def _about(row: Mapping[str, Any]) -> Iterable[str]:
    if row["database"]:
        yield f"database {row['database']}"
    if row["app"]:
        yield f"app {row['app']}"
    if row["timestamp"]:
        yield f"asked {row['timestamp']:%Y-%m-%d %H:%M} UTC"


def _stretches(stretches: Iterable[Stretch]) -> list[Any]:
    """Plain text stands as itself, a marked stretch with the number of its mark."""
    left, found = _LONGEST, []
    for one in stretches:
        text = one.text if len(one.text) <= left else one.text[:left] + " … (cut)"
        found.append(visible(text) if one.mark is None else [_MARKS[one.mark], visible(text)])
        left -= len(one.text)
        if left <= 0:
            break
    return found


def _section(section: Section) -> list[Any]:
    lines = [[_MARKS[line.mark], visible(cut(line.text)), visible(cut(line.why))] for line in section.lines]
    return [section.title, lines]


def cut(text: str) -> str:
    """A text as the page holds it: a very long one is cut, and says so."""
    return text if len(text) <= _LONGEST else text[:_LONGEST] + " … (cut)"
