"""How many right turns altered copies of the database tell from the gold: right by what the data happens to be."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from stef.gold.reading.rows import ReportRow
from stef.records.gold import Apart


@dataclass(frozen=True, slots=True)
class Coincidences:
    """The right turns of one agent that were looked at on altered copies, by what the copies said.

    `only_nulls`: of those told apart, the turns that part only where NULLs were added.
    """

    agent: str | None
    agent_version: str | None
    looked_at: int
    told_apart: int
    only_nulls: int
    open: int
    not_available: int


_NULLS = "NULLs added"


def coincidences_of(rows: Iterable[ReportRow]) -> tuple[Coincidences, ...]:
    """One entry for each agent with such turns, by name; empty where no copies were made."""
    counts: dict[tuple[str | None, str | None], Counter[str]] = {}
    for row in rows:
        found = row.report.coincidence
        if found is not None:
            counted = counts.setdefault((row.agent, row.agent_version), Counter())
            counted[found.apart.value] += 1
            counted[_NULLS] += bool(found.on) and all(_NULLS in one for one in found.on)
    return tuple(
        Coincidences(
            agent=agent,
            agent_version=version,
            looked_at=found[Apart.TOLD_APART.value] + found[Apart.SAME.value],
            told_apart=found[Apart.TOLD_APART.value],
            only_nulls=found[_NULLS],
            open=found[Apart.OPEN.value],
            not_available=found[Apart.NOT_AVAILABLE.value],
        )
        for (agent, version), found in sorted(counts.items(), key=lambda item: tuple(part or "" for part in item[0]))
    )
