"""Two RUNs, or two values within one: which is better, where, and how surely."""

from stef.runs.compare.comparable import NotComparableError
from stef.runs.compare.compare import compare_runs
from stef.runs.compare.model import Comparison, Outcome
from stef.runs.compare.options import CompareOptions
from stef.runs.compare.words import headline

__all__ = ["CompareOptions", "Comparison", "NotComparableError", "Outcome", "compare_runs", "headline"]
