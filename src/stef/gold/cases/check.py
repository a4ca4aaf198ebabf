"""A gold set looked at as a whole: what is in it, and what is wrong with it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from stef.gold.cases.faults import CaseSet, EntryFault
from stef.gold.cases.twins import twins


@dataclass(frozen=True, slots=True)
class CaseCheck:
    """The counts of a set, by the value of each field; a field that a case does not have is counted under None.

    `readings` counts cases by their number of acceptable queries, `twins` are pairs of ids, each pair once.
    """

    cases: int
    broken: int
    phrasings: int
    kinds: Mapping[str, int]
    databases: Mapping[str | None, int]
    categories: Mapping[str | None, int]
    difficulties: Mapping[str | None, int]
    readings: Mapping[int, int]
    twins: tuple[tuple[str, str], ...]
    faults: tuple[EntryFault, ...]
    fault_kinds: Mapping[str, int]
    dropped: Mapping[str, int]
    formats: Mapping[str, str]
    skipped: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The same as plain data; a count without a value stands under an empty text."""
        counts = {
            name: {"" if key is None else str(key): count for key, count in getattr(self, name).items()}
            for name in ("kinds", "databases", "categories", "difficulties", "readings", "fault_kinds", "dropped")
        }
        return {
            "cases": self.cases,
            "broken": self.broken,
            "phrasings": self.phrasings,
            **counts,
            "twins": [list(pair) for pair in self.twins],
            "formats": dict(self.formats),
            "skipped": list(self.skipped),
            "faults": [fault.to_json() for fault in self.faults],
        }


def check_report(found: CaseSet) -> CaseCheck:
    """What `found` holds. Asks no database: whether the golds run is another question."""
    cases = found.cases
    near = twins(cases)
    rank = {case.id: index for index, case in enumerate(cases)}
    return CaseCheck(
        cases=len(cases),
        broken=sum(file.entries - file.cases for file in found.files),
        phrasings=sum(1 + len(case.paraphrases) for case in cases),
        kinds=_counted(case.kind.value for case in cases),
        databases=_counted(case.database for case in cases),
        categories=_counted(case.category for case in cases),
        difficulties=_counted(case.difficulty for case in cases),
        readings=dict(sorted(Counter(len(case.gold_sql) for case in cases).items())),
        twins=tuple((id_, other) for id_, others in near.items() for other in others if rank[id_] < rank[other]),
        faults=found.faults,
        fault_kinds=_counted(fault.kind.value for fault in found.faults),
        dropped=found.dropped,
        formats={file.path: file.format for file in found.files},
        skipped=found.skipped,
    )


def _counted(values: Iterable[Any]) -> dict[Any, int]:
    """How often each value occurs, the commonest first."""
    return dict(Counter(values).most_common())
