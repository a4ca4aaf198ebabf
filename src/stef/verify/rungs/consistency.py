"""Rung 4: answers drawn blindly, run, and clustered by their rows: does the candidate's rows come of them, too?

Every answer is drawn with no knowledge of the candidate or of the others, so that agreement counts: they could not
coordinate. The candidate has no vote. The weight is an assumption: 0.7 · log((a + ½) / (n - a + ½)) for a of n votes,
as answers of one model share their errors, half of it where all agree on nothing at all.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Annotated, Any

from pydantic import Field

from stef.errors import BudgetError, JudgeReplyError, JudgeUnavailableError
from stef.gold.behaviour import runnable_sql
from stef.gold.validate.place import Place
from stef.gold.values import NotComparableError
from stef.records.asking import AgentReply, AgentRequest
from stef.records.result import Executed, Result
from stef.records.turn import Turn
from stef.verify.agreeing import agree
from stef.verify.asking import Reply, Tally, ask
from stef.verify.candidate import Candidate
from stef.verify.means import Means
from stef.verify.prompts import WRITE_SQL, request_for, said_of, schema_text
from stef.verify.records import Rung, RungReport, Sign, Stand
from stef.verify.rungs.dear import looked

_TEMPERATURE = 0.7
_SHRINK, _OF_NOTHING = 0.7, 0.5
_LEAST_VOTES = 2
_MOST_KEPT = 2_000


class Written(Reply):
    """A query that a model wrote."""

    sql: Annotated[str, Field(min_length=1, max_length=50_000)]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One answer that was drawn: its SQL, what it gave; `fault` where there is none, `broke`: for want of money."""

    sql: str = ""
    executed: Executed | None = None
    fault: str = ""
    broke: bool = False

    @property
    def result(self) -> Result | None:
        """Its rows."""
        return self.executed if isinstance(self.executed, Result) else None


async def consistency(candidate: Candidate, means: Means) -> RungReport:
    """For or against, by the share of drawn answers that give the candidate's rows; nothing with fewer than two."""
    return await looked(Rung.CONSISTENCY, lambda tally: _voted(candidate, means, tally))


async def _voted(candidate: Candidate, means: Means, tally: Tally) -> RungReport:
    if candidate.result is None:
        return RungReport(Rung.CONSISTENCY, Stand.NOTHING, "there are no rows to compare with")
    draws = [_draw(candidate, means, number, tally) for number in range(1, means.samples + 1)]
    drawn = await _all(draws)
    if not tally.calls and all(one.broke for one in drawn):
        raise BudgetError(drawn[0].fault)
    texts = {" ".join(one.sql.split()) for one in drawn if one.sql}
    if means.agent is not None and len(texts) == 1 and len(drawn) > 1:
        detail = f"all {len(drawn)} answers are one text: they were not drawn anew (a cache, or temperature 0)"
        return RungReport(Rung.CONSISTENCY, Stand.NOTHING, detail)
    return await asyncio.to_thread(_report, candidate.result, drawn)


async def _all(draws: Sequence[Coroutine[Any, Any, Drawn]]) -> list[Drawn]:
    """All answers; what ends the run is raised only when none is on its way any more."""
    found = await asyncio.gather(*draws, return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return [one for one in found if isinstance(one, Drawn)]


def _report(own: Result, drawn: list[Drawn]) -> RungReport:
    votes = [(one, verdict) for one in drawn if one.result and (verdict := _agrees(own, one.result)) is not None]
    facts = _facts(votes, drawn)
    if len(votes) < _LEAST_VOTES:
        why = next((one.fault for one in drawn if one.fault), "they gave no rows that could be compared")
        detail = f"{len(votes)} of {len(drawn)} answers could vote: {why}"
        return RungReport(Rung.CONSISTENCY, Stand.NOTHING, detail, facts=facts)
    agreeing = sum(verdict for _, verdict in votes)
    against = len(votes) - agreeing
    weight = _SHRINK * log((agreeing + 0.5) / (against + 0.5))
    if weight > 0 and not own.rows:
        weight *= _OF_NOTHING
    rival = _largest([one for one, verdict in votes if not verdict])
    rival_sql = rival[0].sql if rival else None
    facts = {**facts, "agreement": agreeing / len(votes), "rival": len(rival), "rival_sql": rival_sql}
    detail = f"{agreeing} of {len(votes)} answers that were drawn blindly give the same rows"
    if against:
        detail += f"; {len(rival)} agree on other rows"
    stand = Stand.FOR if weight > 0 else Stand.AGAINST if weight < 0 else Stand.NEUTRAL
    signs = (Sign("others_disagree", detail, weight, facts={"rival_sql": rival_sql}),) if weight < 0 else ()
    return RungReport(Rung.CONSISTENCY, stand, detail, signs, weight, facts=facts)


def _facts(votes: list[tuple[Drawn, bool]], drawn: list[Drawn]) -> dict[str, object]:
    return {
        "drawn": len(drawn),
        "votes": len(votes),
        "answers": [
            {
                "sql": one.sql[:_MOST_KEPT],
                "rows": one.result.rows if one.result else None,
                "agrees": next((verdict for other, verdict in votes if other is one), None),
                "fault": one.fault or (None if one.result else str(getattr(one.executed, "message", ""))),
            }
            for one in drawn
        ],
    }


def _largest(others: list[Drawn]) -> list[Drawn]:
    """The largest cluster among answers that do not agree with the candidate."""
    clusters: list[list[Drawn]] = []
    for one in others:
        home = next((each for each in clusters if _agrees(each[0].result, one.result)), None)
        if home is None:
            clusters.append([one])
        else:
            home.append(one)
    return max(clusters, key=len, default=[])


def _agrees(one: Result | None, other: Result | None) -> bool | None:
    if one is None or other is None:
        return None
    try:
        return agree(one, other)
    except NotComparableError:
        return None


async def _draw(candidate: Candidate, means: Means, number: int, tally: Tally) -> Drawn:
    place = candidate.gold.place
    if place is None:
        return Drawn(fault="there is no database")
    if means.agent is None:
        return await _from_model(candidate, means, number, tally)
    turn = candidate.turn
    asked = AgentRequest(
        turn.question, database=turn.database, history=turn.history, timeout=means.ask_timeout, hide=()
    )
    reply = await asyncio.to_thread(means.agent.ask, asked)
    tally.add(reply.turn.cost)
    if reply.fault is not None:
        return Drawn(fault=f"{means.agent.name}: {reply.fault.value}: {reply.detail}")
    return await _ran(reply, place, reply.turn.dialect or candidate.gold.dialect)


async def _from_model(candidate: Candidate, means: Means, number: int, tally: Tally) -> Drawn:
    place, client = candidate.gold.place, means.client
    if place is None or client is None:
        return Drawn(fault="there is no database")
    values = {**said_of(candidate), "dialect": place.dialect, "schema": schema_text(place.schema)}
    # What the agent made of the question is no business of an independent answer.
    request = request_for(WRITE_SQL, {**values, "enriched_question": None}, Written, means)
    request = replace(request, temperature=_TEMPERATURE, key=f"sample {number}")
    try:
        written = await ask(client, request, Written, tally)
    except BudgetError as error:
        return Drawn(fault=str(error), broke=True)
    except (JudgeUnavailableError, JudgeReplyError) as error:
        return Drawn(fault=str(error))
    reply = AgentReply(Turn(question=candidate.turn.question, sql=written.sql))
    return await _ran(reply, place, place.dialect)


async def _ran(reply: AgentReply, place: Place, dialect: str | None) -> Drawn:
    sql = runnable_sql(reply, dialect)
    if not sql:
        return Drawn(fault="the answer holds no query")
    return Drawn(sql, await asyncio.to_thread(place.run, sql))
