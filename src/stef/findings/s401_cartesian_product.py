"""Every row of one table meets every row of another.

What it sees: two tables, or groups of tables, in FROM, and no condition that ties them.

Why it is bad: each row is repeated as often as the other table has rows; counts and sums are multiplied.

Example: `SELECT COUNT(*) FROM pilots, flights`

Right: `SELECT COUNT(*) FROM pilots JOIN flights ON flights.pilot_id = pilots.id`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S401"
TITLE = "tables without a join condition"
NEEDS = ("cartesian_product",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each block with loose tables."""
    return from_notes(context, "cartesian_product", CODE, TITLE, "nothing ties these to each other: {}")
