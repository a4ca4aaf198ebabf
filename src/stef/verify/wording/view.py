"""What of the rows the sentence of a claim has in view."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from stef.verify.wording.claims import Stated
from stef.verify.wording.table import Table, words_of

_FEW_ROWS = 3
_MOST_PAIRS = 60


@dataclass(frozen=True)
class View:
    """The rows, and what of them the sentence of a claim has in view."""

    table: Table
    claim: Stated

    @cached_property
    def cues(self) -> frozenset[str]:
        """The words of the sentence."""
        return frozenset(words_of(self.claim.sentence.text))

    @cached_property
    def rows(self) -> frozenset[int]:
        """The rows that the sentence names; all where there are few."""
        if self.table.rows <= _FEW_ROWS:
            return frozenset(range(self.table.rows))
        return self.table.named_in(self.claim.sentence.folded)

    @cached_property
    def only(self) -> int | None:
        """The one row that the sentence names beside this number alone; None where it is not so clear."""
        if not self.claim.lone or self.table.rows < 2:
            return None
        named = self.table.named_in(self.claim.sentence.folded)
        return next(iter(named)) if len(named) == 1 else None

    @cached_property
    def pairs(self) -> tuple[tuple[float, float, str], ...]:
        """Two values in view, of one column or of one row, with words for them; none where there are too many."""
        columns = [[(row, number) for row, number in numbers if row in self.rows] for numbers in self.table.numbers]
        found = [
            (one, other, f"{shown(one)} and {shown(other)} of {name}")
            for name, numbers in zip(self.table.names, columns, strict=True)
            for (_, one), (_, other) in combinations(numbers, 2)
        ]
        by_row: dict[int, list[float]] = {}
        for numbers in columns:
            for row, number in numbers:
                by_row.setdefault(row, []).append(number)
        found += [
            (one, other, f"{shown(one)} and {shown(other)} of one row")
            for numbers in by_row.values()
            for one, other in combinations(numbers, 2)
        ]
        return tuple(found) if len(found) <= _MOST_PAIRS else ()


def shown(number: float) -> str:
    """A number as messages show it."""
    return f"{number:,.0f}" if number == int(number) else f"{number:,.6g}"
