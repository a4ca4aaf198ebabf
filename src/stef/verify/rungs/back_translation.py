"""Rung 3: a model says in English what the SQL asks, without having seen the question; a second call compares.

The weights are an assumption, not a measurement: a verdict counts with half the log-odds of the confidence that it
states, an uncertain one with a quarter, and no confidence above 0.95 counts as more.
"""

from math import log
from typing import Annotated, Literal

from pydantic import Field

from stef.verify.asking import Reply, Tally, ask
from stef.verify.candidate import Candidate
from stef.verify.means import Means
from stef.verify.prompts import BACK_TRANSLATE, SAME_REQUEST, request_for, said_of, schema_text
from stef.verify.records import Rung, RungReport, Sign, Stand
from stef.verify.rungs.dear import looked

_MOST_CONFIDENT = 0.95
_MOST_SIGNS = 5
_Text = Annotated[str, Field(max_length=4_000)]


class Request(Reply):
    """What a query asks, in English."""

    request: Annotated[str, Field(min_length=1, max_length=8_000)]


class Comparison(Reply):
    """Two requests side by side; the differences come before the verdict."""

    differences: Annotated[list[_Text], Field(max_length=50)]
    verdict: Literal["same", "probably_same", "probably_different", "different"]
    confidence: Annotated[float, Field(ge=0.0, le=1.0)]


async def back_translation(candidate: Candidate, means: Means) -> RungReport:
    """For or against, by whether both requests are the same; nothing, where the model gave no usable reply."""
    return await looked(Rung.BACK_TRANSLATION, lambda tally: _compared(candidate, means, tally))


async def _compared(candidate: Candidate, means: Means, tally: Tally) -> RungReport:
    client = means.client
    if client is None:
        raise ValueError("no model was given")
    resolved, place = candidate.gold.resolved, candidate.gold.place
    read = frozenset() if resolved is None else resolved.tables
    seen = {
        "sql": candidate.sql,
        "dialect": candidate.gold.dialect,
        "schema": schema_text(place.schema if place is not None else None, read),
    }
    told = await ask(client, request_for(BACK_TRANSLATE, seen, Request, means), Request, tally)
    both = {**said_of(candidate), "request": told.request}
    found = await ask(client, request_for(SAME_REQUEST, both, Comparison, means), Comparison, tally)
    weight = _weight(found)
    same = found.verdict in ("same", "probably_same")
    signs = () if same else tuple(Sign("asks_another", one, weight) for one in found.differences[:_MOST_SIGNS])
    stand = Stand.NEUTRAL if not weight else Stand.FOR if same else Stand.AGAINST
    facts = {"request": told.request, "verdict": found.verdict, "confidence": found.confidence}
    return RungReport(
        Rung.BACK_TRANSLATION,
        stand,
        f"{found.verdict.replace('_', ' ')}: the query asks: {told.request}",
        signs or (() if same else (Sign("asks_another", f"the query asks: {told.request}", weight),)),
        weight,
        facts={**facts, "differences": list(found.differences)},
    )


def _weight(found: Comparison) -> float:
    confidence = min(max(found.confidence, 0.5), _MOST_CONFIDENT)
    share = 0.25 if found.verdict.startswith("probably") else 0.5
    side = 1 if found.verdict in ("same", "probably_same") else -1
    return side * share * log(confidence / (1 - confidence))
