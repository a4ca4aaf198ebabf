"""One turn on one case: every family, against the acceptable gold that the answer matches best."""

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from stef.gold.best import Compared, best_of, compare_with
from stef.gold.components import compare_components
from stef.gold.expected import expects_answer, right_outcome
from stef.gold.fingerprint import fingerprint
from stef.gold.output import compare_results
from stef.gold.reading import symptom_of
from stef.gold.retrieval import compare_tables
from stef.gold.shown import is_display_cap, shown_result
from stef.gold.sides import Golds, Ran
from stef.records.asking import AgentReply, Retrieved
from stef.records.case import Case
from stef.records.gold import CaseFault, CaseReport, Ceiling, GoldState, Outcome, Retrieval, Whose
from stef.records.result import Failure, FailureKind, Result
from stef.sql.resolve import tables_of_ddl

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking: the agent's reply, how it ended, what the retriever offered, and the ids that were hidden."""

    reply: AgentReply
    outcome: Outcome
    retrieved: Retrieved | None = None
    hidden: tuple[str, ...] = ()


def evaluate(case: Case, asked: Asked, golds: Golds, candidate: Ran | None, dialect: str | None = None) -> CaseReport:
    """All families of one turn. `candidate` is the agent's query as it ran, None where it gave none.

    Never raises for a scorer that fails: that is a fault of stef's own, kept with its traceback, and what it would have
    said is None.
    """
    watch = _Watch()
    report = CaseReport(
        case_id=case.id,
        outcome=asked.outcome,
        golds=golds.states,
        executable=_executable(candidate),
        leaks=_leaks(asked),
        fingerprint=_fingerprint(candidate, watch),
        ceilings=_gold_ceilings(golds.states) if expects_answer(case) else (),
    )
    compared = _compared(case, golds, candidate, watch) if expects_answer(case) else None
    if compared is not None:
        report = _with_families(report, compared, asked, candidate, dialect, watch)
    report = replace(report, correct=_correct(case, asked.outcome, report, candidate), held_out=_held_out(case, golds))
    broken = (state.failure for state in golds.states if state.failure is not None)
    faults = (*_own_faults(asked, candidate), *broken, *watch.faults)
    scorer = report.output.scorer_fault if report.output else None
    report = replace(report, faults=faults, scorer_fault=scorer or (watch.faults[0].message if watch.faults else None))
    return replace(report, symptom=watch.over("symptom", lambda: symptom_of(report)))


@dataclass(slots=True)
class _Watch:
    """The one place here where a bug becomes a counted fault."""

    faults: list[CaseFault] = field(default_factory=list)

    def over(self, family: str, scorer: Callable[[], T]) -> T | None:
        """What `scorer` says; None, and a fault, where it raises."""
        try:
            return scorer()
        except Exception as error:  # a bug in one scorer must cost its own figure, and not the turn
            words = f"a bug in stef ({family}): {type(error).__name__}: {error}"
            self.faults.append(CaseFault(Whose.HARNESS, "harness_fault", words, traceback.format_exc()))
            return None


def _compared(case: Case, golds: Golds, candidate: Ran | None, watch: _Watch) -> Compared | None:
    """The comparison with the best usable gold."""
    ran = candidate or Ran("", Failure(FailureKind.NOT_ONE_QUERY, "the turn holds no query"))
    if isinstance(ran.executed, Failure) and ran.executed.kind is FailureKind.DATABASE_DOWN:
        return None
    found: list[Compared] = []
    for index in golds.usable:
        compared = watch.over("output", lambda index=index: compare_with(case, golds.runs[index], index, ran))  # type: ignore[misc]
        if compared is not None:
            found.append(compared)
    return best_of(found)


def _with_families(
    report: CaseReport, compared: Compared, asked: Asked, candidate: Ran | None, dialect: str | None, watch: _Watch
) -> CaseReport:
    gold = compared.gold
    report = replace(
        report,
        gold_index=compared.index,
        answer=compared.answer,
        output=compared.output,
        ceilings=tuple(dict.fromkeys((*report.ceilings, *compared.output.ceilings))),
        **_seen(compared, asked, candidate, watch),
    )
    reference = gold.resolved
    if reference is None:
        return report
    done = candidate.resolved if candidate else None
    tables = reference.tables
    return replace(
        report,
        components=watch.over("components", lambda: compare_components(reference, done)),
        retrieval=watch.over("retrieval", lambda: _retrieval(tables, asked.retrieved, dialect)),
        agent_retrieval=watch.over("retrieval", lambda: _inner_retrieval(tables, asked.reply, dialect)),
    )


def _retrieval(required: tuple[str, ...], retrieved: Retrieved | None, dialect: str | None) -> Retrieval | None:
    """None without a retriever, and where it failed: what was never offered was not offered wrongly."""
    if retrieved is None or retrieved.fault is not None:
        return None
    return compare_tables(required, tables_of_ddl(retrieved.ddl, dialect))


def _inner_retrieval(required: tuple[str, ...], reply: AgentReply, dialect: str | None) -> Retrieval | None:
    turn = reply.turn
    if turn.ddl_offered is not None:
        return compare_tables(required, tables_of_ddl(turn.ddl_offered, dialect))
    return None if turn.tables_offered is None else compare_tables(required, turn.tables_offered)


def _seen(compared: Compared, asked: Asked, candidate: Ran | None, watch: _Watch) -> dict[str, object]:
    """What the user saw against the gold, where the turn tells."""
    rows = asked.reply.turn.rows
    full, gold = candidate.executed if candidate else None, compared.gold.executed
    if rows is None or isinstance(gold, Failure):
        return {}
    shown = shown_result(rows)
    cap = isinstance(full, Result) and watch.over("shown", lambda: is_display_cap(shown, full))
    return {"shown": watch.over("shown", lambda: compare_results(gold, shown)), "display_cap": bool(cap)}


def _correct(case: Case, outcome: Outcome, report: CaseReport, candidate: Ran | None) -> bool | None:
    decided = right_outcome(case, outcome)
    if decided is not None:
        return decided if _is_agents_own(candidate) else None
    return report.answer.correct if report.answer else None


def _is_agents_own(candidate: Ran | None) -> bool:
    failed = candidate.executed if candidate else None
    return not (isinstance(failed, Failure) and failed.kind is FailureKind.DATABASE_DOWN)


def _executable(candidate: Ran | None) -> bool | None:
    if candidate is None or not _is_agents_own(candidate):
        return None
    return isinstance(candidate.executed, Result)


def _fingerprint(candidate: Ran | None, watch: _Watch) -> str | None:
    executed = candidate.executed if candidate else None
    return watch.over("fingerprint", lambda: fingerprint(executed)) if isinstance(executed, Result) else None


def _held_out(case: Case, golds: Golds) -> bool:
    return expects_answer(case) and not golds.usable


def _gold_ceilings(states: Iterable[GoldState]) -> tuple[Ceiling, ...]:
    found = [
        ceiling
        for state in states
        for ceiling, there in (
            (Ceiling.GOLD_FAILED, state.failure is not None),
            (Ceiling.GOLD_IN_DOUBT, bool(state.doubts)),
        )
        if there
    ]
    return tuple(dict.fromkeys(found))


def _leaks(asked: Asked) -> tuple[str, ...]:
    offered = [*asked.reply.offered_examples, *(asked.retrieved.examples if asked.retrieved else ())]
    hidden = frozenset(asked.hidden)
    return tuple(dict.fromkeys(one for one in offered if one in hidden))


def _own_faults(asked: Asked, candidate: Ran | None) -> Iterable[CaseFault]:
    """Whose error it was, where the agent, the retriever or the database failed."""
    if asked.reply.fault is not None:
        yield CaseFault(Whose.AGENT, asked.reply.fault.value, asked.reply.detail)
    if asked.retrieved is not None and asked.retrieved.fault is not None:
        yield CaseFault(Whose.RETRIEVER, asked.retrieved.fault.value, asked.retrieved.detail)
    executed = candidate.executed if candidate else None
    if isinstance(executed, Failure):
        whose = Whose.AGENT if _is_agents_own(candidate) else Whose.DATABASE
        near = f" (near it: {', '.join(executed.near)})" if executed.near else ""
        yield CaseFault(whose, executed.kind.value, executed.message + near)
