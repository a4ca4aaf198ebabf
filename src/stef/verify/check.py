"""One answer, whole: its query on the ladder, and its wording against the rows."""

import asyncio
from dataclasses import replace

from stef.verify.candidate import Candidate
from stef.verify.ladder import climb
from stef.verify.means import Means
from stef.verify.records import Verification
from stef.verify.wording.check import check_wording
from stef.verify.wording.judged import judge_wording
from stef.verify.wording.records import Wording
from stef.verify.wording.table import Table, table_of_result, table_of_rows


async def check(candidate: Candidate, means: Means) -> Verification:
    """What the ladder says of the query, with the wording of the answer where the turn holds one.

    Raises as `climb` does.
    """
    found = await climb(candidate, means)
    if not (candidate.turn.answer or "").strip():
        return found
    table = await asyncio.to_thread(_table, candidate)
    if table is None:
        return replace(found, wording=_NO_ROWS)
    wording = await asyncio.to_thread(check_wording, candidate.turn, table)
    if means.wording:
        wording = await judge_wording(wording, candidate.turn, table, means)
    return replace(found, wording=wording)


_NO_ROWS = Wording(checked=False, why="there are no rows: the turn holds none, and no query gives any")


def _table(candidate: Candidate) -> Table | None:
    """The rows that the turn says were shown; else those that its query gives now."""
    if candidate.turn.rows is not None:
        return table_of_rows(candidate.turn.rows)
    result = candidate.result if candidate.answers else None
    return None if result is None else table_of_result(result)
