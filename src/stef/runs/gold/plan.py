"""Which questions go to which agent, in the order of the rows: case by case, phrasing by phrasing, agent by agent."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from stef.agents import Agent
from stef.agents.replay import ReplayAgent
from stef.errors import InputError, UserError
from stef.gold.cases import CaseSet, load_cases
from stef.records.asking import AgentRequest
from stef.records.case import Case
from stef.runs.gold.job import GoldJob


@dataclass(frozen=True, slots=True)
class Item:
    """One row to come: a phrasing of a case, put to an agent. `phrasing` 0 is the case's own question.

    `sample` counts how often the same was put to the same agent before.
    """

    row: int
    case: Case
    phrasing: int
    agent: Agent
    sample: int = 0

    @property
    def question(self) -> str:
        """The words that are put to the agent."""
        return self.case.question if self.phrasing == 0 else self.case.paraphrases[self.phrasing - 1]

    def request(self, hide: tuple[str, ...] = (), timeout: float = 0.0) -> AgentRequest:
        """The question as it is put to agent and retriever, with the ids to hide, within `timeout` seconds."""
        return AgentRequest(
            question=self.question,
            case_id=self.case.id,
            database=self.case.database,
            hint=self.case.hint,
            hide=hide,
            timeout=timeout,
            paraphrase=self.phrasing > 0,
            sample=self.sample,
        )


def chosen_cases(job: GoldJob) -> tuple[CaseSet, tuple[Case, ...]]:
    """All that the case files hold, and the cases of it that the job is about.

    Raises InputError where there is none, and UserError for a slice that no case belongs to.
    """
    loaded = load_cases(job.cases, format=job.format, dialect=job.dialect)
    if not loaded.cases:
        first = f"; the first: {loaded.faults[0]}" if loaded.faults else ""
        raise InputError(f"{', '.join(job.cases)}: no usable case{first}")
    cases = tuple(loaded.cases)
    if job.chosen is not None:
        cases = tuple(case for case in cases if _belongs(case, job.chosen))
        if not cases:
            raise UserError(f"--slice {job.chosen}: no case belongs to it; {_slices(loaded.cases)}")
    return loaded, tuple(islice(cases, job.limit))


def _belongs(case: Case, name: str) -> bool:
    if (name == "fast" and case.fast) or (name == "control" and case.control):
        return True
    return name in (case.category, case.difficulty, case.database, case.kind.value, *case.tags)


def _slices(cases: Sequence[Case]) -> str:
    names = {"fast": any(case.fast for case in cases), "control": any(case.control for case in cases)}
    found = [name for name, there in names.items() if there]
    for values in (
        {case.kind.value for case in cases},
        {case.category for case in cases if case.category},
        {case.difficulty for case in cases if case.difficulty},
        {tag for case in cases for tag in case.tags},
    ):
        found += sorted(values)
    return f"there are {', '.join(dict.fromkeys(found[:12]))}"


def items_of(cases: Iterable[Case], agents: Sequence[Agent], *, paraphrases: bool, samples: int = 1) -> Iterator[Item]:
    """Every row to come, in order."""
    row = 0
    for case in cases:
        for phrasing in range(1 + (len(case.paraphrases) if paraphrases else 0)):
            for agent in agents:
                for sample in range(samples):
                    yield Item(row, case, phrasing, agent, sample)
                    row += 1


def check_some_turn(items: Iterable[Item]) -> None:
    """Raises InputError where every agent is a log, and none of them holds a turn for any of the items."""
    for item in items:
        if not isinstance(item.agent, ReplayAgent) or item.agent.find(item.request()) is not None:
            return
    raise InputError(
        "no turn of the log answers any of the cases: a turn is matched by `case_id`, else by `database` and `question`"
    )
