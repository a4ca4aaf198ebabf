"""What the dear rungs have in common: somebody is asked, who may not answer, or for whom there may be no money."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from stef.errors import BudgetError, JudgeReplyError, JudgeUnavailableError
from stef.verify.asking import Tally
from stef.verify.means import Means
from stef.verify.records import Rung, RungReport, Stand

BUDGET = "budget"
"""The fact of a report that no money was left."""


async def looked(rung: Rung, look: Callable[[Tally], Awaitable[RungReport]]) -> RungReport:
    """What `look` reports, with calls and cost; a rung that could not ask stands for nothing, and says why."""
    tally = Tally()
    try:
        report = await look(tally)
    except BudgetError as error:
        report = RungReport(rung, Stand.NOTHING, str(error), facts={BUDGET: True})
    except (JudgeUnavailableError, JudgeReplyError) as error:
        report = RungReport(rung, Stand.NOTHING, str(error), facts={"error": type(error).__name__})
    return replace(report, calls=tally.calls, cost=tally.cost)


def needs_model(means: Means) -> str | None:
    """Why a rung that asks a model cannot be climbed."""
    return None if means.client is not None else "needs a model (--judge)"


def needs_answers(means: Means) -> str | None:
    """Why a rung that draws answers cannot be climbed."""
    return (
        None if means.client is not None or means.agent is not None else "needs a model or an agent (--judge, --agent)"
    )
