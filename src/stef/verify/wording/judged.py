"""A model on those claims of an answer that its rows do not explain; asked only where the user wants it."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from stef.errors import BudgetError, JudgeReplyError, JudgeUnavailableError
from stef.records.turn import Turn
from stef.verify.asking import Reply, Tally, ask
from stef.verify.means import Means
from stef.verify.prompts import CHECK_WORDING, request_for
from stef.verify.wording.records import Ground, Wording
from stef.verify.wording.table import Table

_MOST_ROWS, _MOST_CLAIMS, _LONGEST_CELL = 50, 30, 200


class Checked(Reply):
    """One claim; the reason comes before the verdict."""

    number: Annotated[int, Field(ge=1)]
    reason: Annotated[str, Field(max_length=4_000)]
    follows: bool


class Checks(Reply):
    """All claims."""

    claims: Annotated[list[Checked], Field(max_length=_MOST_CLAIMS)]


async def judge_wording(wording: Wording, turn: Turn, table: Table, means: Means) -> Wording:
    """The wording with those claims grounded that the model says follow. One that it says nothing of stays loose.

    A model that does not answer, or for which no money is left, changes nothing, and `why` says so.
    """
    loose = wording.unsupported[:_MOST_CLAIMS]
    if not loose or means.client is None:
        return wording
    tally = Tally()
    values = {
        "question": turn.question,
        "answer": turn.answer or "",
        "rows": "\n".join(_lines(table)),
        "cut": max(0, table.rows - _MOST_ROWS),
        "claims": "\n".join(f"{number}. {claim.text}" for number, claim in enumerate(loose, 1)),
    }
    try:
        found = await ask(means.client, request_for(CHECK_WORDING, values, Checks, means), Checks, tally)
    except (BudgetError, JudgeUnavailableError, JudgeReplyError) as error:
        return replace(wording, why=f"not judged: {error}", calls=tally.calls, cost=tally.cost)
    follows = {one.number: one.reason for one in found.claims if one.follows}
    grounds = {claim.span: follows[number] for number, claim in enumerate(loose, 1) if number in follows}
    claims = tuple(
        replace(claim, ground=Ground.JUDGE, how=grounds[claim.span])
        if claim.ground is Ground.NOTHING and claim.span in grounds
        else claim
        for claim in wording.claims
    )
    return replace(wording, claims=claims, calls=tally.calls, cost=tally.cost)


def _lines(table: Table) -> Iterator[str]:
    yield "\t".join(_cell(name) for name in table.names)
    for row in range(min(table.rows, _MOST_ROWS)):
        yield "\t".join(_cell(column[row]) for column in table.columns)


def _cell(value: object) -> str:
    text = "NULL" if value is None else " ".join(str(value).split())
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - 1] + "…"
