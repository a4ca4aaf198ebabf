"""From turns to the columns of a RUN, chunk by chunk: in this process or in workers, with calls or without."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from stef.errors import StefError, StoppedError
from stef.evaluator.packing import unpack
from stef.records.request import JudgeRequest
from stef.runs.calls import current_row
from stef.runs.flow import Settle
from stef.runs.judging import Judging, harness_fault
from stef.runs.kernel import Kernel, table_of, turns_table
from stef.runs.turns import Row
from stef.runs.worker import FINISH, PREPARE, SCORE
from stef.runs.workers import WorkerLost, Workers

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

    from stef.evaluator import Prepared

_BREATH = 8
"""Turns after which others get their turn on the event loop."""


class Work(Protocol):
    """Makes the columns of a RUN of some turns."""

    async def __call__(self, rows: Sequence[Row], settle: Settle, /) -> "pa.Table":
        """The columns, one row a turn, in their order; `settle` is called for each turn that has its judgement."""
        ...


class AtOnce:
    """Both halves in this process."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    async def __call__(self, rows: Sequence[Row], _settle: Settle) -> "pa.Table":
        """See Work."""
        columns: list[dict[str, Any]] = []
        for number, row in enumerate(rows):
            if number % _BREATH == 0:
                await asyncio.sleep(0)
            columns.append(self._kernel.scored(row))
        return table_of(columns)


class AtOnceElsewhere:
    """Both halves in workers."""

    def __init__(self, kernel: Kernel, workers: Workers) -> None:
        self._kernel = kernel
        self._workers = workers

    async def __call__(self, rows: Sequence[Row], settle: Settle) -> "pa.Table":
        """See Work."""
        try:
            return await self._workers.run(SCORE, turns_table(rows))
        except WorkerLost as lost:
            return await one_by_one(self, rows, settle, self._kernel, lost)


class Asking:
    """The halves in this process, the judge's calls between them; a model may read the questions, too."""

    def __init__(self, kernel: Kernel, judging: Judging) -> None:
        self._kernel = kernel
        self._judging = judging
        self._one_at_a_time = asyncio.Lock()

    async def __call__(self, rows: Sequence[Row], settle: Settle) -> "pa.Table":
        """See Work."""
        return table_of(await together([self._columns(row, settle) for row in rows]))

    async def _columns(self, row: Row, settle: Settle) -> dict[str, Any]:
        current_row.set(row.row)
        prepared = await self._prepared(row)
        request = prepared.request
        key = self._kernel.key(prepared)
        judged = None
        if request is not None and key is not None:
            judged = await judged_or_fault(self._judging, row.row, key, request)
        settle()
        return self._kernel.finished(row, prepared, judged)

    async def _prepared(self, row: Row) -> "Prepared":
        if self._kernel.evaluator.reader is None:
            # Turn by turn, so that the replies that come meanwhile are not kept waiting.
            async with self._one_at_a_time:
                await asyncio.sleep(0)
                return self._kernel.prepared(row)
        try:
            return await self._kernel.evaluator.prepare_now(row.turn)
        except StefError:
            raise
        except Exception as error:  # as in `Kernel.prepared`
            return self._kernel.lost(row, f"a bug in stef: {type(error).__name__}: {error}")


class AskingElsewhere:
    """The halves in workers, the judge's calls in this process."""

    def __init__(self, kernel: Kernel, judging: Judging, workers: Workers) -> None:
        self._kernel = kernel
        self._judging = judging
        self._workers = workers

    async def __call__(self, rows: Sequence[Row], settle: Settle) -> "pa.Table":
        """See Work."""
        import pyarrow as pa  # noqa: PLC0415  heavy

        try:
            prepared = await self._workers.run(PREPARE, turns_table(rows))
            asked = zip(*(prepared[name].to_pylist() for name in ("row", "key", "prepared")), strict=True)
            judged = await together([self._judged(row, key, one, settle) for row, key, one in asked])
            judgements = pa.table({"judgement": pa.array(judged, pa.binary())})
            return await self._workers.run(FINISH, prepared, judgements)
        except WorkerLost as lost:
            return await one_by_one(self, rows, settle, self._kernel, lost)

    async def _judged(self, row: int, key: bytes | None, packed: bytes, settle: Settle) -> bytes | None:
        if key is None:
            settle()
            return None

        def request() -> JudgeRequest:
            found = unpack(packed, self._kernel.evaluator).request
            if found is None:
                raise RuntimeError("a turn with a key has a request")
            return found

        judged = await judged_or_fault(self._judging, row, key, request)
        settle()
        return judged


async def judged_or_fault(judging: Judging, row: int, key: bytes, request: "JudgeRequest | Any") -> bytes:
    """The judgement; a bug in the judge is a harness fault of the turn."""
    try:
        return await judging.judged(row, key, request if callable(request) else lambda: request)
    except StefError:
        raise
    except Exception as error:  # as in `Kernel.prepared`
        return harness_fault(error)


async def one_by_one(work: Work, rows: Sequence[Row], settle: Settle, kernel: Kernel, lost: WorkerLost) -> "pa.Table":
    """The turns of a worker that ended, each alone: the one that ends its worker again is a harness fault."""
    import pyarrow as pa  # noqa: PLC0415  heavy

    if len(rows) > 1:
        return pa.concat_tables([await work([row], settle) for row in rows])
    (row,) = rows
    detail = f"the worker process ended while it had this turn ({lost})"
    return table_of([kernel.finished(row, kernel.lost(row, detail), None)])


async def together(work: "Sequence[Any]") -> list[Any]:
    """What all of `work` gives, in its order.

    Where something raises, the rest is cancelled; but where a person asked to stop, what is under way ends first.
    """
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        pending = set(tasks)
        while pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_EXCEPTION)
            for task in done:
                error = task.exception()
                if error is not None and not isinstance(error, StoppedError):
                    raise error
        return [task.result() for task in tasks]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
