"""What a format of a gold set is: which names its fields have, and what else must be done with an entry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from stef.records.case import Case

OWN_FIELDS = tuple(name for name in Case.model_fields if name != "where")


@dataclass(slots=True)
class Draft:
    """An entry under way to a case: fields by stef's own names, and the name that each had in the file."""

    fields: dict[str, Any]
    names: dict[str, str]
    used: set[str]
    file: Path
    number: int

    def put(self, target: str, value: Any, name: str) -> None:
        """Set a field that the entry calls `name`."""
        self.fields[target] = value
        self.names[target] = name
        self.used.add(name)


Adapt: TypeAlias = Callable[[Draft, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Format:
    """One shape of gold sets.

    `marks`: an entry that has all keys of one of these sets is of this format. `names`: for a field of a case, what
    the format calls it, the first that holds a value. `gold` are the names of its queries: all that hold some count.
    `closed`: an unknown key is a mistake; else it is dropped and named. `adapt` does what names cannot say.
    """

    name: str
    about: str
    marks: tuple[frozenset[str], ...] = ()
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    gold: tuple[str, ...] = ("gold_sql",)
    closed: bool = False
    adapt: Adapt | None = None

    def fits(self, keys: frozenset[str]) -> bool:
        """Whether an entry with these keys may be of this format."""
        return any(mark <= keys for mark in self.marks)

    def draft(self, data: Mapping[str, Any], file: Path, number: int) -> Draft:
        """The entry with its fields by stef's own names; what holds nothing is left out."""
        held = {key: value for key, value in data.items() if value is not None}
        draft = Draft({}, {}, set(), file, number)
        for target in OWN_FIELDS:
            if target != "gold_sql":
                name = next((name for name in (*self.names.get(target, ()), target) if name in held), None)
                if name is not None:
                    draft.put(target, held[name], name)
        queries: list[Any] = []
        for name in self.gold:
            if name in held:
                found = held[name] if isinstance(held[name], list | tuple) else [held[name]]
                queries += [query for query in found if query not in queries]
                draft.put("gold_sql", queries, draft.names.get("gold_sql", name))
                draft.used.add(name)
        if self.adapt is not None:
            self.adapt(draft, held)
        return draft
