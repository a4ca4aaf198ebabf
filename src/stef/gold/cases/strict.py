"""An entry made a case, or everything that is wrong with it."""

import json
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
_NOT_TEXT = (*_ONE_OR_MANY, "expect", "expect_empty", "recorded_answer", "tolerance", "control", "fast")
"""Fields that a CSV cell holds as JSON."""


def to_case(entry: Entry, format_: Format) -> tuple[Case | None, tuple[EntryFault, ...], frozenset[str]]:
    """The case (None where the entry is broken), what is wrong with it, and the fields that were dropped."""
    try:
        draft = format_.draft(entry.data, entry.file, entry.number)
    except TooManyColumnsError as error:
        return None, (entry.fault(FaultKind.GOLD_TEMPLATE, str(error)),), frozenset()
    _settle(draft, entry)
    id_ = draft.fields.get("id")
    found = [
        entry.fault(FaultKind.INVALID, "stands twice in this entry", (key,), key, _text(id_)) for key in entry.twice
    ]
    found += _wrong_words(draft, entry)
    unknown = [key for key, value in entry.data.items() if key not in draft.used and value is not None]
    if format_.closed:
        draft.fields.update((key, entry.data[key]) for key in unknown)
        unknown = []
    case: Case | None = None
    try:
        raw = json.dumps(draft.fields, default=str)
        case = Case.model_validate_json(raw, strict=True)
    except ValidationError as error:
        found += _explained(error, draft, entry)
    except (ValueError, TypeError, RecursionError) as error:
        found.append(entry.fault(FaultKind.INVALID, f"cannot be read: {error}", case_id=_text(id_)))
    if case is None or found:
        return None, tuple(found), frozenset(unknown)
    return case.model_copy(update={"where": f"{entry.file}:{entry.line}"}), (), frozenset(unknown)


def _settle(draft: Draft, entry: Entry) -> None:
    """What people may write shorter: one text for a list, a number for an id, a value for a recorded answer."""
    fields = draft.fields
    if entry.file.suffix.lower() == ".csv":
        fields.update((name, _opened(fields[name])) for name in _NOT_TEXT if isinstance(fields.get(name), str))
    for name in _ONE_OR_MANY:
        if isinstance(fields.get(name), str):
            fields[name] = [fields[name]]
    if isinstance(fields.get("id"), int) and not isinstance(fields["id"], bool):
        fields["id"] = str(fields["id"])
    fields.setdefault("id", f"{entry.file.name}:{_ordinal(entry)}")
    answer = fields.get("recorded_answer")
    if "recorded_answer" in fields and not isinstance(answer, dict | list):
        fields["recorded_answer"] = {"value": answer}


def _ordinal(entry: Entry) -> int:
    return entry.number if entry.file.suffix.lower() == ".json" else entry.line


def _opened(text: str) -> Any:
    if text[:1] in {"{", "["} or text.lower() in {"true", "false"}:
        try:
            return json.loads(text if text[:1] in {"{", "["} else text.lower())
        except ValueError:
            return text
    return text


def _wrong_words(draft: Draft, entry: Entry) -> list[EntryFault]:
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
            found.append(entry.fault(FaultKind.INVALID, str(error), (shown,), shown, _text(draft.fields.get("id"))))
    return found


def _shape(word: str) -> str:
    """`id_set:film_id` for `film_id_set`; raises UserError where it names no shape."""
    shape, _, column = word.partition(":")
    if shape in set(Shape) and (not column or shape == Shape.ID_SET):
        return word
    if shape.endswith("_set") and shape.removesuffix("_set") and not column:
        return f"{Shape.ID_SET.value}:{shape.removesuffix('_set')}"
    near = nearest(shape, list(Shape))
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(Shape)}, and id_set:COLUMN"
    raise UserError(f"{word!r} names no shape of an answer; {hint}")


def _explained(error: ValidationError, draft: Draft, entry: Entry) -> list[EntryFault]:
    id_ = _text(draft.fields.get("id"))
    told = problems(error, Case) or [((), "null is not allowed here")]
    found = []
    for path, message in told:
        keys = _keys(path, draft)
        kind = FaultKind.INVALID
        if message.startswith("unknown key") and not path:
            # The record's own words would offer `where`, which is no field of a file.
            found += [_unknown(key, entry, id_) for key in entry.data if repr(key) in message.split(";")[0]]
            continue
        found.append(entry.fault(kind, _quoted(message, entry), keys, path_text(keys) or None, id_))
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
