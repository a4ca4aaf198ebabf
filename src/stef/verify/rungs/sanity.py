"""Rung 2: does the result look right? Asks the database alone."""

import asyncio
from dataclasses import replace

from stef.verify.candidate import Candidate
from stef.verify.means import Means
from stef.verify.records import Rung, RungReport, Sign, Stand
from stef.verify.sanity import LOOKS
from stef.verify.weights import LOOKS_RIGHT, SIGNS


async def sanity(candidate: Candidate, _means: Means) -> RungReport:
    """Against: a sign that is evidence. Neutral: none. Nothing: there is no result.

    Signs of one result hang together (a value that is not in the data, and no row), so the strongest alone counts.
    """
    signs = await asyncio.to_thread(_signs, candidate)
    if signs is None:
        return RungReport(Rung.SANITY, Stand.NOTHING, "there is no result to look at")
    weight = min((sign.weight for sign in signs), default=0.0)
    if weight < 0:
        return RungReport(Rung.SANITY, Stand.AGAINST, _counted(signs), signs, weight)
    return RungReport(Rung.SANITY, Stand.NEUTRAL, "nothing odd in the result", signs, LOOKS_RIGHT)


def _signs(candidate: Candidate) -> tuple[Sign, ...] | None:
    result = candidate.result
    if result is None:
        return None
    found = [replace(sign, weight=SIGNS[sign.code]) for look in LOOKS for sign in look(candidate, result)]
    return tuple(sorted(found, key=lambda sign: sign.weight))


def _counted(signs: tuple[Sign, ...]) -> str:
    return ", ".join(dict.fromkeys(sign.code for sign in signs if sign.weight < 0))
