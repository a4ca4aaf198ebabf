"""The client of stef: retries, what the server takes, usage, over any transport."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from stef.errors import JudgeSetupError, JudgeUnavailableError, StefError
from stef.llm.body import Body, read_body
from stef.llm.budget import Budget
from stef.llm.client import Call, ChatRequest, Completion
from stef.llm.cost import Price, add_usage, cost_of, tokens_of
from stef.llm.faults import Remedy, ServerFault, remedy_for
from stef.llm.features import Features, degrade, parameters
from stef.llm.gate import Gate
from stef.llm.replies import ReplyStore
from stef.llm.retry import RetryPolicy, with_retries
from stef.records.judgement import Usage


class Transport(Protocol):
    """One way to a server. It neither retries nor reads the environment."""

    async def send(self, asked: Mapping[str, Any]) -> object:
        """The decoded body of the reply to a chat completion with these parameters. Raises ServerFault."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """How to ask.

    `timeout`: seconds for one attempt. `priced_as`: the model's names in a price table, the best first; `price` goes
    before any table. `on_call` is told of every call, answered or not. `budget`: what calls may cost; it needs a price.
    `replies` keeps what was answered. `gate`: what all attempts of a run go through.
    """

    timeout: float = 60.0
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    price: Price | None = None
    priced_as: tuple[str, ...] = ()
    on_call: Callable[[Call], None] | None = None
    budget: Budget | None = None
    replies: ReplyStore | None = None
    gate: Gate | None = None


@dataclass(slots=True)
class _Tally:
    attempts: int = 0
    usage: Usage = field(default_factory=Usage)


class ChatClient:
    """A Client over `transport`. `model` names the model in results; `where` says in messages where it is asked."""

    def __init__(
        self, transport: Transport, model: str, where: str | None = None, settings: ChatSettings | None = None
    ) -> None:
        self.model = model
        self._named = f"{model} at {where}" if where else model
        self._transport = transport
        self._settings = settings or ChatSettings()
        self._features = Features()
        self._proven = False
        self._retry = self._settings.retry if self._settings.gate is None else _within(self._settings)

    async def complete(self, request: ChatRequest) -> Completion:
        """See `Client.complete`."""
        store = self._settings.replies
        if store is None:
            return await self._within_budget(request)
        return await store.get(self.model, request, lambda: self._within_budget(request))

    def forget(self, request: ChatRequest) -> None:
        """Keep the reply to `request` no longer: it could not be read."""
        if self._settings.replies is not None:
            self._settings.replies.forget(self.model, request)

    async def _within_budget(self, request: ChatRequest) -> Completion:
        budget = self._settings.budget
        tally = _Tally()
        if budget is None:
            return await self._asked(request, tally)
        characters = request.characters
        least = self._priced(Usage(tokens_of(characters))).cost or 0.0
        reserved = await budget.reserve(characters, least)
        try:
            completion = await self._asked(request, tally)
            if not tally.usage.input_tokens:
                # A server that counts nothing must not make a run free.
                tally.usage = self._priced(Usage(tokens_of(characters), tokens_of(len(completion.text))))
            return completion
        finally:
            await budget.settle(reserved, tally.usage.cost or 0.0, characters)

    async def _asked(self, request: ChatRequest, tally: _Tally) -> Completion:
        def ask(features: Features) -> dict[str, Any]:
            return parameters(features, request)

        start = time.perf_counter()
        error: str | None = "cancelled"
        try:
            body = await with_retries(lambda: self._attempt(ask, tally, request), self._retry)
            error = None
        except ServerFault as fault:
            error = str(fault)
            raise self._no_reply(fault, tally.attempts) from fault
        except StefError as fault:
            error = str(fault)
            raise
        finally:
            latency = time.perf_counter() - start
            self._report(Call(self.model, latency, tally.attempts, tally.usage, error))
        return Completion(
            body.text,
            tally.usage,
            self.model,
            latency,
            tally.attempts,
            body.finish_reason,
            body.refusal,
            body.tokens,
        )

    async def close(self) -> None:
        """Let go of connections."""
        await self._transport.close()

    async def _attempt(self, ask: Callable[[Features], dict[str, Any]], tally: _Tally, request: ChatRequest) -> Body:
        while True:
            features = self._features
            try:
                body = await self._through_gate(ask(features), tally, request)
            except ServerFault as fault:
                less = degrade(features, fault)
                if less is None:
                    self._give_up(fault)
                    raise
                # Calls that ran side by side may have found it out already.
                if self._features == features:
                    self._features = less
            else:
                self._proven = True
                return body

    async def _through_gate(self, asked: Mapping[str, Any], tally: _Tally, request: ChatRequest) -> Body:
        gate = self._settings.gate
        if gate is None:
            return await self._send(asked, tally)
        while True:
            passed = await gate.enter(tokens_of(request.characters))
            try:
                body = await self._send(asked, tally)
            except ServerFault as fault:
                if remedy_for(fault, self._proven) is not Remedy.RETRY:
                    gate.leave(passed)
                    raise
                # An outage, or a server that is asked too much, costs no turn its attempts.
                waits = gate.failed(passed, fault, self._proven)
                if waits is None:
                    raise
                await gate.sleep(waits)
            except BaseException:
                gate.leave(passed)
                raise
            else:
                gate.well(passed, body.usage.input_tokens + body.usage.output_tokens)
                return body

    async def _send(self, asked: Mapping[str, Any], tally: _Tally) -> Body:
        tally.attempts += 1
        try:
            async with asyncio.timeout(self._settings.timeout):
                answer = await self._transport.send(asked)
            body = read_body(answer)
        except TimeoutError as error:
            raise ServerFault(f"no reply within {self._settings.timeout:g} s") from error
        except ServerFault as fault:
            if fault.usage:
                tally.usage = add_usage(tally.usage, self._priced(fault.usage))
            raise
        tally.usage = add_usage(tally.usage, self._priced(body.usage))
        return body

    def _give_up(self, fault: ServerFault) -> None:
        match remedy_for(fault, self._proven):
            case Remedy.RETRY:
                return
            case Remedy.GIVE_UP_TURN:
                raise JudgeUnavailableError(f"{self._named}: the server does not take this turn: {fault}") from fault
            case Remedy.STOP_RUN:
                raise JudgeSetupError(f"{self._named}: {fault}{_way_out(fault)}") from fault

    def _no_reply(self, fault: ServerFault, attempts: int) -> StefError:
        tried = "1 attempt" if attempts == 1 else f"{attempts} attempts"
        if fault.unreachable and not self._proven:
            return JudgeSetupError(
                f"{self._named} can't be reached ({tried}): {fault}; check that the server runs, and the base URL"
            )
        return JudgeUnavailableError(f"{self._named}: no reply after {tried}: {fault}")

    def _priced(self, usage: Usage) -> Usage:
        settings = self._settings
        for name in settings.priced_as or ("",):
            cost = cost_of(name, usage.input_tokens, usage.output_tokens, settings.price)
            if cost is not None:
                return replace(usage, cost=cost)
        return usage

    def _report(self, call: Call) -> None:
        if self._settings.on_call:
            self._settings.on_call(call)


def _within(settings: ChatSettings) -> RetryPolicy:
    """The retries of calls that may have to wait at a gate: those waits do not count, and a stop ends them."""
    if settings.gate is None:
        return settings.retry
    return replace(
        settings.retry, sleep=settings.gate.sleep, max_wait=settings.retry.max_wait + settings.gate.limits.patience
    )


def _way_out(fault: ServerFault) -> str:
    if "logprob" in fault.message.lower():
        return "; it tells no log-probabilities: judge with --confidence stated or --confidence samples"
    if fault.status in (401, 403):
        return "; check the key, and that it may use this model"
    if fault.status == 404:
        return "; check the model's name, and that the base URL is the one that chat/completions lies under"
    return ""
