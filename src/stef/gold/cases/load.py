"""Gold sets read whole: all valid cases, and everything that is wrong with the others."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from stef.errors import InputError
from stef.gold.cases.checks import check_case
from stef.gold.cases.entries import Entry, read_entries
from stef.gold.cases.faults import CaseFile, CaseSet, EntryFault, FaultKind
from stef.gold.cases.files import case_files, read_text
from stef.gold.cases.formats import OWN, Format, detect_format, named_format
from stef.gold.cases.strict import ReadEntry, to_case
from stef.records.case import Case

_SAMPLE = 200
"""Entries that a file's format is told by."""

_QUESTIONS = frozenset({"question", "instruction", "nl_question"})


@dataclass(slots=True)
class _Loaded:
    """What was gathered so far."""

    dialect: str | None
    cases: list[Case] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    faults: list[EntryFault] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    files: list[CaseFile] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def add(self, entry: Entry, format_: Format) -> bool:
        """Take one entry in; whether it gave a case."""
        read = to_case(entry, format_)
        self.dropped.update(read.dropped)
        found = [*read.faults, *self._of_id(read, entry)]
        if read.case is not None:
            found += self._of_case(read.case, read, entry)
        self.faults += found
        if read.case is None or found:
            return False
        self.cases.append(read.case)
        return True

    def _of_id(self, read: ReadEntry, entry: Entry) -> Iterator[EntryFault]:
        if read.id is None:
            return
        first = self.places.setdefault(read.id, f"{entry.file}:{entry.line}")
        if first != f"{entry.file}:{entry.line}":
            message = f"{read.id!r} is the id of another case as well ({first}); give each its own"
            name = read.names.get("id")
            yield entry.fault(FaultKind.DUPLICATE_ID, message, (name,) if name else (), name or "id", read.id)

    def _of_case(self, case: Case, read: ReadEntry, entry: Entry) -> Iterator[EntryFault]:
        for kind, (target, *rest), message in check_case(case, self.dialect):
            name = read.names.get(str(target), str(target))
            held = entry.data.get(name)
            whole = isinstance(held, list) and len(held) == len(case.gold_sql)
            keys = (name, *rest) if whole else (name,)
            yield entry.fault(kind, message, keys, name, case.id)


def load_cases(
    paths: str | Path | Iterable[str | Path],
    *,
    format: str | None = None,  # noqa: A002  # the option is called so
    dialect: str | None = None,
) -> CaseSet:
    """The cases of files, folders and globs, in their order, and what is wrong with the entries that gave none.

    `format` is the name of one of `FORMATS`; None: told by each file's fields. `dialect` is what the gold SQL is read
    in where a case names none. Raises InputError for a path that leads nowhere and UserError for an unknown format:
    what is wrong inside the files never raises.
    """
    asked = named_format(format) if format else None
    loaded = _Loaded(dialect)
    for file, named in case_files([paths] if isinstance(paths, str | Path) else paths):
        _load_file(file, named, asked, loaded)
    return CaseSet(
        cases=tuple(loaded.cases),
        faults=tuple(loaded.faults),
        dropped=dict(sorted(loaded.dropped.items())),
        files=tuple(loaded.files),
        skipped=tuple(loaded.skipped),
    )


def _load_file(file: Path, named: bool, asked: Format | None, loaded: _Loaded) -> None:
    try:
        found = list(read_entries(file, read_text(file)))
    except InputError as error:
        if named:
            raise
        loaded.faults.append(EntryFault(FaultKind.UNREADABLE, str(file), 1, None, str(error).split(": ", 1)[1]))
        return
    entries = [one for one in found if isinstance(one, Entry)]
    if not named and entries and not any(_QUESTIONS & one.data.keys() for one in entries):
        loaded.skipped.append(str(file))
        return
    format_ = asked or detect_format(frozenset(one.data) for one in entries[:_SAMPLE])
    if not found:
        loaded.faults.append(EntryFault(FaultKind.UNREADABLE, str(file), 1, None, "holds no case"))
    made = 0
    for one in found:
        if isinstance(one, EntryFault):
            loaded.faults.append(one)
        else:
            made += loaded.add(one, format_)
    loaded.files.append(CaseFile(str(file), format_.name if entries else OWN.name, len(found), made))
