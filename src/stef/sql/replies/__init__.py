"""How a turn ended, and what its words say: one reading for every part of stef."""

from stef.sql.replies.constants import said_by_constant
from stef.sql.replies.outcome import Markers, outcome_of_turn
from stef.sql.replies.says import Says, says
from stef.sql.replies.status import outcome_of_status

__all__ = ["Markers", "Says", "outcome_of_status", "outcome_of_turn", "said_by_constant", "says"]
