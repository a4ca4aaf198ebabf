"""One turn on one case: every family, against the acceptable gold that the answer matches best."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from stef.gold.behaviour import expected_of, expects_answer, right_outcome
from stef.gold.best import Compared, best_of, compare_with
from stef.gold.buckets import Failing, bucket_of
from stef.gold.components import compare_components
from stef.gold.fingerprint import fingerprint
from stef.gold.output import compare_results
from stef.gold.reading import symptom_of
from stef.gold.retrieval import compare_tables
from stef.gold.shown import is_display_cap, shown_result
from stef.gold.sides import Golds, Ran
from stef.gold.stages import grade_stages
from stef.gold.watch import Watch, fault_of
from stef.records.asking import AgentReply, Retrieved
from stef.records.case import Case
from stef.records.gold import CaseFault, CaseReport, Ceiling, GoldState, Outcome, Output, Retrieval, Whose
from stef.records.result import Failure, FailureKind, Result
from stef.sql.resolve import Resolved, tables_of_ddl


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking: the agent's reply, how it ended, what the retriever offered, the ids that were hidden.

    `dialect` is what CREATE statements are read in, `row_cap` the LIMIT that the application puts on every query.
    `no_schema`: the database's catalogue could not be read, so names are resolved as far as the SQL itself goes.
    """

    reply: AgentReply
    outcome: Outcome
    retrieved: Retrieved | None = None
    hidden: tuple[str, ...] = ()
    dialect: str | None = None
    row_cap: int | None = None
    no_schema: bool = False


def evaluate(case: Case, asked: Asked, golds: Golds, candidate: Ran | None) -> CaseReport:
    """All families of one turn. `candidate` is the agent's query as it ran, None where it gave none.

    Never raises for a scorer that fails: that is a fault of stef's own, kept with its traceback, and what it would have
    said is None.
    """
    watch = Watch()
    report = CaseReport(
        case_id=case.id,
        outcome=asked.outcome,
        expected=expected_of(case),
        stages=watch.over("stages", lambda: grade_stages(case, asked.reply.turn)) or (),
        golds=golds.states,
        executable=_executable(candidate),
        leaks=_leaks(asked),
        fingerprint=_fingerprint(candidate, watch),
        ceilings=_gold_ceilings(golds.states) if expects_answer(case) else (),
    )
    # Where asking back was right, there is no answer to compare.
    compares = expects_answer(case) and right_outcome(case, asked.outcome) is not True
    compared = _compared(case, golds, candidate, watch) if compares else None
    if compared is not None:
        if asked.no_schema:
            report = replace(report, ceilings=(*report.ceilings, Ceiling.NO_SCHEMA))
        report = _with_families(report, compared, asked, candidate, watch)
        report = _with_sql_families(report, compared, asked, candidate.resolved if candidate else None, watch)
    # A control may go without a gold, and asking back may be right whatever became of one.
    held_out = compares and bool(golds.runs) and not golds.usable
    correct = None if held_out else _correct(case, asked.outcome, report, candidate)
    report = replace(report, correct=correct, held_out=held_out)
    report = replace(report, symptom=watch.over("symptom", lambda: symptom_of(report)))
    faults = (*_own_faults(asked, candidate), *(state.failure for state in golds.states if state.failure is not None))
    report = _with_faults(report, faults, watch)
    bucket = watch.over("buckets", lambda: bucket_of(_failing(report, asked, compared, candidate)))
    return replace(_with_faults(report, faults, watch), bucket=bucket)


def lost(case: Case, outcome: Outcome, error: Exception) -> CaseReport:
    """The report of a turn that a bug of stef's own kept from being compared at all: everything is undefined."""
    fault = fault_of("turn", error)
    return CaseReport(case_id=case.id, outcome=outcome, faults=(fault,), scorer_fault=fault.message)


def _with_faults(report: CaseReport, faults: tuple[CaseFault, ...], watch: Watch) -> CaseReport:
    scorer = report.output.scorer_fault if report.output else None
    own = scorer or (watch.faults[0].message if watch.faults else None)
    return replace(report, faults=(*faults, *watch.faults), scorer_fault=own)


def _failing(report: CaseReport, asked: Asked, compared: Compared | None, candidate: Ran | None) -> Failing:
    return Failing(
        report=report,
        query=candidate.sql if candidate else "",
        reference=compared.gold.resolved if compared else None,
        candidate=candidate.resolved if candidate else None,
        row_cap=asked.row_cap,
    )


def _compared(case: Case, golds: Golds, candidate: Ran | None, watch: Watch) -> Compared | None:
    """The comparison with the best usable gold."""
    ran = candidate or Ran("", Failure(FailureKind.NOT_ONE_QUERY, "the turn holds no query"))
    if isinstance(ran.executed, Failure) and ran.executed.kind is FailureKind.DATABASE_DOWN:
        return None
    return best_of([compare_with(case, golds.runs[index], index, ran, watch) for index in golds.usable])


def _with_families(
    report: CaseReport, compared: Compared, asked: Asked, candidate: Ran | None, watch: Watch
) -> CaseReport:
    """The report with the families that rest on the results."""
    output, answer = compared.output, compared.answer
    tie = (Ceiling.TIE_AT_LIMIT,) if answer and answer.by_tie else ()
    return replace(
        report,
        gold_index=compared.index,
        answer=answer,
        output=output,
        ceilings=tuple(dict.fromkeys((*report.ceilings, *(output.ceilings if output else ()), *tie))),
        shown=_shown(compared, asked, watch),
        display_cap=_is_cut_for_display(asked, candidate, watch),
    )


def _with_sql_families(
    report: CaseReport, compared: Compared, asked: Asked, done: Resolved | None, watch: Watch
) -> CaseReport:
    """The report with the families that rest on the SQL of the gold."""
    reference = compared.gold.resolved
    if reference is None:
        return report
    tables = reference.tables
    return replace(
        report,
        components=watch.over("components", lambda: compare_components(reference, done)),
        retrieval=watch.over("retrieval", lambda: _retrieval(tables, asked)),
        agent_retrieval=watch.over("retrieval", lambda: _inner_retrieval(tables, asked)),
    )


def _retrieval(required: Iterable[str], asked: Asked) -> Retrieval | None:
    """None without a retriever, and where it failed: what was never offered was not offered wrongly."""
    retrieved = asked.retrieved
    if retrieved is None or retrieved.fault is not None:
        return None
    return compare_tables(required, tables_of_ddl(retrieved.ddl, asked.dialect))


def _inner_retrieval(required: Iterable[str], asked: Asked) -> Retrieval | None:
    turn = asked.reply.turn
    if turn.ddl_offered is not None:
        return compare_tables(required, tables_of_ddl(turn.ddl_offered, asked.dialect))
    return None if turn.tables_offered is None else compare_tables(required, turn.tables_offered)


def _shown(compared: Compared, asked: Asked, watch: Watch) -> Output | None:
    """What the user saw against the gold, where the turn tells."""
    rows, gold = asked.reply.turn.rows, compared.gold.executed
    if rows is None or isinstance(gold, Failure):
        return None
    return watch.over("shown", lambda: compare_results(gold, shown_result(rows)))


def _is_cut_for_display(asked: Asked, candidate: Ran | None, watch: Watch) -> bool:
    rows, full = asked.reply.turn.rows, candidate.executed if candidate else None
    if rows is None or not isinstance(full, Result):
        return False
    return watch.over("shown", lambda: is_display_cap(shown_result(rows), full)) or False


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


def _fingerprint(candidate: Ran | None, watch: Watch) -> str | None:
    executed = candidate.executed if candidate else None
    return watch.over("fingerprint", lambda: fingerprint(executed)) if isinstance(executed, Result) else None


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
