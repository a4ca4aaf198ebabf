"""Labels: people's word on turns, from CSV, TSV, JSONL, JSON or Parquet; what could not be used is counted."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from stef.errors import InputError, UserError
from stef.runs.aliases import ALIASES
from stef.runs.mapping import fold
from stef.runs.paths import Path, follow, leaves, parse_path, show_path
from stef.runs.read import read_records, readable_sources
from stef.runs.records import Item, Record
from stef.runs.sources import find_sources
from stef.runs.values import id_of, is_nothing

TARGETS = ("id", "correct")
_NAMES = {
    "id": ("id", *ALIASES["id"], "row"),
    "correct": (
        "correct", "iscorrect", "label", "humanlabel", "goldlabel", "right", "isright", "humancorrect", "judgement",
        "judgment", "verdict", "ok", "passed", "pass",
    ),
}  # fmt: skip
_RIGHT = frozenset({"yes", "y", "true", "t", "1", "1.0", "right", "correct", "pass", "passed", "ok", "good", "✓", "✔"})
_WRONG = frozenset(
    {"no", "n", "false", "f", "0", "0.0", "wrong", "incorrect", "fail", "failed", "bad", "✗", "✘", "not correct"}
)
_KEPT = 5


@dataclass(frozen=True, slots=True)
class Label:
    """One turn's label, where it stands, and the record that it came from."""

    id: str
    correct: bool
    place: str
    fields: Mapping[str, Any]


@dataclass(slots=True)
class Trouble:
    """How often something was wrong with the labels, and the first cases of it."""

    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, example: str) -> None:
        """Count one more."""
        self.count += 1
        if len(self.examples) < _KEPT:
            self.examples.append(example)


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of a file by id, and what of it could not be used.

    `repeated` labels said the same again; ids in `contradicted` have labels that disagree and are left out.
    `blank` records have no label yet.
    """

    by_id: Mapping[str, Label]
    records: int
    broken: Trouble
    without_id: Trouble
    unclear: Trouble
    blank: int
    repeated: Trouble
    contradicted: Trouble
    used: Mapping[str, str]


def read_labels(path: str, maps: Iterable[str] = (), encoding: str | None = None) -> Labels:
    """The labels in `path`; `maps` say where `id` and `correct` stand, as in `correct=review.verdict`.

    Raises InputError for a file that cannot be read or holds no label, UserError for a mapping that is none.
    """
    said = _said(maps)
    with find_sources([path]) as found:
        sources = readable_sources(found, encoding, lambda _remark: None)
        return _Reading(path, said).all(read_records(sources, encoding=encoding))


def correct_of(value: Any) -> bool | None:
    """Whether a label says right or wrong; None where it says nothing. ValueError where it is no such word."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        word = value.strip().casefold()
        if word in _RIGHT or word in _WRONG:
            return word in _RIGHT
    if is_nothing(value):
        return None
    if isinstance(value, int | float) and value in (0, 1):
        return value == 1
    raise ValueError(repr(value)[:40])


def _said(maps: Iterable[str]) -> dict[str, Path]:
    said: dict[str, Path] = {}
    for text in maps:
        target, sign, path = text.partition("=")
        target = target.strip()
        if not sign or not path.strip():
            raise UserError(f"--map {text}: write it as id=PATH or correct=PATH")
        if target not in TARGETS:
            raise UserError(f"--map {text}: a label has no {target!r}; it has id and correct")
        said[target] = parse_path(path.strip())
    return said


class _Reading:
    """One pass over a file of labels."""

    def __init__(self, path: str, said: Mapping[str, Path]) -> None:
        self._path = path
        self._said = said
        self._held: dict[str, Label] = {}
        self._disputed: set[str] = set()
        self._troubles = {name: Trouble() for name in ("broken", "without_id", "unclear", "repeated", "contradicted")}
        self._blank = 0
        self._used: dict[str, str] = {}

    def all(self, items: Iterable[Item]) -> Labels:
        records = 0
        for item in items:
            if not isinstance(item, Record):
                self._troubles["broken"].add(str(item))
                continue
            records += 1
            self._take(item)
        if not self._held and not self._disputed:
            raise InputError(self._nothing(records))
        held = {name: label for name, label in self._held.items() if name not in self._disputed}
        return Labels(by_id=held, records=records, blank=self._blank, used=self._used, **self._troubles)

    def _take(self, record: Record) -> None:
        paths = self._paths(record)
        try:
            name = id_of(follow(record.fields, paths["id"]))
        except ValueError:
            name = None
        if name is None or not name.strip():
            self._troubles["without_id"].add(record.place)
            return
        if fold(paths["id"][-1]) == "row" and not name.startswith("#"):
            name = f"#{name.strip()}"
        try:
            correct = correct_of(follow(record.fields, paths["correct"]))
        except ValueError as error:
            self._troubles["unclear"].add(f"{record.place}: {error}")
            return
        if correct is None:
            self._blank += 1
            return
        self._keep(Label(name, correct, record.place, record.fields))

    def _keep(self, label: Label) -> None:
        before = self._held.setdefault(label.id, label)
        if before is label:
            return
        if before.correct == label.correct:
            self._troubles["repeated"].add(label.id)
        elif label.id not in self._disputed:
            self._disputed.add(label.id)
            self._troubles["contradicted"].add(f"{label.id} ({before.place}, {label.place})")

    def _paths(self, record: Record) -> dict[str, Path]:
        """Where id and correct stand in this record. Raises InputError where a name is neither said nor known."""
        by_fold = {fold(key): key for key in reversed(record.fields)}
        paths: dict[str, Path] = {}
        for target in TARGETS:
            known = next((by_fold[name] for name in _NAMES[target] if name in by_fold), None)
            if target in self._said:
                paths[target] = self._said[target]
            elif known is not None:
                paths[target] = (known,)
            else:
                raise InputError(self._unnamed(target, record))
            self._used.setdefault(target, show_path(paths[target]))
        return paths

    def _unnamed(self, target: str, record: Record) -> str:
        found = ", ".join(show_path(path) for path in leaves(record.fields)[:20])
        meaning = "the turn's id" if target == "id" else "the label, right or wrong"
        return (
            f"{record.place}: no field {target!r} ({meaning}); the fields found are {found}. "
            f"Say which it is: --map {target}=NAME"
        )

    def _nothing(self, records: int) -> str:
        unclear, broken = self._troubles["unclear"], self._troubles["broken"]
        if unclear.count:
            return (
                f"{self._path}: no label can be read, such as {unclear.examples[0]}; write true or false, 1 or 0, "
                "yes or no, right or wrong, correct or incorrect"
            )
        if broken.count and not records:
            return f"{self._path}: no label can be read; the first broken line: {broken.examples[0]}"
        if self._troubles["without_id"].count:
            where = self._troubles["without_id"].examples[0]
            return f"{self._path}: no label has an id (the first is {where}); name the field with --map id=NAME"
        return f"{self._path}: {records} records, and {self._used.get('correct', 'correct')} is empty in all of them"
