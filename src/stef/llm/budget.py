"""A budget in US dollars that no call may pass."""

import asyncio

from stef.errors import BudgetError


class Budget:
    """At most `limit` US dollars, of which `spent` are gone.

    What the next call will cost is not known before. It is taken to cost as much as the dearest call so far, and more
    where its prompt is longer; before any call has ended, what its prompt alone costs. The first call goes alone.
    """

    def __init__(self, limit: float, spent: float = 0.0) -> None:
        self.limit = limit
        self.spent = spent
        self._reserved = 0.0
        self._in_flight = 0
        self._dearest = 0.0
        self._dearest_characters = 0
        self._settled: asyncio.Condition | None = None

    async def reserve(self, characters: int, least: float) -> float:
        """Set aside what a call with a prompt of `characters` may cost; `least`: its prompt alone, by estimate.

        Waits where calls in flight may leave enough. Raises BudgetError where there is not enough in any case.
        """
        if self._settled is None:
            self._settled = asyncio.Condition()
        async with self._settled:
            while True:
                expected = self._expected(characters, least)
                if _more(self.spent + expected, self.limit):
                    raise BudgetError(self._spent_up(expected))
                unknown = not self._dearest_characters and self._in_flight
                if not unknown and not _more(self.spent + self._reserved + expected, self.limit):
                    break
                await self._settled.wait()
            self._reserved += expected
            self._in_flight += 1
            return expected

    async def settle(self, reserved: float, cost: float, characters: int) -> None:
        """A call has ended, for which `reserved` was set aside: it did cost `cost`."""
        if self._settled is None:
            raise RuntimeError("nothing was reserved")
        async with self._settled:
            self._reserved = max(0.0, self._reserved - reserved)
            self._in_flight -= 1
            self.spent += cost
            if cost >= self._dearest and cost > 0:
                self._dearest, self._dearest_characters = cost, max(1, characters)
            self._settled.notify_all()

    def _expected(self, characters: int, least: float) -> float:
        if not self._dearest_characters:
            return least
        return self._dearest * max(1.0, characters / self._dearest_characters)

    def _spent_up(self, expected: float) -> str:
        return (
            f"the budget of ${self.limit:g} is spent: ${self.spent:.4f} so far, "
            f"and one more call would cost about ${expected:.4f}"
        )


def _more(dollars: float, limit: float) -> bool:
    # Sums of floats: ten calls of 0.1 fit into 1.0.
    return dollars > limit + 1e-9
