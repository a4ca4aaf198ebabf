"""Rung 1: the query on the database, read-only: does it bind, and does it run?"""

import asyncio

from stef.records.result import Failure, FailureKind, Result
from stef.verify.candidate import Candidate
from stef.verify.means import Means
from stef.verify.records import Rung, RungReport, Sign, Stand
from stef.verify.weights import DOES_NOT_RUN, RUNS

_NOT_THE_QUERYS = {
    FailureKind.DATABASE_DOWN: "the database could not be reached",
    FailureKind.TIMEOUT: "the query was ended; a larger --timeout would let it go on",
}
"""Failures that say nothing of whether the answer is right."""


async def execute(candidate: Candidate, _means: Means) -> RungReport:
    """For: it runs. Against: the database, or the guard before it, refuses it. Nothing: no database, or no time."""
    executed = await asyncio.to_thread(lambda: candidate.executed)
    match executed:
        case Result():
            cut = "" if executed.cut is None else f", cut at the {executed.cut.value.replace('_', ' ')}"
            columns = len(executed.columns)
            rows = f"{executed.rows:,} {'row' if executed.rows == 1 else 'rows'}"
            detail = f"runs: {rows}, {columns} {'column' if columns == 1 else 'columns'}{cut}"
            facts = {"rows": executed.rows, "columns": columns, "cut": executed.cut}
            return RungReport(Rung.EXECUTE, Stand.NEUTRAL, detail, weight=RUNS, facts=facts)
        case Failure(kind) if kind in _NOT_THE_QUERYS:
            detail = f"{_NOT_THE_QUERYS[kind]}: {executed.message}"
            return RungReport(Rung.EXECUTE, Stand.NOTHING, detail, facts={"kind": kind.value})
        case Failure():
            return _refused(executed)


def _refused(failure: Failure) -> RungReport:
    near = f"; near it: {', '.join(failure.near)}" if failure.near else ""
    sign = Sign(
        failure.kind.value,
        f"{failure.message}{near}",
        DOES_NOT_RUN,
        facts={"kind": failure.kind.value, "near": list(failure.near)},
    )
    return RungReport(Rung.EXECUTE, Stand.AGAINST, "does not run", (sign,), DOES_NOT_RUN, facts=sign.facts)
