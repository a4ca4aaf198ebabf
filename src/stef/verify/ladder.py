"""The ladder: rungs from cheap to dear, climbed only while doubt remains and the budget allows."""

import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from math import exp, log
from types import MappingProxyType
from typing import Final, TypeAlias

from stef.errors import StefError
from stef.records.gold import Outcome as Ended
from stef.verify.candidate import Candidate
from stef.verify.means import Means
from stef.verify.records import Outcome, Rung, RungReport, Stand, Verification
from stef.verify.repair import repair_of
from stef.verify.rungs.back_translation import back_translation
from stef.verify.rungs.consistency import consistency
from stef.verify.rungs.dear import BUDGET, needs_answers, needs_model
from stef.verify.rungs.execute import execute
from stef.verify.rungs.sanity import sanity

Step: TypeAlias = Callable[[Candidate, Means], Awaitable[RungReport]]


@dataclass(frozen=True, slots=True)
class Stage:
    """A rung, what it does, and why it cannot be climbed with the means at hand (None: it can)."""

    rung: Rung
    step: Step
    lacks: Callable[[Means], str | None] = lambda _means: None


RUNGS: Final[tuple[Stage, ...]] = (
    Stage(Rung.EXECUTE, execute),
    Stage(Rung.SANITY, sanity),
    Stage(Rung.BACK_TRANSLATION, back_translation, needs_model),
    Stage(Rung.CONSISTENCY, consistency, needs_answers),
)
"""From cheap to dear."""

_NO_QUERY: Final[Mapping[Ended, str]] = MappingProxyType(
    {Ended.DECLINED: "the agent declined", Ended.CLARIFIED: "the agent asked back", Ended.FAILED: "the agent failed"}
)


async def climb(candidate: Candidate, means: Means) -> Verification:
    """What the ladder says of one answer.

    Raises JudgeSetupError and AgentSetupError, where no question can ever be answered. A model that does not answer
    this time, or a bug of stef's own, costs its rung only, which then stands for nothing.
    """
    if not candidate.answers:
        ended = _NO_QUERY.get(candidate.ended, "the turn holds no query")
        return Verification(Outcome.UNKNOWN, None, reason=f"no query to look at: {ended}")
    climbed: list[RungReport] = []
    left_out: dict[Rung, str] = {}
    faults: list[str] = []
    for stage in RUNGS:
        why = _why_not(stage, means, climbed)
        if why is not None:
            left_out[stage.rung] = why
            continue
        start = time.perf_counter()
        try:
            report = await stage.step(candidate, means)
        except StefError:
            raise
        except Exception as error:  # a rung's bug must not cost the run; it is counted as stef's own fault
            faults.append(f"{stage.rung}: {''.join(traceback.format_exception(error))}")
            report = RungReport(stage.rung, Stand.NOTHING, f"stef's own fault: {type(error).__name__}: {error}")
        if report.facts.get(BUDGET) and not report.calls:
            left_out[stage.rung] = report.detail
            continue
        climbed.append(_counted(replace(report, seconds=time.perf_counter() - start), climbed, means))
    p = climbed[-1].p if climbed else None
    return Verification(
        outcome_of(p, climbed, means),
        p,
        tuple(climbed),
        left_out,
        repair_of(candidate, climbed),
        sql=candidate.sql,
        reason="" if p is not None else _nothing(climbed),
        faults=tuple(faults),
    )


def outcome_of(p: float | None, climbed: list[RungReport], means: Means) -> Outcome:
    """The ladder's outcome: by `p` where it is settled, else by whether something speaks against the answer."""
    if p is None:
        return Outcome.UNKNOWN
    if p >= means.settled:
        return Outcome.SUPPORTED
    if p <= 1.0 - means.settled:
        return Outcome.REFUTED
    against = any(one.stand is Stand.AGAINST for one in climbed)
    return Outcome.DOUBTFUL if against else Outcome.UNOPPOSED


def _why_not(stage: Stage, means: Means, climbed: list[RungReport]) -> str | None:
    if stage.rung not in means.rungs:
        return "not asked for"
    p = climbed[-1].p if climbed else None
    if p is not None and not 1.0 - means.settled < p < means.settled:
        return "settled before"
    return stage.lacks(means)


def _counted(report: RungReport, before: list[RungReport], means: Means) -> RungReport:
    """The report with the probability after it; rungs that saw nothing leave it as it was."""
    known = [one for one in (*before, report) if one.stand is not Stand.NOTHING]
    if not known:
        return report
    odds = log(means.prior / (1.0 - means.prior)) + sum(one.weight for one in known)
    return replace(report, p=1.0 / (1.0 + exp(-odds)))


def _nothing(climbed: list[RungReport]) -> str:
    return "; ".join(one.detail for one in climbed) or "no rung was climbed"
