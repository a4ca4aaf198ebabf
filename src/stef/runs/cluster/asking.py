"""The actors that make the calls."""

import asyncio
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from stef.errors import BudgetError
from stef.evaluator.packing import unpack
from stef.records.assessment import Unscored
from stef.records.reasons import UnscoredReason
from stef.runs.cluster.ledger import LEDGER
from stef.runs.cluster.means import Means
from stef.runs.cluster.session import ray_with_data
from stef.runs.cluster.stage import Stage
from stef.runs.cluster.through import LedgerCalls, LedgerReplies
from stef.runs.judgements import from_bytes
from stef.runs.judging import Judging
from stef.runs.worker import from_ipc, to_ipc
from stef.runs.working import judged_or_fault, together

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

    from stef.runs.cluster.receipts import Receipt

_UNSCORED: Final = b'{"unscored"'
"""How what `to_bytes` makes of an Unscored begins."""


class Asking(Stage):
    """The calls of one part after the other, after a look at what was paid for before."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._runner = asyncio.Runner()
        self._asker: _Asker | None = None

    def step(self, receipt: "Receipt", held: bytes) -> tuple[bytes, bytes]:  # noqa: ARG002  nothing to tell
        """What `prepare` gave → the same, with its judgements."""
        if self._asker is None:
            self._asker = _Asker(self._means)
        return held, to_ipc(self._runner.run(self._asker.judged(from_ipc(held))))


class _Asker:
    """A judge whose calls go through the ledger."""

    def __init__(self, means: Means) -> None:
        ray = ray_with_data()
        self._ledger: Any = ray.get_actor(LEDGER)
        self._me: str = ray.get_runtime_context().get_actor_id()
        ray.get(self._ledger.join.remote(self._me))
        calls = LedgerCalls(self._ledger, self._me, means)
        self._evaluator = means.make(calls)
        # The actor ends with the run, and the context with it.
        self._keeping = ExitStack()
        self._keeping.enter_context(calls.replies.keeping_in(LedgerReplies(ray, self._ledger)))
        self._kept = _OfOnePart()
        self._judging = Judging(self._evaluator, self._kept, calls, means.limits.concurrency)
        self._spent: str | None = None

    async def judged(self, prepared: "pa.Table") -> "pa.Table":
        """The judgements of a part. Raises BudgetError where the budget did not last, and as `Judging` does."""
        import pyarrow as pa  # noqa: PLC0415  heavy

        self._kept.known.clear()
        asked = zip(*(prepared[name].to_pylist() for name in ("row", "key", "prepared")), strict=True)
        judgements = await together([self._one(*each) for each in asked])
        spent = self._judging.spent or self._spent
        if spent is not None:
            raise BudgetError(f"{spent}; what was judged is kept, and the same command with a greater --budget goes on")
        self._check_answered(judgements)
        return pa.table({"judgement": pa.array(judgements, pa.binary())})

    async def _one(self, row: int, key: bytes | None, packed: bytes) -> bytes | None:
        if key is None:
            return None
        known: bytes | None = await self._ledger.claim.remote(self._me, key)
        unscored = None if known is None else _unscored(known)
        if unscored is not None:
            self._spent = unscored.detail if unscored.reason is UnscoredReason.BUDGET else self._spent
            return known
        if known is not None:
            self._kept.known[key] = known
        judged = None
        try:
            judged = await judged_or_fault(self._judging, row, key, lambda: unpack(packed, self._evaluator).request)
            return judged
        finally:
            # What was paid for is on its way to the disk before the part counts as judged.
            await self._ledger.settle.remote(self._me, key, judged, self._kept.new.pop(key, None) is not None)

    def _check_answered(self, judgements: list[bytes | None]) -> None:
        """As on one machine: a part of which the judge answered nothing ends the run."""
        judged = [_unscored(one) for one in judgements if one is not None]
        silent = sum(one is not None and one.reason is UnscoredReason.JUDGE_UNAVAILABLE for one in judged)
        self._judging.check_answered(silent, len(judged) - silent)


class _OfOnePart:
    """What the ledger keeps of a part's judgements (`known`), and those that it does not have yet (`new`)."""

    def __init__(self) -> None:
        self.known: dict[bytes, bytes] = {}
        self.new: dict[bytes, bytes] = {}

    def read(self, key: bytes) -> bytes | None:
        """See Keeper."""
        return self.known.get(key)

    def write(self, key: bytes, value: bytes) -> None:
        """See Keeper."""
        self.new[key] = value

    def forget(self, key: bytes) -> None:
        """See Keeper."""
        self.new.pop(key, None)


def _unscored(judged: bytes) -> Unscored | None:
    """Why there is no judgement, where there is none."""
    if not judged.startswith(_UNSCORED):
        return None
    outcome = from_bytes(judged)
    return outcome if isinstance(outcome, Unscored) else None
