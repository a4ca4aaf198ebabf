"""The fields of a reply, taken from where its description says they stand."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from stef.agents.fields import NotReadableError, text, unknown_field
from stef.agents.paths import FieldPath, PathError, field_path


@dataclass(frozen=True, slots=True)
class Extractor:
    """The paths of a description, the fields that no reply may lack, and the agent's own words for its outcomes."""

    paths: tuple[FieldPath, ...] = ()
    required: frozenset[str] = frozenset()
    outcomes: Mapping[str, str] = field(default_factory=dict)

    def fields(self, reply: Any) -> dict[str, Any]:
        """The values found. Raises NotReadableError where a required one is not there."""
        found = {path.field: path.find(reply) for path in self.paths}
        missing = [path for path in self.paths if found[path.field] is None and path.field in self.required]
        if missing:
            there = f"; the reply holds {keys_of(reply)}"
            raise NotReadableError(f"{missing[0].field}: nothing at {missing[0].expression}{there}")
        if found.get("outcome") is not None:
            found["outcome"] = self.outcome(found["outcome"])
        return found

    def outcome(self, said: Any) -> str:
        """stef's word for the agent's. Raises NotReadableError where it is no text."""
        try:
            word = text(said)
        except NotReadableError as error:
            raise NotReadableError(f"outcome: {error}") from None
        return self.outcomes.get(word, word)


def extractor(
    response: Mapping[str, str],
    required: Iterable[str],
    outcomes: Mapping[str, str],
    readers: Mapping[str, Any],
) -> Extractor:
    """The extractor that a description states. Raises PathError for an unknown field or a broken path."""
    paths = []
    for name, expression in response.items():
        if name not in readers:
            raise PathError(f"response: {unknown_field(name, readers)}")
        try:
            paths.append(field_path(name, expression))
        except PathError as error:
            raise PathError(f"response.{name}: {expression}: {error}") from None
    for index, name in enumerate(required):
        if name not in response:
            raise PathError(f"required[{index}]: {unknown_field(name, response)}")
    if outcomes and "outcome" not in response:
        raise PathError("outcomes: the response has no path for `outcome`")
    return Extractor(tuple(paths), frozenset(required), dict(outcomes))


def keys_of(reply: Any) -> str:
    """What a reply holds at its top, for a message."""
    match reply:
        case Mapping():
            names = [str(key) for key in list(reply)[:12]]
            return f"the keys {', '.join(names)}" if names else "no keys"
        case list():
            return f"a list of {len(reply)}"
        case _:
            return "no object"
