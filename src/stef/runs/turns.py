"""Records → Turns, under a FieldMap; what could not be used is counted, and named once."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from pydantic import ValidationError

from stef.errors import InputError
from stef.records.turn import Turn
from stef.runs.aliases import IN_MILLISECONDS
from stef.runs.mapping import TO_JUDGE, FieldMap, fold, plan_aliases
from stef.runs.paths import Path, follow, leaves, show_path, unquoted
from stef.runs.records import BadLine, Item, Record
from stef.runs.values import READERS, is_nothing, milliseconds_of, text_of

_GOLD = re.compile(r"gold|expected|reference|acceptable|truth|correct", re.IGNORECASE)
_PROBED = 200
_MOST_NAMES = 200


@dataclass(frozen=True, slots=True)
class Row:
    """One turn of the input: its ordinal, its place in the log, and the Turn, which always has an id."""

    row: int
    place: str
    turn: Turn


@dataclass(slots=True)
class MappingNotes:
    """What mapping did on its own, for the user to see once.

    `unfound` are the `--map` and `--keep` that found nothing in the first records.
    """

    unfound: tuple[str, ...] = ()
    aliases: dict[str, str] = field(default_factory=dict)
    dropped: dict[str, None] = field(default_factory=dict)
    unreadable: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)


class Mapper:
    """Maps records to Turns. `notes` grows as records pass."""

    def __init__(self, fields: FieldMap) -> None:
        self._map = fields
        self._plans: dict[tuple[tuple[str, ...], frozenset[str]], dict[str, tuple[Path, ...]]] = {}
        self.notes = MappingNotes()

    def rows(self, items: Iterable[Item]) -> Iterator[Row | BadLine]:
        """A Row for every record that holds a turn, a BadLine for every other item, in order.

        Raises InputError, with the fields found and the --map that would help, where none of the first records has a
        question, or none anything to judge.
        """
        stream = iter(items)
        first = list(islice(stream, _PROBED))
        self._probe([item for item in first if isinstance(item, Record)])
        for item in chain(first, stream):
            yield self.row(item) if isinstance(item, Record) else item

    def row(self, record: Record) -> Row | BadLine:
        """The Row of one record, or why it holds no turn."""
        values = self._values(record)
        question = values.get("question")
        if isinstance(question, ValueError):
            return BadLine(record.row, record.place, f"the question is no text but {question}")
        if question is None or not question.strip():
            return BadLine(record.row, record.place, "no question" if question is None else "the question is empty")
        for name, value in list(values.items()):
            if isinstance(value, ValueError):
                self._unreadable(name, value, record)
                del values[name]
        if all(values.get(name) is None for name in TO_JUDGE):
            values["sql"] = ""
        values["id"] = values.get("id") or record.place
        try:
            return Row(record.row, record.place, Turn(**values))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the turn"
            return BadLine(record.row, record.place, f"{where}: {first['msg']}")

    def _values(self, record: Record) -> dict[str, Any]:
        """The value of each target; a ValueError where there is one that cannot be read."""
        values: dict[str, Any] = {}
        plan = self._plan(tuple(record.fields), _objects(record.fields))
        for target, paths in plan.items():
            for path in paths:
                raw = record.fields.get(path[0]) if len(path) == 1 else follow(record.fields, path)
                if raw is None or (target != "question" and is_nothing(raw)):
                    continue
                _put(values, target, unquoted(raw) if self._map.preset and isinstance(raw, str) else raw, path)
                break
        if self._map.keep:
            kept = {show_path(path): follow(record.fields, path) for path in self._map.keep}
            values["metadata"] = {**(values.get("metadata") or {}), **_plain(kept)}
        _join_hint(values)
        return values

    def _plan(self, keys: tuple[str, ...], objects: frozenset[str]) -> dict[str, tuple[Path, ...]]:
        plan = self._plans.get((keys, objects))
        if plan is None:
            plan = dict(self._map.said)
            if self._map.aliases:
                found = plan_aliases(keys, frozenset(plan), objects)
                self._note_aliases(found)
                plan.update(found)
            self._note_dropped(keys, plan)
            if len(self._plans) < 1024:
                self._plans[keys, objects] = plan
        return plan

    def _note_aliases(self, found: dict[str, tuple[Path, ...]]) -> None:
        for target, paths in found.items():
            if paths[0][0] != target:
                self.notes.aliases.setdefault(target, show_path(paths[0]))

    def _note_dropped(self, keys: tuple[str, ...], plan: dict[str, tuple[Path, ...]]) -> None:
        used = {path[0] for paths in plan.values() for path in paths} | {path[0] for path in self._map.keep}
        used |= {".".join(path) for paths in plan.values() for path in paths}
        for key in keys:
            if key not in used and len(self.notes.dropped) < _MOST_NAMES:
                self.notes.dropped.setdefault(key)

    def _unreadable(self, name: str, error: ValueError, record: Record) -> None:
        self.notes.unreadable[name] += 1
        self.notes.examples.setdefault(name, f"{error} ({record.place})")

    def _probe(self, records: list[Record]) -> None:
        if not records:
            return
        self.notes.unfound = () if self._map.preset else tuple(_unfound(self._map, records))
        found = [self._values(record) for record in records]
        missing = [name for name in ("question",) if all(values.get(name) is None for values in found)]
        if all(values.get(name) is None for values in found for name in TO_JUDGE):
            missing.append("sql")
        if missing:
            said = {} if self._map.preset else self._map.said
            raise InputError(_no_such_field(missing, records, said))


def _objects(fields: Mapping[str, Any]) -> frozenset[str]:
    """The keys whose values are objects: what they hold has to be named by a path."""
    return frozenset(key for key, value in fields.items() if type(value) is dict)


def _put(values: dict[str, Any], target: str, raw: Any, path: Path) -> None:
    outer, _, inner = target.partition(".")
    if inner:
        values.setdefault(outer, {})[inner] = raw
        return
    try:
        if target == "hint":
            values[target] = text_of(raw)
        elif target == "latency_ms" or (target == "latency" and fold(path[-1]) in IN_MILLISECONDS):
            values["latency"] = milliseconds_of(raw)
        else:
            values[target] = READERS[target](raw)
    except ValueError as error:
        values[target] = error


def _join_hint(values: dict[str, Any]) -> None:
    """A hint that an agent was given with the question follows it in the enriched question."""
    hint = values.pop("hint", None)
    if isinstance(hint, str) and hint.strip() and not values.get("enriched_question"):
        question = values.get("question")
        if isinstance(question, str):
            values["enriched_question"] = f"{question}\n{hint}"


def _plain(kept: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in kept.items() if value is not None}


def _unfound(fields: FieldMap, records: list[Record]) -> Iterator[str]:
    """The options whose paths lead nowhere in any of the records: a slip of the pen, or a field that comes late."""
    asked = [(f"--map {target}=", paths) for target, paths in fields.said.items()]
    asked += [("--keep ", (path,)) for path in fields.keep]
    for option, paths in asked:
        if all(is_nothing(follow(record.fields, path)) for record in records for path in paths):
            yield option + show_path(paths[0])


def _no_such_field(missing: list[str], records: list[Record], said: Mapping[str, tuple[Path, ...]]) -> str:
    found = list(dict.fromkeys(show_path(path) for record in records[:20] for path in leaves(record.fields)))
    shown = ", ".join(found[:30]) + (f" and {len(found) - 30} more" if len(found) > 30 else "")
    taken: list[str] = []
    for name in missing:
        taken.append(f"--map {name}={_guess(name, found, records, taken)}")
    what = " and no ".join(
        ("SQL (nor an answer or outcome)" if name == "sql" else name)
        + (f" at {' or at '.join(map(show_path, said[name]))}" if name in said else "")
        for name in missing
    )
    first = records[0].place.rpartition(":")[0]
    return f"{first}: the log has no {what}; the fields found are {shown}. Say which it is: {' '.join(taken)}"


def _guess(name: str, found: list[str], records: list[Record], taken: list[str]) -> str:
    """The field that most looks like what is missing, else a word to fill in."""
    from rapidfuzz import fuzz  # noqa: PLC0415  only for the message

    from stef.runs.paths import parse_path  # noqa: PLC0415

    best, best_score = name.upper(), 0.0
    for path in found:
        if any(text.endswith("=" + path) for text in taken) or _GOLD.search(path):
            continue
        texts = [text for record in records if isinstance(text := follow(record.fields, parse_path(path)), str)]
        if not texts:
            continue
        value = texts[0]
        is_sql = value.lstrip("` \n(").lower().startswith(("select", "with", "sql"))
        looks = is_sql if name == "sql" else (not is_sql and " " in value.strip())
        asks = 0.5 if value.rstrip().endswith("?") else 0.0
        score = fuzz.partial_ratio(name, path) / 100 + asks + len(texts) / len(records)
        if looks and score > best_score:
            best, best_score = path, score
    return best
