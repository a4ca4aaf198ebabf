"""An entry made a case, or everything that is wrong with it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from stef.errors import UserError
from stef.gold.cases.entries import Entry, Keys
from stef.gold.cases.faults import EntryFault, FaultKind
from stef.gold.cases.formats import Draft, Format
from stef.gold.cases.formats.base import OWN_FIELDS
from stef.gold.cases.formats.braces import TooManyColumnsError
from stef.records.case import Case, Shape
from stef.rules.messages import nearest, problems
from stef.rules.strict_json import kind_of_json, path_text
from stef.sql import check_dialect

_ONE_OR_MANY = ("paraphrases", "gold_sql", "tags")
_NOT_TEXT = ("paraphrases", "tags", "expect", "expect_empty", "recorded_answer", "tolerance", "control", "fast")
"""Fields that a CSV cell holds as JSON."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class ReadEntry:
    """What came of one entry: a case, or faults. `names` are the file's names for the fields of the case."""

    case: Case | None
    faults: tuple[EntryFault, ...]
    dropped: tuple[str, ...]
    id: str | None
    names: Mapping[str, str]


def to_case(entry: Entry, format_: Format) -> ReadEntry:
    """The case that `entry` is in this format, or everything that is wrong with it."""
    try:
        draft = format_.draft(entry.data, entry.file, entry.number)
    except TooManyColumnsError as error:
        return ReadEntry(None, (entry.fault(FaultKind.GOLD_TEMPLATE, str(error)),), (), None, {})
    _settle(draft, entry)
    id_ = _text(draft.fields.get("id"))
    faults = [entry.fault(FaultKind.INVALID, "stands twice in this entry", (key,), key, id_) for key in entry.twice]
    faults += _wrong_words(draft, entry, id_)
    left = tuple(key for key, value in entry.data.items() if key not in draft.used and value is not None)
    if format_.closed:
        faults += [_unknown(key, entry, id_) for key in left]
    case: Case | None = None
    try:
        case = Case.model_validate_json(json.dumps(draft.fields, default=str), strict=True)
    except ValidationError as error:
        faults += _explained(error, draft, entry, id_)
    except (ValueError, TypeError, RecursionError) as error:
        faults.append(entry.fault(FaultKind.INVALID, f"cannot be read: {error}", case_id=id_))
    if case is not None:
        case = None if faults else case.model_copy(update={"where": f"{entry.file}:{entry.line}"})
    return ReadEntry(case, tuple(faults), () if format_.closed else left, id_, draft.names)


def _settle(draft: Draft, entry: Entry) -> None:
    """What people may write shorter: a text for a list, a number for an id or a tolerance, a bare recorded answer."""
    fields = draft.fields
    if entry.file.suffix.lower() == ".csv":
        fields.update((name, _opened(fields[name])) for name in _NOT_TEXT if isinstance(fields.get(name), str))
        if "gold_sql" in fields:
            cells = [_opened(query) for query in fields["gold_sql"]]
            fields["gold_sql"] = [query for cell in cells for query in (cell if isinstance(cell, list) else [cell])]
    for name in _ONE_OR_MANY:
        if isinstance(fields.get(name), str):
            fields[name] = [fields[name]]
    if isinstance(fields.get("id"), int) and not isinstance(fields["id"], bool):
        fields["id"] = str(fields["id"])
    fields.setdefault("id", f"{entry.file.name}:{_ordinal(entry)}")
    if type(fields.get("tolerance")) in {int, float}:
        fields["tolerance"] = {"absolute": fields["tolerance"]}
    if "recorded_answer" in fields:
        fields["recorded_answer"] = _recorded(fields["recorded_answer"])


def _recorded(answer: Any) -> Any:
    """A value alone is a scalar's; a day alone is its midnight."""
    if not isinstance(answer, dict):
        return answer if isinstance(answer, list) else {"value": answer}
    day = str(answer.get("recorded"))
    return {**answer, "recorded": f"{day}T00:00:00"} if _DAY.fullmatch(day) else answer


def _ordinal(entry: Entry) -> int:
    return entry.number if entry.file.suffix.lower() == ".json" else entry.line


def _opened(text: str) -> Any:
    if text[:1] in {"{", "["} or text.lower() in {"true", "false"}:
        try:
            return json.loads(text if text[:1] in {"{", "["} else text.lower())
        except ValueError:
            return text
    return text


def _wrong_words(draft: Draft, entry: Entry, id_: str | None) -> list[EntryFault]:
    """Words that only stef can check (the answer's shape, the dialect); right ones are brought to one spelling."""
    found = []
    for name, settle in (("compare_on", _shape), ("dialect", check_dialect)):
        word = draft.fields.get(name)
        if not isinstance(word, str):
            continue
        try:
            draft.fields[name] = settle(word)
        except UserError as error:
            shown = draft.names.get(name, name)
            found.append(entry.fault(FaultKind.INVALID, str(error), (shown,), shown, id_))
    return found


def _shape(word: str) -> str:
    """`id_set:film_id` for `film_id_set`; raises UserError where it names no shape."""
    shape, _, column = word.partition(":")
    if shape in set(Shape) and (not column or shape == Shape.ID_SET):
        return word
    if shape.endswith("_set") and shape.removesuffix("_set") and not column:
        return f"{Shape.ID_SET.value}:{shape.removesuffix('_set')}"
    near = nearest(shape, [one.value for one in Shape])
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(Shape)}, and id_set:COLUMN"
    raise UserError(f"{word!r} names no shape of an answer; {hint}")


def _explained(error: ValidationError, draft: Draft, entry: Entry, id_: str | None) -> list[EntryFault]:
    told = problems(error, Case) or [((), "null is not allowed here")]
    found = []
    for path, message in told:
        keys = _keys(path, draft)
        found.append(entry.fault(FaultKind.INVALID, _quoted(message, entry), keys, path_text(keys) or None, id_))
    return found


def _unknown(key: str, entry: Entry, id_: str | None) -> EntryFault:
    near = nearest(key, list(OWN_FIELDS))
    way_out = f"did you mean {near!r}?" if near else f"known are {', '.join(OWN_FIELDS)}"
    return entry.fault(FaultKind.INVALID, f"unknown key; {way_out}", (key,), key, id_)


def _quoted(message: str, entry: Entry) -> str:
    """YAML reads `no`, `12` and `1.10` as something else than text: the way out is a pair of quotes."""
    if (
        entry.file.suffix.lower() in {".yaml", ".yml"}
        and message.startswith("expected text, found")
        and (message.endswith((kind_of_json(1), kind_of_json(value=True))))
    ):
        return f"{message}; put it in quotes"
    return message


def _keys(path: Keys, draft: Draft) -> Keys:
    """A path by the names that the file uses."""
    if not path:
        return path
    first = str(path[0])
    rest = path[1:] if first not in _ONE_OR_MANY else ()
    return (draft.names.get(first, first), *rest)


def _text(id_: object) -> str | None:
    return id_ if isinstance(id_, str) else None
