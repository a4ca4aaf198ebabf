"""All looks at a result, in order."""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from stef.records.result import Result
from stef.verify.candidate import Candidate
from stef.verify.records import Sign
from stef.verify.sanity.constants import constants
from stef.verify.sanity.data import data
from stef.verify.sanity.emptiness import emptiness
from stef.verify.sanity.ranges import ranges
from stef.verify.sanity.row_counts import row_counts

Look: TypeAlias = Callable[[Candidate, Result], Iterator[Sign]]

LOOKS: Final[tuple[Look, ...]] = (emptiness, row_counts, ranges, constants, data)
"""From what needs the rows only to what asks the database again."""
