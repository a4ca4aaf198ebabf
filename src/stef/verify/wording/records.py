"""What the check of an answer's wording says."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class ClaimKind(StrEnum):
    """What a claim is."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"


class Ground(StrEnum):
    """Where a claim comes from."""

    ROWS = "rows"  # it stands there
    DERIVED = "derived"  # it follows from them by one simple step
    QUESTION = "question"  # the question says it, or a column's name
    QUERY = "query"  # the query says it
    JUDGE = "judge"  # a model says that it follows
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Claim:
    """A number, date or name in an answer, where it stands, and what it rests on (`how`, in words)."""

    kind: ClaimKind
    text: str
    span: tuple[int, int]
    ground: Ground
    how: str = ""

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "kind": self.kind.value,
            "text": self.text,
            "span": list(self.span),
            "ground": self.ground.value,
            "how": self.how,
        }


@dataclass(frozen=True, slots=True)
class Wording:
    """All claims of an answer. `checked` is False, with `why`, where there were no rows to check it against.

    `calls` and `cost` (US dollars, None where unknown) are of the model that was asked about the rest.
    """

    claims: tuple[Claim, ...] = ()
    checked: bool = True
    why: str = ""
    calls: int = 0
    cost: float | None = 0.0

    @property
    def unsupported(self) -> tuple[Claim, ...]:
        """What rests on nothing."""
        return tuple(claim for claim in self.claims if claim.ground is Ground.NOTHING)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "checked": self.checked,
            "why": self.why,
            "calls": self.calls,
            "cost": self.cost,
            "claims": [claim.to_json() for claim in self.claims],
            "unsupported": [claim.text for claim in self.unsupported],
        }
