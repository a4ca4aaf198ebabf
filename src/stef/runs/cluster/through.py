"""What an asker's judge asks, through the ledger: permission, budget, replies that are kept, lines of calls."""

from typing import Any

from stef.errors import BudgetError
from stef.llm.budget import Budget
from stef.llm.gate import Gate, Limits, Pass
from stef.runs.calls import CallLog
from stef.runs.cluster.means import Means


class LedgerCalls(CallLog):
    """The calls of one asker, which the ledger counts and writes down."""

    def __init__(self, ledger: Any, asker: str, means: Means) -> None:
        budget = None if means.budget is None else LedgerBudget(ledger, asker, means.budget)
        super().__init__(budget, LedgerGate(ledger, asker, means.limits))
        self._ledger = ledger

    def write(self, line: dict[str, Any]) -> None:
        """See CallLog."""
        self._ledger.call.remote(line)


class LedgerGate(Gate):
    """Each attempt goes through the ledger first; pauses and the breaker are this actor's own."""

    def __init__(self, ledger: Any, asker: str, limits: Limits) -> None:
        super().__init__(Limits(limits.concurrency, patience=limits.patience))
        self._ledger = ledger
        self._asker = asker
        self._tickets: dict[int, int] = {}

    async def enter(self, tokens: float) -> Pass:
        """See Gate."""
        passed = await super().enter(tokens)
        try:
            ticket = await self._ledger.enter.remote(self._asker, tokens)
        except BaseException:
            super().leave(passed)
            raise
        self._tickets[id(passed)] = ticket
        return passed

    def well(self, passed: Pass, tokens: float) -> None:
        """See Gate."""
        self._out(passed, tokens)
        super().well(passed, tokens)

    def failed(self, passed: Pass, *arguments: Any, **named: Any) -> Any:
        """See Gate."""
        self._out(passed, 0.0)
        return super().failed(passed, *arguments, **named)

    def leave(self, passed: Pass) -> None:
        """See Gate."""
        self._out(passed, 0.0)
        super().leave(passed)

    def _out(self, passed: Pass, tokens: float) -> None:
        ticket = self._tickets.pop(id(passed), None)
        if ticket is not None:
            self._ledger.leave.remote(ticket, tokens)


class LedgerBudget(Budget):
    """The budget that the ledger holds for all askers. What it hands out are tickets, not dollars."""

    def __init__(self, ledger: Any, asker: str, limit: float) -> None:
        super().__init__(limit)
        self._ledger = ledger
        self._asker = asker

    async def reserve(self, characters: int, least: float) -> float:
        """See Budget."""
        ticket, why_not = await self._ledger.reserve.remote(self._asker, characters, least)
        if not ticket:
            raise BudgetError(why_not)
        return float(ticket)

    async def settle(self, reserved: float, cost: float, characters: int) -> None:
        """See Budget."""
        await self._ledger.spend.remote(int(reserved), cost, characters)


class LedgerReplies:
    """A Keeper: the single replies that the ledger keeps."""

    def __init__(self, ray: Any, ledger: Any) -> None:
        self._ray = ray
        self._ledger = ledger

    def read(self, key: bytes) -> bytes | None:
        """See Keeper."""
        kept: bytes | None = self._ray.get(self._ledger.reply.remote(key))
        return kept

    def write(self, key: bytes, value: bytes) -> None:
        """See Keeper."""
        self._ledger.keep_reply.remote(key, value)

    def forget(self, key: bytes) -> None:
        """See Keeper."""
        self._ledger.keep_reply.remote(key, None)
