"""What validating a gold set says: remarks on cases, on pairs of cases and on databases."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from stef.gold.cases import EntryFault
from stef.records.case import Case


class Severity(StrEnum):
    """How sure it is that a gold is wrong."""

    FAILS = "fails"  # as it stands, nothing can be measured against it
    DOUBTS = "doubts"  # somebody should look
    NOTES = "notes"  # worth knowing, and often meant

    @property
    def rank(self) -> int:
        """The worst is 0."""
        return list(Severity).index(self)


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing that a check saw, and the way out.

    `gold` is the index of the acceptable query that it is about, None: of the case as a whole. `sql` is what the check
    proposes in its place. `facts` is what a program may want of the message.
    """

    check: str
    severity: Severity
    message: str
    way_out: str = ""
    gold: int | None = None
    sql: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "check": self.check,
            "severity": self.severity.value,
            "gold": self.gold,
            "message": self.message,
            "way_out": self.way_out,
            "proposed_sql": self.sql,
            "facts": dict(self.facts),
        }


@dataclass(frozen=True, slots=True)
class CaseRemarks:
    """A case with what was said of it, the worst first."""

    case: Case
    remarks: tuple[Remark, ...] = ()

    @property
    def worst(self) -> Severity | None:
        """The worst severity; None where nothing was said."""
        return min((one.severity for one in self.remarks), key=lambda one: one.rank, default=None)


@dataclass(frozen=True, slots=True)
class CheckFault:
    """A check that raised: stef's own fault, which says nothing of the gold."""

    check: str
    case_id: str | None
    message: str
    traceback: str


@dataclass(frozen=True, slots=True)
class Validation:
    """All that validating a set said.

    `made` are the checks that were made, `left_out` the others with the reason. `databases` are remarks on databases by
    their name ("" for the only one). `broken` are entries that gave no case.
    """

    cases: tuple[CaseRemarks, ...] = ()
    databases: Mapping[str, tuple[Remark, ...]] = field(default_factory=dict)
    broken: tuple[EntryFault, ...] = ()
    made: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[CheckFault, ...] = ()

    def worst_counts(self) -> dict[Severity, int]:
        """How many cases have each severity as their worst; an entry that is broken counts among those that fail."""
        counts = {severity: sum(one.worst is severity for one in self.cases) for severity in Severity}
        counts[Severity.FAILS] += len({(one.file, one.line) for one in self.broken})
        return counts

    def counts(self) -> dict[str, dict[Severity, int]]:
        """By check, in how many cases it said something of each severity."""
        found = {name: dict.fromkeys(Severity, 0) for name in self.made}
        for one in self.cases:
            for check, severity in {(remark.check, remark.severity) for remark in one.remarks}:
                found.setdefault(check, dict.fromkeys(Severity, 0))[severity] += 1
        for remarks in self.databases.values():
            for remark in remarks:
                found.setdefault(remark.check, dict.fromkeys(Severity, 0))[remark.severity] += 1
        return found
