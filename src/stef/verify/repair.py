"""The repair message: what an agent can be handed so that its next query is better."""

from collections.abc import Sequence

from stef.gold.validate.place import Place
from stef.records.result import Failure, FailureKind
from stef.verify.candidate import Candidate
from stef.verify.records import Repair, RungReport, Stand

_MOST_NEAR = 6
_NAMES = (FailureKind.UNKNOWN_TABLE, FailureKind.UNKNOWN_COLUMN)


def repair_of(candidate: Candidate, climbed: Sequence[RungReport]) -> Repair | None:
    """What is wrong, and the candidates for mending it; None where nothing speaks against the answer."""
    executed = candidate.executed
    against = [one for one in climbed if one.stand is Stand.AGAINST]
    if isinstance(executed, Failure) and against:
        return _of_failure(executed, candidate)
    signs = [sign for one in against for sign in one.signs if sign.weight < 0]
    if not signs:
        return None
    lines = [f"- {sign.message}{f' ({sign.way_out})' if sign.way_out else ''}" for sign in signs]
    near = [str(name) for sign in signs for name in (*sign.facts.get("nearest", ()), *sign.facts.get("found_in", ()))]
    proposed = next((sign.sql for sign in signs if sign.sql), None)
    return Repair(
        "result",
        "The query ran, but its result is in doubt:\n" + "\n".join(lines),
        tuple(dict.fromkeys(near))[:_MOST_NEAR],
        proposed,
    )


def _of_failure(failure: Failure, candidate: Candidate) -> Repair:
    near = tuple(_placed(name, candidate.place) for name in failure.near) if failure.kind in _NAMES else ()
    lines = [f"The query did not run ({failure.kind.value.replace('_', ' ')}): {failure.message}"]
    if near:
        what = "Tables" if failure.kind is FailureKind.UNKNOWN_TABLE else "Columns"
        lines.append(f"{what} with a name like it: {', '.join(near)}.")
    lines.append("Write the query again.")
    return Repair(failure.kind.value, "\n".join(lines), near)


def _placed(name: str, place: object) -> str:
    """A column's name with the tables that have it."""
    schema = place.schema if isinstance(place, Place) else None
    if schema is None or name.casefold() in schema.tables:
        return name
    tables = [one.name for one in schema.tables.values() if any(column.name == name for column in one.columns)]
    return " or ".join(f"{table}.{name}" for table in tables[:_MOST_NEAR]) or name
