"""What two queries differ in, component by component, in words."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

from stef.sql.resolve import Resolved, filter_text, join_text, key_text, matched

_WORDS: dict[str, Callable[[Hashable], str]] = {
    "tables": key_text,
    "joins": join_text,
    "projections": key_text,
    "filters": filter_text,
    "aggregations": key_text,
    "grouping": key_text,
}


@dataclass(frozen=True, slots=True)
class SetDifference:
    """One component: what only the gold has, and what only the candidate has, in words."""

    name: str
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def differences(reference: Resolved, candidate: Resolved | None) -> tuple[SetDifference, ...]:
    """What each component of two queries differs in; without a candidate all of the reference's is missing.

    What the agent adds by design is no difference.
    """
    other = matched(reference, candidate) if candidate is not None else Resolved()
    return tuple(_difference(name, reference, other) for name in _WORDS)


def _difference(name: str, reference: Resolved, candidate: Resolved) -> SetDifference:
    wanted: frozenset[Hashable] = getattr(reference, name)
    given: frozenset[Hashable] = getattr(candidate, name)
    added: frozenset[Hashable] = getattr(candidate.added, name, frozenset())
    return SetDifference(name, _all(name, wanted - given), _all(name, given - wanted - added))


def _all(name: str, members: Iterable[Hashable]) -> tuple[str, ...]:
    return tuple(sorted(map(_WORDS[name], members)))
