"""Everything that a report holds, before anybody decides how it looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from stef.report.checks import Checked
from stef.report.gates import Result
from stef.report.gold import GoldReport
from stef.report.scored import ScoredReport
from stef.runs.compare.model import Comparison
from stef.runs.run import Run


@dataclass(frozen=True, slots=True)
class Report:
    """A report of RUNs of one kind. `not_compared` says why several RUNs were not compared.

    `agreement` is what `stef agree --json` prints of the last RUN, where labels were given; `sides` are the RUNs of
    the comparison's two sides. `checks` are those of `stef verify`, of the last RUN's turns.
    """

    title: str
    scored: Sequence[ScoredReport] = ()
    gold: Sequence[GoldReport] = ()
    comparison: Comparison | None = None
    sides: tuple[Run, Run] | None = None
    not_compared: str | None = None
    agreement: Mapping[str, Any] | None = None
    checks: Checked | None = None
    gates: Sequence[Result] = field(default_factory=tuple)

    @property
    def runs(self) -> list[Run]:
        """The RUNs, in the order given."""
        return [*(one.run for one in self.scored), *(one.run for one in self.gold)]

    @property
    def failed(self) -> list[Result]:
        """The gates that failed."""
        return [one for one in self.gates if not one.passed]


def judge_of(run: Run) -> str:
    """Who judged a RUN, as tables name it."""
    judge = str(run.settings.get("evaluation", {}).get("judge", "unknown"))
    return "symbolic, no LLM" if judge == "symbolic" else judge
