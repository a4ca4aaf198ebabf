"""One answer, whole: its query on the ladder, and its wording against the rows."""

import asyncio
from dataclasses import replace

from stef.verify.candidate import Candidate
from stef.verify.ladder import climb
from stef.verify.means import Means
from stef.verify.records import Verification
from stef.verify.wording.check import check_wording
from stef.verify.wording.records import Wording
from stef.verify.wording.table import table_of_result, table_of_rows


async def check(candidate: Candidate, means: Means) -> Verification:
    """What the ladder says of the query, with the wording of the answer where the turn holds one.

    Raises as `climb` does.
    """
    found = await climb(candidate, means)
    if not (candidate.turn.answer or "").strip():
        return found
    return replace(found, wording=await asyncio.to_thread(_wording, candidate))


def _wording(candidate: Candidate) -> Wording:
    """The answer against the rows that the turn says were shown; else against those that its query gives now."""
    turn = candidate.turn
    if turn.rows is not None:
        return check_wording(turn, table_of_rows(turn.rows))
    result = candidate.result if candidate.answers else None
    if result is None:
        return Wording(checked=False, why="there are no rows: the turn holds none, and no query gives any")
    return check_wording(turn, table_of_result(result))
