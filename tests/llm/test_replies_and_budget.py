"""What keeps money together: replies that are not paid for twice, and a budget that no call passes."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stef.errors import BudgetError
from stef.llm.budget import Budget
from stef.llm.client import ChatRequest, Completion, Message, Token
from stef.llm.replies import ReplyStore
from stef.llm.tokens import token_counter
from stef.records.judgement import Usage


def question(text: str, key: str | None = None) -> ChatRequest:
    return ChatRequest((Message("user", text),), key=key)


class Asked:
    """Answers, slowly, and counts how often."""

    def __init__(self, text: str = "yes", error: Exception | None = None, seconds: float = 0.01) -> None:
        self.seconds = seconds
        self.times = 0
        self.text = text
        self.error = error

    async def __call__(self) -> Completion:
        """A reply, after a moment."""
        self.times += 1
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        tokens = (Token(b"\xc3", ((b"\xc3", -0.5), (b"x", -1.0))),)
        return Completion(self.text, Usage(3, 1, 0.5), "m", 0.2, 1, "stop", None, tokens)


class Kept(dict[bytes, bytes]):
    """A Keeper in memory."""

    def read(self, key: bytes) -> bytes | None:
        """What is kept."""
        return self.get(key)

    def write(self, key: bytes, value: bytes) -> None:
        """Keep it."""
        self[key] = value

    def forget(self, key: bytes) -> None:
        """Keep it no longer."""
        self.pop(key, None)


async def test_a_question_on_its_way_is_asked_once() -> None:
    """Whoever asks it meanwhile waits for the same reply; a blind sample is another question."""
    store, ask = ReplyStore(), Asked()
    with store.keeping_in(Kept()):
        found = await asyncio.gather(*(store.get("m", question("q"), ask) for _ in range(5)))
        assert ask.times == 1
        assert found == [found[0]] * 5
        await store.get("m", question("q", "2"), ask)
        await store.get("n", question("q"), ask)
    assert ask.times == 3


async def test_replies_are_kept_whole() -> None:
    """With their usage and their tokens; what another version of stef kept is asked anew."""
    ask, kept = Asked("é\u2028{"), Kept()
    with ReplyStore().keeping_in(kept):
        pass
    store = ReplyStore()
    with store.keeping_in(kept):
        first = await store.get("m", question("q"), ask)
    again = ReplyStore()
    with again.keeping_in(kept):
        assert await again.get("m", question("q"), ask) == first
        assert ask.times == 1
        kept.update(dict.fromkeys(kept, b'{"text": 1}'))
        await again.get("m", question("q"), ask)
    assert ask.times == 2


async def test_a_failure_is_not_kept() -> None:
    """It is asked again."""
    store, ask, kept = ReplyStore(), Asked(error=ValueError("no")), Kept()
    with store.keeping_in(kept):
        for _ in range(2):
            with pytest.raises(ValueError, match="no"):
                await store.get("m", question("q"), ask)
    assert ask.times == 2
    assert not kept


async def test_a_reply_of_no_use_is_forgotten() -> None:
    """Whoever comes next asks anew."""
    store, ask, kept = ReplyStore(), Asked("so-so"), Kept()
    with store.keeping_in(kept):
        await store.get("m", question("q"), ask)
        store.forget("m", question("q"))
        await store.get("m", question("q"), ask)
    assert ask.times == 2


async def test_one_who_leaves_does_not_take_the_reply_from_the_others() -> None:
    """The last one who leaves does end the question."""
    store, ask, kept = ReplyStore(), Asked(), Kept()
    with store.keeping_in(kept):
        one, other = (asyncio.ensure_future(store.get("m", question("q"), ask)) for _ in range(2))
        await asyncio.sleep(0)
        one.cancel()
        assert (await other).text == "yes"
        alone = asyncio.ensure_future(store.get("m", question("r"), Asked(seconds=3600)))
        await asyncio.sleep(0.01)
        alone.cancel()
        await asyncio.gather(alone, return_exceptions=True)
    assert len(kept) == 1


async def test_without_a_keeper_everything_is_asked() -> None:
    """A store that is not open keeps nothing."""
    store, ask = ReplyStore(), Asked()
    for _ in range(2):
        await store.get("m", question("q"), ask)
    assert ask.times == 2


@given(st.lists(st.floats(0.001, 0.05), min_size=1, max_size=40), st.floats(0.01, 0.5), st.integers(1, 16))
def test_a_budget_holds(costs: list[float], limit: float, at_once: int) -> None:
    """Whatever calls cost, side by side: where none is dearer than those before, no more is spent than there is."""
    costs = sorted(costs, reverse=True)
    budget = Budget(limit)
    done: list[float] = []

    async def call(cost: float, gate: asyncio.Semaphore) -> None:
        async with gate:
            try:
                reserved = await budget.reserve(100, cost)
            except BudgetError:
                return
            await asyncio.sleep(0)
            done.append(cost)
            await budget.settle(reserved, cost, 100)

    async def all_calls() -> None:
        gate = asyncio.Semaphore(at_once)
        await asyncio.gather(*(call(cost, gate) for cost in costs))

    asyncio.run(all_calls())
    assert sum(done) == pytest.approx(budget.spent)
    assert budget.spent <= limit + 1e-6


async def test_all_of_a_budget_can_be_used() -> None:
    """Calls wait for those in flight rather than give up: ten calls of a tenth fit into one."""
    budget = Budget(1.0)
    made = 0

    async def call() -> None:
        nonlocal made
        reserved = await budget.reserve(10, 0.1)
        await asyncio.sleep(0.001)
        made += 1
        await budget.settle(reserved, 0.1, 10)

    found = await asyncio.gather(*(call() for _ in range(15)), return_exceptions=True)
    assert made == 10
    assert sum(isinstance(one, BudgetError) for one in found) == 5


async def test_a_longer_prompt_is_taken_to_cost_more() -> None:
    """In proportion to the dearest call so far."""
    budget = Budget(1.0)
    await budget.settle(await budget.reserve(1000, 0.0), 0.2, 1000)
    assert await budget.reserve(3000, 0.0) == pytest.approx(0.6)
    with pytest.raises(BudgetError, match=r"\$0\.2000 so far, and one more call would cost about \$1\.0000"):
        await budget.reserve(5000, 0.0)


def test_tokens_are_counted_without_the_network() -> None:
    """A count of the usual size, and what counted."""
    counter = token_counter()
    text = json.dumps({"sql": "SELECT COUNT(*) FROM orders WHERE placed_at >= '2023-01-01'"}) * 20
    assert 0.15 < counter.count(text) / len(text) < 0.5
    assert counter.how
    assert counter.count("<|endoftext|>") > 1
