"""The one cause that a low score goes under, and what each finding goes with in points."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from stef.findings.registry import FAULT
from stef.records.alignment import FilterAlignment
from stef.records.judgement import Verdict
from stef.report.text import words

_DOUBT = 20
"""Turns without effect that every finding is taken to have been seen on, so that few turns make no strong finding."""
_NOT_AS_ASKED = frozenset({FilterAlignment.PARTIALLY_APPLIED.value, FilterAlignment.NOT_APPLIED.value})


class CauseKind(StrEnum):
    """What a cause is."""

    FINDING = "finding"
    FILTERS = "filters"
    EXTRAS = "extras"
    VERDICT = "verdict"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a turn scores low, or not at all: a finding's code, a class of filters, a verdict, a reason."""

    kind: CauseKind
    name: str

    @property
    def unnamed(self) -> bool:
        """Whether nothing speaks against the turn but that its judge is not sure."""
        return self.kind is CauseKind.VERDICT and self.name in {Verdict.CORRECT.value, Verdict.LIKELY_CORRECT.value}

    @property
    def title(self) -> str:
        """The cause in words."""
        match self.kind:
            case CauseKind.FINDING:
                return f"{self.name} {titles().get(self.name, '')}".strip()
            case CauseKind.FILTERS:
                return f"filters {words(self.name)}, no finding says why"
            case CauseKind.EXTRAS:
                return "filters that nobody asked for"
            case CauseKind.VERDICT:
                if self.unnamed:
                    return f"nothing is named; the judge says {words(self.name)}, and is not sure"
                return f"the judge alone: {words(self.name)}"
            case CauseKind.UNSCORED:
                return f"unscored: {words(self.name)}"


def cause_of(row: Mapping[str, Any]) -> Cause:
    """The cause of a turn that scored low or is unscored; the most telling that applies.

    First the finding that was most often right on labelled turns (of those that are a sign of wrong SQL at all), then
    the class of the filters, then filters that nobody asked for; what is left is the judge's verdict alone.
    """
    if row["unscored_reason"] is not None:
        return Cause(CauseKind.UNSCORED, row["unscored_reason"])
    code = telling(row["findings"] or ())
    if code is not None:
        return Cause(CauseKind.FINDING, code)
    if row["filter_alignment"] in _NOT_AS_ASKED:
        return Cause(CauseKind.FILTERS, row["filter_alignment"])
    if set(row["extra_filters"] or ()) - set(row["benign_filters"] or ()):
        return Cause(CauseKind.EXTRAS, "extras")
    return Cause(CauseKind.VERDICT, row["verdict"] or "no verdict")


def telling(codes: Sequence[str]) -> str | None:
    """The code whose turns were most often wrong, beyond the base rate; None where none of them is a sign of that."""
    told = [(strength(code), code) for code in dict.fromkeys(codes) if code != FAULT]
    best = max(told, key=lambda one: (one[0], one[1]), default=None)
    return best[1] if best is not None and best[0] >= 0 else None


@lru_cache(maxsize=1024)
def strength(code: str) -> float:
    """How much more often than others the turns of a finding are wrong, over all labelled sets, shrunk towards 0.

    0 for one that was never measured: it may be a team's own.
    """
    from stef.findings.measured import load_measured  # noqa: PLC0415  reads a file

    measured = load_measured()
    base = {one.name: one.wrong_share for one in measured.sets}
    figures = measured.of(code)
    turns = sum(one.turns for one in figures.values())
    return sum(one.turns * (one.wrong_share - base[name]) for name, one in figures.items()) / (turns + _DOUBT)


@lru_cache(maxsize=1)
def titles() -> dict[str, str]:
    """The titles of all findings that are installed, by code."""
    from stef.findings import all_rules  # noqa: PLC0415  heavy

    return {rule.code: rule.title for rule in all_rules()}


def shares_of_loss(row: Mapping[str, Any]) -> tuple[str, ...]:
    """What a scored turn's lost points are shared among, equally: its findings, or why there is none to name."""
    codes = tuple(dict.fromkeys(code for code in row["findings"] or () if code != FAULT))
    if codes:
        return codes
    return ("filters",) if row["filter_alignment"] in _NOT_AS_ASKED else ("none",)
