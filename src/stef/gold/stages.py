"""What each stage of the agent should have produced, against what the turn's trace holds."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stef.gold.behaviour.right import OUTCOME
from stef.gold.values import NotComparableError, canonical_value
from stef.records.case import Case, Expected
from stef.records.gold import StageGrade, StageState
from stef.records.turn import Turn

_NAMES = ("name", "stage", "step", "node", "id", "type")
"""Keys by which an entry of a trace says which stage it is."""

_INSIDE = ("output", "outputs", "result", "data", "attributes", "value", "state")
"""Keys under which an entry holds what the stage produced."""

_BESIDE = ("outcome", "answer", "sql", "enriched_question", "tables_offered", "dialect", "agent_version")
"""Fields of a turn that a path may name, where its trace does not."""

_TESTS = ("any_of", "contains", "present")
_ABSENT = object()


def grade_stages(case: Case, turn: Turn) -> tuple[StageGrade, ...]:
    """What became of each expectation that the case has of the agent's stages, in the case's order.

    What the turn does not have is `absent`: counted, and neither right nor wrong.
    """
    return tuple(_grade(path, wanted, turn) for path, wanted in expectations(case))


def expectations(case: Case) -> Iterator[tuple[str, Any]]:
    """Path and expected value of each expectation; nested mappings give dotted paths."""
    if isinstance(case.expect, Mapping):
        for path, wanted in _flat("", case.expect):
            if not (path == OUTCOME and isinstance(wanted, str) and wanted in set(Expected)):
                yield path, wanted


def _flat(prefix: str, tree: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        path = f"{prefix}.{key}" if prefix else str(key)
        if isinstance(value, Mapping) and value and not _is_test(value):
            yield from _flat(path, value)
        else:
            yield path, value


def _is_test(value: Any) -> bool:
    return isinstance(value, Mapping) and len(value) == 1 and next(iter(value)) in _TESTS


def _grade(path: str, wanted: Any, turn: Turn) -> StageGrade:
    found = find(turn, path)
    if _is_test(wanted) and "present" in wanted:
        return StageGrade(path, _state((found is not _ABSENT) is bool(wanted["present"])), wanted, _shown(found))
    if found is _ABSENT:
        return StageGrade(path, StageState.ABSENT, wanted)
    return StageGrade(path, _state(_meets(wanted, found)), wanted, found)


def _state(meets: bool) -> StageState:
    return StageState.AS_EXPECTED if meets else StageState.OTHER


def _shown(found: Any) -> Any:
    return None if found is _ABSENT else found


def _meets(wanted: Any, found: Any) -> bool:
    if _is_test(wanted):
        ((test, value),) = wanted.items()
        if test == "any_of":
            return any(_same(one, found) for one in (value if isinstance(value, list | tuple) else [value]))
        if isinstance(found, str):
            return str(value).casefold() in found.casefold()
        return isinstance(found, list | tuple | Mapping) and any(_same(value, one) for one in found)
    return _same(wanted, found)


def _same(wanted: Any, found: Any) -> bool:
    """Equal values, typed; text without regard to case and to space around it, as `OK` and `ok` are one status."""
    if isinstance(wanted, str) and isinstance(found, str):
        return wanted.strip().casefold() == found.strip().casefold()
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return wanted.keys() == found.keys() and all(_same(wanted[key], found[key]) for key in wanted)
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(map(_same, wanted, found))
    try:
        return bool(canonical_value(wanted) == canonical_value(found))
    except NotComparableError:
        return False


def find(turn: Turn, path: str) -> Any:
    """What stands at `path` in the turn: its trace first, then its metadata, then the turn itself.

    The first part is a stage, by the entry's own name for itself (`name`, `stage`, `step`, …; the last such entry
    counts, as a stage may be run again), a key of an entry, or an entry's number from 0; the rest leads on by keys and
    by numbers in lists. A key that holds dots counts as it stands.
    """
    parts = path.split(".")
    for root in _roots(turn, parts):
        found = _walk(*root)
        if found is not _ABSENT:
            return found
    return _ABSENT


def _roots(turn: Turn, parts: list[str]) -> Iterator[tuple[Any, list[str]]]:
    trace = turn.trace or ()
    for entry in reversed(trace):
        named = next((taken for taken in range(len(parts), 0, -1) if _is_called(entry, ".".join(parts[:taken]))), 0)
        if named and parts[named:]:
            yield entry, parts[named:]
            yield from ((entry[key], parts[named:]) for key in _INSIDE if isinstance(entry.get(key), Mapping))
    yield from ((entry, parts) for entry in reversed(trace))
    if parts[0].isdigit() and int(parts[0]) < len(trace) and parts[1:]:
        yield trace[int(parts[0])], parts[1:]
    yield turn.metadata or {}, parts
    if parts[0] in _BESIDE and getattr(turn, parts[0]) is not None:
        yield getattr(turn, parts[0]), parts[1:]


def _is_called(entry: Mapping[str, Any], name: str) -> bool:
    return any(isinstance(entry.get(key), str) and entry[key].casefold() == name.casefold() for key in _NAMES)


def _walk(value: Any, parts: Sequence[str]) -> Any:
    if not parts:
        return value
    if isinstance(value, Mapping):
        for taken in range(len(parts), 0, -1):
            key = ".".join(parts[:taken])
            held = value.get(key, _ABSENT)
            if held is not _ABSENT and (found := _walk(held, parts[taken:])) is not _ABSENT:
                return found
        return _ABSENT
    if isinstance(value, list | tuple) and parts[0].lstrip("-").isdigit() and -len(value) <= int(parts[0]) < len(value):
        return _walk(value[int(parts[0])], parts[1:])
    return _ABSENT


def stage_of(grades: Sequence[StageGrade]) -> str | None:
    """The first stage that is not as expected; `as expected` where all that are there are; None without any."""
    there = [grade for grade in grades if grade.state is not StageState.ABSENT]
    if not there:
        return None
    return next((grade.stage for grade in there if grade.state is StageState.OTHER), "as expected")
