"""How a type is declared of which a turn makes dozens: a frozen slotted dataclass for the type checker alone.

The interpreter does not refuse an assignment to a field, as looking for one makes an object four times as dear, and a
tenth of a turn went into it. What stef hands out (Assessment, Judgement, Finding) is frozen in earnest.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as record
else:
    from dataclasses import dataclass

    def record(*, frozen: bool, slots: bool):
        """`@dataclass(frozen=True, slots=True)`: compared and hashed by value, but not guarded."""
        return dataclass(slots=slots, unsafe_hash=frozen)


__all__ = ["record"]
