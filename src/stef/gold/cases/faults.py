"""What is wrong with a gold set, told with file, line and field; and the set itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from stef.records.case import Case


class FaultKind(StrEnum):
    """What a fault is about. Each is counted under its own name."""

    UNREADABLE = "unreadable"  # the file, or a line of it, is no YAML, JSON or CSV
    INVALID = "invalid"  # an unknown key, a missing field, a value of another type
    DUPLICATE_ID = "duplicate_id"
    NO_GOLD = "no_gold"  # an answerable question without a query to compare with
    GOLD_COUNT = "gold_count"  # queries where none may be, or one reading where several are asked
    GOLD_NOT_ONE_QUERY = "gold_not_one_query"  # a text that holds no query, or several
    GOLD_WRITES = "gold_writes"
    GOLD_TEMPLATE = "gold_template"  # `{a,b}` for several acceptable column lists, in a format that has none


@dataclass(frozen=True, slots=True)
class EntryFault:
    """One thing that is wrong: where, and the way out. `field` is its path in the entry (`tolerance.relative`)."""

    kind: FaultKind
    file: str
    line: int
    field: str | None
    message: str
    case_id: str | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}"
        return f"{place}: {self.field}: {self.message}" if self.field else f"{place}: {self.message}"

    def to_json(self) -> dict[str, str | int | None]:
        """The same as plain data."""
        return {
            "kind": self.kind.value,
            "file": self.file,
            "line": self.line,
            "field": self.field,
            "message": self.message,
            "case_id": self.case_id,
        }


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One file of a gold set: the format it was read as, its entries, and the cases that came of them."""

    path: str
    format: str
    entries: int
    cases: int


@dataclass(frozen=True, slots=True)
class CaseSet:
    """The valid cases in the order of their files, and what is wrong with the other entries.

    `dropped` are fields of public formats that stef has no use for, with how many entries hold each. `skipped` are
    files of a folder or glob that hold no case.
    """

    cases: tuple[Case, ...] = ()
    faults: tuple[EntryFault, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    files: tuple[CaseFile, ...] = ()
    skipped: tuple[str, ...] = ()
