"""Much at once: a slow turn does not keep others waiting, memory stays bounded, and a failure ends it in order."""

import asyncio

import pytest

from stef.errors import JudgeSetupError, StoppedError
from stef.runs.flow import Flow, Settle


async def test_a_slow_unit_keeps_its_own_room_only() -> None:
    """Of three units two are settled at once: pieces go on being started while the third is waited for."""
    flow, slow, started = Flow(6), asyncio.Event(), 0

    async def piece(settle: Settle) -> None:
        nonlocal started
        started += 1
        settle()
        settle()
        await slow.wait()

    for number in range(4):
        await asyncio.wait_for(flow.start(piece, 3), 5)
        await asyncio.sleep(0)
        assert started == number + 1
    waiting = asyncio.ensure_future(flow.start(piece, 3))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    slow.set()
    await waiting
    await flow.end()
    assert started == 5


async def test_what_is_held_is_bounded() -> None:
    """Pieces that are settled but do not end do not pile up."""
    flow, slow, started = Flow(2), asyncio.Event(), 0

    async def piece(settle: Settle) -> None:
        nonlocal started
        started += 1
        settle()
        await slow.wait()

    async def all_of_them() -> None:
        for _ in range(100):
            await flow.start(piece, 1)
            await asyncio.sleep(0)

    starting = asyncio.ensure_future(all_of_them())
    await asyncio.sleep(0.05)
    assert 2 < started <= 16
    slow.set()
    await starting
    await flow.end()
    assert started == 100


async def test_too_many_settlements_give_no_room() -> None:
    """A piece that is worked on twice settles its units once."""
    flow, slow = Flow(2), asyncio.Event()

    async def piece(settle: Settle) -> None:
        for _ in range(10):
            settle()
        await slow.wait()

    async def busy(_settle: Settle) -> None:
        await slow.wait()

    await flow.start(piece, 1)
    await asyncio.sleep(0)
    await flow.start(busy, 2)
    waiting = asyncio.ensure_future(flow.start(busy, 1))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    slow.set()
    await waiting
    await flow.end()


async def test_a_setup_error_tells_more_than_a_stop() -> None:
    """What is under way ends after a stop; the first thing that says what is wrong is raised."""
    flow = Flow(4)

    async def stopped(_settle: Settle) -> None:
        raise StoppedError("stopped")

    async def wrong(_settle: Settle) -> None:
        await asyncio.sleep(0)
        raise JudgeSetupError("a bad key")

    await flow.start(stopped, 1)
    await flow.start(wrong, 1)
    with pytest.raises(JudgeSetupError, match="a bad key"):
        await flow.end()
