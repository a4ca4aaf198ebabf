"""The one gate through which all calls of a run go: rates, calls in flight, pauses, and the circuit breaker."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from stef.errors import JudgeDownError, StoppedError
from stef.llm.adaptive import Adaptive
from stef.llm.breaker import Breaker
from stef.llm.faults import ServerFault
from stef.llm.rates import Rate

PATIENCE: Final = 600.0
"""Seconds that a run waits for a judge that is down, or that asks to wait, before it stops."""

_USUAL_REPLY: Final = 200.0
_LONGEST_PAUSE: Final = 30.0
_TOO_MANY: Final = 429
_IN_A_ROW: Final = 3
"""Refusals without an answer in between, after which nobody is let through for as long as the server asks."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server may be asked: calls in flight, requests and tokens a minute (None: as many as it takes)."""

    concurrency: int = 16
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    patience: float = PATIENCE


@dataclass(slots=True)
class Pass:
    """One call on its way through the gate."""

    started: float
    tokens: float
    probing: bool = False


@dataclass(slots=True)
class _Pause:
    until: float = 0.0
    refused: int = 0
    since: float | None = None


@dataclass(slots=True)
class GateState:
    """What the gate tells whoever watches."""

    in_flight: int = 0
    limit: int = 0
    down_for: float = 0.0
    said: str = ""


class Gate:
    """Lets calls through, in the order in which they came. It belongs to one event loop.

    Every attempt enters once, and leaves by `well`, `failed` or `leave`.
    """

    def __init__(self, limits: Limits | None = None, changed: Callable[[GateState], None] | None = None) -> None:
        self.limits = limits or Limits()
        self._adaptive = Adaptive(self.limits.concurrency)
        self._breaker = Breaker()
        self._requests = _rate(self.limits.requests_per_minute)
        self._tokens = _rate(self.limits.tokens_per_minute)
        self._pause = _Pause()
        self._in_flight = 0
        self._queue: deque[asyncio.Future[None]] = deque()
        self._reply_tokens = _USUAL_REPLY
        self._changed: asyncio.Event | None = None
        self._stopped = False
        self._watch = changed

    async def enter(self, tokens: float) -> Pass:
        """Wait until a call with a prompt of `tokens` may be made.

        Raises JudgeDownError where the judge stays down, StoppedError after `stop`.
        """
        while True:
            probing = await self._breaker_lets_through()
            try:
                await self._slot(probing)
            except BaseException:
                self._probed(probing)
                raise
            if probing or not self._breaker.open:
                break
            self._free()
        try:
            expected = tokens + self._reply_tokens
            await self.sleep(self._waits(expected))
            return Pass(self._now(), expected, probing)
        except BaseException:
            self._probed(probing)
            self._free()
            raise

    def well(self, passed: Pass, tokens: float) -> None:
        """The call was answered, with `tokens` sent and received together (0 where the server does not count)."""
        self._free()
        was_open = self._breaker.open
        self._breaker.well()
        self._adaptive.well()
        self._pause.refused, self._pause.since = 0, None
        if tokens and self._tokens is not None:
            self._tokens.correct(tokens - passed.tokens)
        if was_open:
            self._wake()

    def failed(self, passed: Pass, fault: ServerFault, proven: bool) -> float | None:
        """The call failed. Seconds after which it may come again without its attempt being counted; None: it counts.

        Raises JudgeDownError where the server asks to wait for longer than there is patience.
        """
        self._free()
        now = self._now()
        if fault.status == _TOO_MANY:
            self._probed(passed.probing)
            self._adaptive.too_many(passed.started, now)
            return self._slow_down(passed, fault, now)
        if not fault.unreachable:
            self._adaptive.let_in()
        if (fault.status is None or fault.status >= 500) and (proven or not fault.unreachable):
            self._breaker.failed(now, str(fault), passed.probing)
            self._wake()
            return 0.0 if self._breaker.open else None
        self._probed(passed.probing)
        return None

    def leave(self, passed: Pass) -> None:
        """The call ended without telling anything of the server."""
        self._probed(passed.probing)
        self._free()

    def stop(self) -> None:
        """Let nobody through any more: what is in flight ends, the rest raises StoppedError."""
        self._stopped = True
        for waiting in self._queue:
            if not waiting.done():
                waiting.set_exception(StoppedError("stopped"))
        self._queue.clear()
        self._wake()

    @property
    def state(self) -> GateState:
        """How it stands."""
        return GateState(self._in_flight, self._adaptive.limit, self._breaker.down_for(self._now()), self._breaker.said)

    async def sleep(self, seconds: float) -> None:
        """Sleep, unless the run is stopped meanwhile. Raises StoppedError then."""
        end = self._now() + seconds
        while (left := end - self._now()) > 0:
            await self._change(left)
        self._check_stopped()

    async def _breaker_lets_through(self) -> bool:
        """Wait while the judge is down; whether this call is the probe."""
        while True:
            self._check_stopped()
            if not self._breaker.open:
                return False
            now = self._now()
            self._tell()
            if self._breaker.down_for(now) > self.limits.patience:
                raise self._down(now)
            waits = self._breaker.until_probe(now)
            if waits == 0.0:
                self._breaker.probe()
                return True
            await self._change(waits)

    async def _slot(self, probing: bool) -> None:
        self._check_stopped()
        if probing or (self._in_flight < self._adaptive.limit and not self._queue):
            self._in_flight += 1
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled() and waiting.exception() is None:
                self._free()
            raise

    def _free(self) -> None:
        self._in_flight -= 1
        while self._queue and self._in_flight < self._adaptive.limit:
            waiting = self._queue.popleft()
            if not waiting.done():
                self._in_flight += 1
                waiting.set_result(None)

    def _waits(self, tokens: float) -> float:
        waits = self._pause.until - self._now()
        if self._requests is not None:
            waits = max(waits, self._requests.wait_for(1.0))
        if self._tokens is not None:
            waits = max(waits, self._tokens.wait_for(tokens))
        return waits

    def _slow_down(self, passed: Pass, fault: ServerFault, now: float) -> float:
        """How long the refused call waits; where one after the other is refused, everybody waits with it."""
        pause = self._pause
        if passed.started >= pause.until:
            pause.refused += 1
        pause.since = now if pause.since is None else pause.since
        asked = fault.retry_after
        waits = min(_LONGEST_PAUSE, 0.5 * 2.0 ** min(pause.refused, 10)) if asked is None else asked
        if now - pause.since + waits > self.limits.patience:
            raise JudgeDownError(f"the judge takes no more calls for now: {fault}; later the same command goes on")
        if pause.refused >= _IN_A_ROW:
            pause.until = max(pause.until, now + waits)
        return waits

    def _down(self, now: float) -> JudgeDownError:
        minutes = self._breaker.down_for(now) / 60
        return JudgeDownError(
            f"the judge has been down for {minutes:.0f} minutes: {self._breaker.said}; what was judged is kept, and "
            "the same command goes on from there"
        )

    def _check_stopped(self) -> None:
        if self._stopped:
            raise StoppedError("stopped")

    def _probed(self, probing: bool) -> None:
        """A call that may have been the probe ended without an answer to whether the judge is up."""
        if probing:
            self._breaker.leave(probing)
            self._wake()

    def _tell(self) -> None:
        if self._watch is not None:
            self._watch(self.state)

    def _wake(self) -> None:
        """Let everybody who sleeps look again."""
        if self._changed is not None:
            self._changed.set()
            self._changed = None

    async def _change(self, longest: float | None) -> None:
        if self._changed is None:
            self._changed = asyncio.Event()
        try:
            async with asyncio.timeout(longest):
                await self._changed.wait()
        except TimeoutError:
            pass

    def _now(self) -> float:
        return asyncio.get_running_loop().time()


def _rate(per_minute: float | None) -> Rate | None:
    return None if per_minute is None else Rate(per_minute)
