"""The one actor that lets calls through, keeps what was paid for, and writes down calls."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final

from stef.errors import BudgetError
from stef.llm.budget import Budget
from stef.llm.gate import Gate, Pass
from stef.records.assessment import Unscored
from stef.records.reasons import UnscoredReason
from stef.runs.calls import CallLog
from stef.runs.cluster.means import Means
from stef.runs.job import ScoreJob
from stef.runs.judgements import to_bytes
from stef.runs.private import private_store

LEDGER: Final = "stef-ledger"
_MOST_AT_ONCE: Final = 10_000


@dataclass(slots=True)
class _Claim:
    """A judgement that `asker` is asking for, and that others wait for."""

    asker: str
    settled: "asyncio.Future[bytes | None]"


@dataclass(slots=True)
class _Reserved:
    """What an asker has set aside for a call."""

    asker: str
    dollars: float


class Ledger:
    """It lives where the driver does: the files that it writes are the driver's.

    Askers name themselves in all they ask, so that what one held is free again when it was lost.
    """

    def __init__(self, job: ScoreJob, means: Means) -> None:
        self._gate = Gate(means.limits)
        self._passes: dict[int, tuple[str, Pass]] = {}
        self._reserved: dict[int, _Reserved] = {}
        self._claims: dict[bytes, _Claim] = {}
        self._last = 0
        self._over: bytes | None = None
        self._calls = CallLog(None if means.budget is None else Budget(means.budget))
        self._stack = ExitStack()
        self._kept = self._stack.enter_context(private_store(job, means.unasked(), job.out))
        self._stack.enter_context(self._calls.writing_to(job.out, self._kept.replies))

    async def join(self, asker: str) -> None:
        """An asker has started; what one of this name held before was lost with it."""
        for ticket in [ticket for ticket, (owner, _) in self._passes.items() if owner == asker]:
            await self.leave(ticket, 0.0)
        for ticket in [ticket for ticket, one in self._reserved.items() if one.asker == asker]:
            await self.spend(ticket, 0.0, 0)
        for key in [key for key, claim in self._claims.items() if claim.asker == asker]:
            self._claims.pop(key).settled.set_result(None)

    async def claim(self, asker: str, key: bytes) -> bytes | None:
        """The judgement of `key`, kept or as another asker gets it; None: the asker is to ask for it, and `settle`."""
        while True:
            kept = self._kept.judgements.read(key)
            if kept is not None:
                return kept
            if self._over is not None:
                return self._over
            claim = self._claims.get(key)
            if claim is None or claim.asker == asker:
                self._claims[key] = claim or _Claim(asker, asyncio.get_running_loop().create_future())
                return None
            settled = await asyncio.shield(claim.settled)
            if settled is not None:
                return settled

    async def settle(self, asker: str, key: bytes, value: bytes | None, keep: bool) -> None:
        """What a claim came to; None: nothing, and who waits asks by himself. `keep`: it was paid for."""
        if keep and value is not None:
            self._kept.judgements.write(key, value)
        claim = self._claims.get(key)
        if claim is not None and claim.asker == asker:
            del self._claims[key]
            claim.settled.set_result(value)

    async def enter(self, asker: str, tokens: float) -> int:
        """Wait until a call may be made; its ticket."""
        passed = await self._gate.enter(tokens)
        self._last += 1
        self._passes[self._last] = (asker, passed)
        return self._last

    async def leave(self, ticket: int, tokens: float) -> None:
        """The call has ended, with so many tokens sent and received."""
        _, passed = self._passes.pop(ticket, ("", None))
        if passed is not None:
            self._gate.well(passed, tokens)

    async def reserve(self, asker: str, characters: int, least: float) -> tuple[int, str]:
        """Set aside what a call may cost: a ticket and nothing, or 0 and why there is not enough."""
        if self._calls.budget is None:
            raise RuntimeError("no budget was given")
        try:
            dollars = await self._calls.budget.reserve(characters, least)
        except BudgetError as error:
            return 0, str(error)
        self._last += 1
        self._reserved[self._last] = _Reserved(asker, dollars)
        return self._last, ""

    async def spend(self, ticket: int, cost: float, characters: int) -> None:
        """The call for which something was set aside has ended."""
        reserved = self._reserved.pop(ticket, None)
        if reserved is not None and self._calls.budget is not None:
            await self._calls.budget.settle(reserved.dollars, cost, characters)

    async def reply(self, key: bytes) -> bytes | None:
        """A single reply that is kept."""
        return self._kept.replies.read(key)

    async def keep_reply(self, key: bytes, value: bytes | None) -> None:
        """Keep a single reply; None: keep it no longer."""
        if value is None:
            self._kept.replies.forget(key)
        else:
            self._kept.replies.write(key, value)

    async def call(self, line: dict[str, Any]) -> None:
        """Write down a call."""
        self._calls.write(line)

    async def run_out(self) -> None:
        """Let nobody ask any more, and wait for what is being asked."""
        self._over = to_bytes(Unscored(UnscoredReason.BUDGET, "the budget is spent"))
        while self._claims:
            await asyncio.wait([claim.settled for claim in self._claims.values()])

    async def close(self, complete: bool) -> None:
        """Put all on the disk. `complete`: the run is."""
        if complete:
            self._kept.done()
        self._stack.close()


@contextmanager
def ledger_of(ray: Any, job: ScoreJob, means: Means) -> Iterator[Any]:
    """The ledger of a run: inside this context askers find it by its name. `close` is the caller's."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415  heavy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    actor = ray.remote(Ledger).options(name=LEDGER, num_cpus=0, max_concurrency=_MOST_AT_ONCE, scheduling_strategy=here)
    ledger = actor.remote(job, means)
    try:
        yield ledger
    finally:
        ray.kill(ledger)
