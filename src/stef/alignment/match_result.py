"""What one filter in force does to an asked one."""

from stef.records.alignment import FilterState
from stef.records.record import record


@record(frozen=True, slots=True)
class Match:
    """What an applied predicate does to an asked one. `tie` in [0, 1]: how surely both speak of the same thing."""

    state: FilterState
    tie: float
    why: str = ""
