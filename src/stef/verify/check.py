"""One answer, whole: its query on the ladder, and its wording against the rows."""

from dataclasses import replace

from stef.verify.candidate import Candidate
from stef.verify.ladder import climb
from stef.verify.means import Means
from stef.verify.records import Verification


async def check(candidate: Candidate, means: Means) -> Verification:
    """What the ladder says of the query, with the wording of the answer where the turn holds one.

    Raises as `climb` does.
    """
    found = await climb(candidate, means)
    return replace(found, wording=None)
