"""Fields that are empty on every turn that should have them: most likely nobody looks where they stand."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from stef.gold.reading.rows import ReportRow
from stef.records.case import Expected
from stef.records.gold import Bucket, Outcome, StageState

_FEWEST = 3
"""Turns that should have a field, from which on it is no chance that none has it."""

_BEHAVED = frozenset({Outcome.DECLINED, Outcome.CLARIFIED, Outcome.SMALL_TALK})
_OF_SQL = frozenset({Bucket.AGENT_CRASH, Bucket.ANSWERED_WITHOUT_QUERY, Bucket.EMPTY_EXTRACTOR})
_OF_TABLES = frozenset({Bucket.TABLES_NOT_OFFERED, Bucket.EMPTY_EXTRACTOR})
"""Causes that the lack of a field explains; a run that is read again has them under it already."""


@dataclass(frozen=True, slots=True)
class EmptyExtractor:
    """A field (or the path of a stage) of one agent that is empty on all of `turns`; `failures` it is the cause of."""

    agent: str | None
    field: str
    turns: int
    failures: int


@dataclass(frozen=True, slots=True)
class _Field:
    """Which turns should have a field, which have it, and which failures its lack explains."""

    name: str
    wants: Callable[[ReportRow], bool]
    has: Callable[[ReportRow], bool]
    explains: Callable[[ReportRow], bool] = lambda _: False


def settled(rows: Sequence[ReportRow]) -> tuple[list[ReportRow], tuple[EmptyExtractor, ...]]:
    """The rows of a run, with the failures that an empty field explains under that cause; and these fields.

    One turn does not show it: only when an agent's turns are all there. A stage that is empty explains no failure of
    the answer.
    """
    moved: dict[int, Bucket] = {}
    found: list[EmptyExtractor] = []
    for agent, indices in _by_agent(rows).items():
        for field in _fields([rows[index] for index in indices]):
            wanting = [index for index in indices if field.wants(rows[index])]
            if len(wanting) < _FEWEST or any(field.has(rows[index]) for index in wanting):
                continue
            explained = [index for index in wanting if field.explains(rows[index])]
            moved |= dict.fromkeys(explained, Bucket.EMPTY_EXTRACTOR)
            found.append(EmptyExtractor(agent[0], field.name, len(wanting), len(explained)))
    if not moved:
        return list(rows), tuple(found)
    return [
        replace(row, report=replace(row.report, bucket=moved[index])) if index in moved else row
        for index, row in enumerate(rows)
    ], tuple(found)


def _by_agent(rows: Iterable[ReportRow]) -> dict[tuple[str | None, str | None], list[int]]:
    found: dict[tuple[str | None, str | None], list[int]] = {}
    for index, row in enumerate(rows):
        found.setdefault((row.agent, row.agent_version), []).append(index)
    return found


def _fields(rows: Sequence[ReportRow]) -> Iterator[_Field]:
    yield _Field(
        "sql", _should_hold_sql, lambda row: row.has_sql is not False, lambda row: row.report.bucket in _OF_SQL
    )
    for name in ("retrieval", "agent_retrieval"):
        yield _offered(name)
    for path in dict.fromkeys(grade.path for row in rows for grade in row.report.stages):
        yield _stage(path)


def _should_hold_sql(row: ReportRow) -> bool:
    """A turn that was to answer, did not behave otherwise, and did not break before it could say anything."""
    report = row.report
    failed = any(fault.kind for fault in report.faults if report.outcome is Outcome.FAILED)
    return report.expected is Expected.ANSWER and report.outcome not in _BEHAVED and not failed


def _offered(name: str) -> _Field:
    def wants(row: ReportRow) -> bool:
        found = getattr(row.report, name)
        return found is not None and bool(found.required)

    def has(row: ReportRow) -> bool:
        return bool(getattr(row.report, name).offered)

    field = "tables_offered" if name == "agent_retrieval" else "retriever's ddl"
    return _Field(field, wants, has, lambda row: row.report.bucket in _OF_TABLES)


def _stage(path: str) -> _Field:
    def state(row: ReportRow) -> StageState | None:
        return next((grade.state for grade in row.report.stages if grade.path == path), None)

    return _Field(path, lambda row: state(row) is not None, lambda row: state(row) is not StageState.ABSENT)
