"""What each observation adds to the log-odds of being right.

Those of the first two rungs were measured on labelled turns (docs/verify.md has the counts): the logarithm of
P(sign | right) / P(sign | wrong), of two sets the one nearer to 0, rounded towards it, and none beyond -2, so that no
sign of a result refutes an answer by itself. What was seen on too few questions is set by hand, and marked. Those of
the dear rungs are assumptions: see their modules.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RUNS: Final = 0.15
DOES_NOT_RUN: Final = -6.0
LOOKS_RIGHT: Final = 0.6
"""Nothing seen on the second rung."""

SIGNS: Final[Mapping[str, float]] = MappingProxyType(
    {
        # The labelled sets leave out questions that are rightly answered by nothing: these three are shrunk by hand.
        "empty": -1.25,
        "literal": -1.5,
        "literal_spelling": -1.0,
        "no_row_for_whether": 0.0,  # by hand
        "nothing_but_null": -1.5,
        "null_column": -1.0,
        "counts_nothing": -0.75,
        "many_rows_for_one_value": -2.0,
        "many_rows_for_one": -1.0,  # by hand
        "more_rows_than_asked": -2.0,  # by hand
        "fewer_rows_than_asked": -0.5,  # by hand
        "one_row_for_each": -0.75,  # by hand
        "ends_at_limit": -0.5,  # by hand
        "cut": 0.0,
        "negative_count": -2.0,  # by hand
        "share_out_of_range": -2.0,  # by hand
        "text_for_number": -2.0,  # by hand
        "constant_column": 0.0,
        "literal_among_others": -1.0,
        "fan_out": -1.5,
        "repeated_rows": -0.75,
        "whole_division": -1.0,  # by hand
        "sorting": 0.0,
        "ties": -0.75,
        "unordered_limit": -0.5,  # by hand
    }
)
"""By the code of a sign of the second rung; 0: worth saying, and no evidence."""
