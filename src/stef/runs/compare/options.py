"""What a comparison is asked for."""

from dataclasses import dataclass, field

from stef.stats.paired import Drawing

AIM = 2.0
"""Points that a comparison should be able to show, unless said otherwise."""


@dataclass(frozen=True, slots=True)
class CompareOptions:
    """How to compare. `by` splits the turns of one RUN by the values `pick`, or takes one of them from each of two.

    `key`: the field that pairs turns; None: the question's text and the database. `slices`: names of what to slice by;
    None: what the RUNs have. `aim`: points that the sentence on how many questions it takes speaks of. `anyway`:
    compare across judges and rules.
    """

    by: str | None = None
    pick: tuple[str, ...] = ()
    key: str | None = None
    slices: tuple[str, ...] | None = None
    aim: float = AIM
    anyway: bool = False
    drawing: Drawing = field(default_factory=Drawing)

    @property
    def alpha(self) -> float:
        """The share of false alarms that is put up with."""
        return 1.0 - self.drawing.level
