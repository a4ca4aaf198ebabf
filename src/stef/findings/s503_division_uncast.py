"""A division that may lose its fraction.

What it sees: a division in a dialect that cuts whole numbers down, with no cast, no decimal constant, and sides whose
types are not known.

Why it is bad: where both columns hold whole numbers, 3 / 4 is 0.

Example: `SELECT wins / races FROM drivers` on SQLite

Right: `SELECT 1.0 * wins / races FROM drivers`
"""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.findings.notes import from_notes
from stef.records.assessment import Finding

CODE = "S503"
TITLE = "division without a cast"
NEEDS = ("division_without_cast",)


def find(context: Context) -> Iterator[Finding]:
    """One finding for each such division."""
    return from_notes(context, "division_without_cast", CODE, TITLE, "if both sides are whole, the fraction is lost")
