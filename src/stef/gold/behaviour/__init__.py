"""How a turn ended, and what was right for its case."""

from stef.gold.behaviour.outcome import gives_query, outcome_of, runnable_sql
from stef.gold.behaviour.right import accepts_clarifying, expected_of, expects_answer, right_outcome

__all__ = [
    "accepts_clarifying",
    "expected_of",
    "expects_answer",
    "gives_query",
    "outcome_of",
    "right_outcome",
    "runnable_sql",
]
