"""A gold run at a glance: what is stef's own fault and what limits it first, then each agent."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, TypeVar

from stef.gold.reading.behaviour import Behaviour, behaviour_of
from stef.gold.reading.coincidences import Coincidences, coincidences_of
from stef.gold.reading.extractors import EmptyExtractor, settled
from stef.gold.reading.figures import Figures, Times, figures_of, times_of
from stef.gold.reading.phrasings import Phrasings, phrasings_of
from stef.gold.reading.reliability import Tally, tally_of
from stef.gold.reading.rows import ReportRow
from stef.gold.reading.stages import StageRate, stage_rates
from stef.gold.stages import stage_of
from stef.records.gold import Bucket, CaseReport, Ceiling, Outcome, Symptom, Whose

T = TypeVar("T")
Faults = Mapping[Whose, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class ScorerFault:
    """A contradiction in stef's own scorers: on which case of which agent, and what it says."""

    case_id: str
    agent: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Slice:
    """The figures of the turns that have one value in common; None: those that have none."""

    value: str | None
    figures: Figures


@dataclass(frozen=True, slots=True)
class AgentOverview:
    """One agent and version. `slices` are by field; a field that no case has is left out.

    `buckets` count the one cause of each turn that is not right, `symptoms` what wrong turns show, `faults` what
    failed, by whose it is. `stages` are rates by stage, `stage_paths` by each expectation's path. `times` are of
    `retrieval`, `agent` and `query`.
    """

    agent: str | None
    agent_version: str | None
    whole: Figures
    slices: Mapping[str, tuple[Slice, ...]]
    outcomes: Mapping[Outcome, int]
    buckets: Mapping[Bucket, int]
    symptoms: Mapping[Symptom, int]
    behaviour: Behaviour | None
    tally: Tally
    stages: tuple[StageRate, ...]
    stage_paths: tuple[StageRate, ...]
    faults: Faults
    ceilings: Mapping[Ceiling, int]
    display_caps: int
    times: Mapping[str, Times]
    phrasings: Phrasings | None


@dataclass(frozen=True, slots=True)
class Overview:
    """A run, in the order in which it should be read. Ceilings and leaks count turns; `held_out` are ids of cases.

    `own_bugs` are turns that stef itself failed on, `empty_extractor_failures` those that are not right as a field is
    empty on every turn that should have it; `empty_extractors` are these fields. `coincidences` are right turns that
    were looked at on altered copies of the database.
    """

    own_bugs: int
    empty_extractor_failures: int
    empty_extractors: tuple[EmptyExtractor, ...]
    scorer_faults: tuple[ScorerFault, ...]
    ceilings: Mapping[Ceiling, int]
    held_out: tuple[str, ...]
    leaks: int
    faults: Faults
    turns: int
    cases: int
    agents: tuple[AgentOverview, ...]
    coincidences: tuple[Coincidences, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; what has no value stands under an empty key."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


_SLICES: dict[str, Callable[[ReportRow], Sequence[str | None]]] = {
    "category": lambda row: (row.category,),
    "difficulty": lambda row: (row.difficulty,),
    "database": lambda row: (row.database,),
    "kind": lambda row: (row.kind.value,),
    "tag": lambda row: row.tags or (None,),
    "stage": lambda row: (stage_of(row.report.stages),),
}
"""The fields that turns are sliced by; a turn with several tags counts under each."""


def overview_of(rows: Iterable[ReportRow]) -> Overview:
    """The overview of a run's turns, whatever their order; agents by name."""
    held, empty = settled(list(rows))
    reports = [row.report for row in held]
    return Overview(
        own_bugs=sum(report.scorer_fault is not None or _is_bug(report) for report in reports),
        empty_extractor_failures=sum(report.bucket is Bucket.EMPTY_EXTRACTOR for report in reports),
        empty_extractors=empty,
        scorer_faults=tuple(
            ScorerFault(row.report.case_id, row.agent, row.report.scorer_fault)
            for row in held
            if row.report.scorer_fault is not None
        ),
        ceilings=_counted(ceiling for report in reports for ceiling in report.ceilings),
        held_out=tuple(dict.fromkeys(report.case_id for report in reports if report.held_out)),
        leaks=sum(bool(report.leaks) for report in reports),
        faults=_faults(held),
        turns=len(held),
        cases=len({report.case_id for report in reports}),
        agents=tuple(_agent(*key, turns) for key, turns in _by_agent(held)),
        coincidences=coincidences_of(held),
    )


def _is_bug(report: CaseReport) -> bool:
    return any(fault.whose is Whose.HARNESS for fault in report.faults)


def _by_agent(rows: Sequence[ReportRow]) -> list[tuple[tuple[str | None, str | None], list[ReportRow]]]:
    found: defaultdict[tuple[str | None, str | None], list[ReportRow]] = defaultdict(list)
    for row in rows:
        found[row.agent, row.agent_version].append(row)
    return sorted(found.items(), key=lambda item: tuple((part is None, part or "") for part in item[0]))


def _agent(agent: str | None, version: str | None, rows: list[ReportRow]) -> AgentOverview:
    reports = [row.report for row in rows]
    stages, paths = stage_rates(rows)
    return AgentOverview(
        agent=agent,
        agent_version=version,
        whole=figures_of(rows),
        slices={name: found for name, values in _SLICES.items() if (found := _slices(rows, values))},
        outcomes=_counted(report.outcome for report in reports),
        buckets=_counted(report.bucket for report in reports if report.bucket is not None),
        behaviour=behaviour_of(rows),
        tally=tally_of(rows),
        stages=stages,
        stage_paths=paths,
        symptoms=_counted(report.symptom for report in reports if report.symptom is not None),
        faults=_faults(rows),
        ceilings=_counted(ceiling for report in reports for ceiling in report.ceilings),
        display_caps=sum(report.display_cap for report in reports),
        times={
            "retrieval": times_of(row.retrieval_seconds for row in rows),
            "agent": times_of(row.agent_seconds for row in rows),
            "query": times_of(row.query_seconds for row in rows),
        },
        phrasings=phrasings_of(rows),
    )


def _slices(rows: Sequence[ReportRow], values: Callable[[ReportRow], Sequence[str | None]]) -> tuple[Slice, ...]:
    found: defaultdict[str | None, list[ReportRow]] = defaultdict(list)
    for row in rows:
        for value in dict.fromkeys(values(row)):
            found[value].append(row)
    if set(found) <= {None}:
        return ()
    ordered = sorted(found.items(), key=lambda item: (item[0] is None, item[0] or ""))
    return tuple(Slice(value, figures_of(turns)) for value, turns in ordered)


def _faults(rows: Iterable[ReportRow]) -> Faults:
    """Turns with a fault of each kind, by whose it is: two alike in one turn (of two golds) count once."""
    found: defaultdict[Whose, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for whose, kind in dict.fromkeys((fault.whose, fault.kind) for fault in row.report.faults):
            found[whose][kind] += 1
    return {whose: _ordered(found[whose]) for whose in Whose if whose in found}


def _counted(values: Iterable[T]) -> dict[T, int]:
    return _ordered(Counter(values))


def _ordered(counts: Counter[T]) -> dict[T, int]:
    """The commonest first, then by name: the same whatever the order of the turns."""
    return dict(sorted(counts.items(), key=lambda item: (-item[1], str(item[0]))))


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {"" if key is None else str(_plain(key)): _plain(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value.value if isinstance(value, Enum) else value
