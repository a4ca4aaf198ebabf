"""Cases → RUN: ask, run, compare, part by part; a stop at any moment loses no finished part and no paid answer."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import groupby
from typing import Any

from stef.agents import Agent, Retriever, open_agents, open_retriever
from stef.agents.replay import ReplayAgent
from stef.databases import Databases
from stef.errors import UserError
from stef.gold.cases import CaseSet, hidden_ids
from stef.gold.perturbing import Perturbing
from stef.records.asking import AgentFault
from stef.records.gold import Ceiling
from stef.rules import RuleBook
from stef.runs.folder import COMPLETE
from stef.runs.gold.answers import writing_answers
from stef.runs.gold.asking import Asking
from stef.runs.gold.columns import result_columns
from stef.runs.gold.folder import REPLIES, GoldFolder
from stef.runs.gold.job import GoldFinished, GoldJob, GoldProgress, GoldWatcher
from stef.runs.gold.perturbed import Perturbed
from stef.runs.gold.plan import Item, check_some_turn, chosen_cases, items_of
from stef.runs.gold.settings import settings_of
from stef.runs.gold.settle import settle_causes
from stef.runs.gold.work import Workbench, schemas_of
from stef.runs.run import Run, open_gold_run

_MOST_FAULTS = 100


def run_gold(
    job: GoldJob, environment: Mapping[str, str] | None = None, watcher: GoldWatcher | None = None
) -> GoldFinished:
    """Put every case to every agent, compare on the live database, and write the RUN folder `job.out`.

    An unfinished RUN goes on where it stopped. `environment` holds what agents' descriptions may take. Raises
    InputError for cases or logs that cannot be read, AgentSetupError, RunExistsError for a folder with something else.
    """
    watcher = watcher or GoldWatcher()
    loaded, cases = chosen_cases(job)
    book = RuleBook.load(job.rules)
    with ExitStack() as stack:
        agents = _agents(job, environment, stack)
        retriever = None
        if job.retriever is not None:
            retriever = stack.enter_context(closing(open_retriever(job.retriever, environment=environment)))
        folder = GoldFolder(job.out, settings_of(job, loaded, agents, book))
        if folder.complete:
            return GoldFinished(open_gold_run(job.out), already=True)
        databases = stack.enter_context(Databases(job.database))
        items = list(items_of(cases, agents, paraphrases=job.paraphrases, samples=job.samples))
        check_some_turn(items)
        folder.make()
        with folder.locked():
            folder.write_cases(cases)
            running = _Running(job, folder, watcher, GoldProgress(len(items)))
            hidden = hidden_ids(loaded.cases)
            asking = Asking(folder.path, retriever, hidden, job.ask_timeout, job.concurrency)
            with closing(asking):
                perturbed = Perturbed(stack.enter_context(Perturbing(job.perturb)), cases) if job.perturb else None
                running.all_parts(items, asking, Workbench(databases, job.limits, book, job.dialect, perturbed))
            settle_causes(folder)
            folder.write_schemas(schemas_of(databases, cases))
            folder.save(COMPLETE, _facts(folder, loaded, items, agents, retriever))
            (folder.path / REPLIES).unlink(missing_ok=True)
    return GoldFinished(open_gold_run(job.out), already=False)


class _Running:
    """One pass over the items."""

    def __init__(self, job: GoldJob, folder: GoldFolder, watcher: GoldWatcher, progress: GoldProgress) -> None:
        self._size = job.part_rows
        self._folder = folder
        self._watcher = watcher
        self._progress = progress

    def all_parts(self, items: Sequence[Item], asking: Asking, bench: Workbench) -> None:
        for number, part in groupby(items, key=lambda item: item.row // self._size):
            self._part(number, [*part], asking, bench)

    def _part(self, number: int, items: list[Item], asking: Asking, bench: Workbench) -> None:
        path = self._folder.part(number)
        if path.exists():
            self._progress.resumed += len(items)
            self._step(len(items))
            return
        rows: list[dict[str, Any]] = []
        with writing_answers(path) as answers:
            for item, told in asking.replies(items):
                if told.reply.fault is not AgentFault.NO_TURN:
                    done = bench.done(item, told)
                    for key, executed in done.answers.items():
                        answers.add(key, executed)
                    rows.append(result_columns(done.record, done.case, done.answer))
                    self._progress.agent_faults += told.reply.fault is not None
                self._step(1)
        self._folder.write_part(number, rows)

    def _step(self, rows: int) -> None:
        self._progress.done += rows
        self._watcher.progress(self._progress)


def _agents(job: GoldJob, environment: Mapping[str, str] | None, stack: ExitStack) -> tuple[Agent, ...]:
    agents: list[Agent] = []
    for spec in job.agents:
        for agent in open_agents(spec, environment=environment):
            stack.callback(agent.close)
            agents.append(agent)
    names = [agent.name for agent in agents]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise UserError(f"--agent: two agents are called {doubled!r}; give each a name of its own")
    if not agents:
        raise UserError("--agent is missing: who is asked, such as replay:turns.jsonl or python:module:function")
    return tuple(agents)


def _facts(
    folder: GoldFolder, loaded: CaseSet, items: Sequence[Item], agents: Sequence[Agent], retriever: Retriever | None
) -> dict[str, Any]:
    """What stands in run.json beside the settings: counts, faults of the case files, and what holds for a whole run."""
    written = Counter(row["agent"] for row in Run(folder.path, folder.run).rows(("agent",)))
    planned = Counter(item.agent.name for item in items)
    unused = sum(len(one.recorded) - written[one.name] for one in agents if isinstance(one, ReplayAgent))
    # What was said twice under one id: of further samples each may bear the id of its case.
    ids = [
        [one.turn.id for one in agent.recorded if one.turn.id is not None]
        for agent in agents
        if isinstance(agent, ReplayAgent) and folder.settings.get("samples", 1) == 1
    ]
    repeated = sum(len(held) - len(set(held)) for held in ids)
    blind = [one.name for one in (*agents, *((retriever,) if retriever else ())) if not one.can_hide]
    return {
        "counts": {
            "cases": len({item.case.id for item in items}),
            "turns": written.total(),
            "case_faults": len(loaded.faults),
            "turns_without_case": max(unused, 0),
            **({"repeated_ids": repeated} if repeated else {}),
            "without_turn": {name: planned[name] - written[name] for name in planned if planned[name] > written[name]},
        },
        "case_faults": [str(fault) for fault in loaded.faults[:_MOST_FAULTS]],
        "case_fault_kinds": dict(Counter(fault.kind.value for fault in loaded.faults)),
        "dropped_fields": dict(loaded.dropped),
        "ceilings": {
            **({Ceiling.LEAVE_ONE_OUT_NOT_IN_FORCE.value: blind} if blind else {}),
            **({} if retriever else {Ceiling.NO_RETRIEVER.value: True}),
        },
    }
