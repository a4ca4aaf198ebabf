"""What each observation adds to the log-odds of being right."""

from typing import Final

RUNS: Final = 0.0
DOES_NOT_RUN: Final = -6.0
