"""How often each stage of an agent produced what the cases expect of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from stef.gold.reading.figures import Rate, rate_of
from stef.gold.reading.rows import ReportRow
from stef.records.gold import StageGrade, StageState


@dataclass(frozen=True, slots=True)
class StageRate:
    """One stage, or one path in it: how often it was as expected among the turns that have it; `absent` do not."""

    name: str
    as_expected: Rate
    absent: int


def stage_rates(rows: Iterable[ReportRow]) -> tuple[tuple[StageRate, ...], tuple[StageRate, ...]]:
    """The rate of each stage, and of each path, in the order of their first appearance.

    A stage is as expected where all of its paths that are there are; it is absent where none is there.
    """
    stages: dict[str, list[bool | None]] = {}
    paths: dict[str, list[bool | None]] = {}
    for row in rows:
        of_turn: dict[str, list[StageGrade]] = {}
        for grade in row.report.stages:
            of_turn.setdefault(grade.stage, []).append(grade)
            paths.setdefault(grade.path, []).append(_verdict([grade]))
        for stage, grades in of_turn.items():
            stages.setdefault(stage, []).append(_verdict(grades))
    return _rates(stages), _rates(paths)


def _verdict(grades: list[StageGrade]) -> bool | None:
    there = [grade for grade in grades if grade.state is not StageState.ABSENT]
    return all(grade.state is StageState.AS_EXPECTED for grade in there) if there else None


def _rates(verdicts: dict[str, list[bool | None]]) -> tuple[StageRate, ...]:
    return tuple(StageRate(name, rate_of(found), found.count(None)) for name, found in verdicts.items())
