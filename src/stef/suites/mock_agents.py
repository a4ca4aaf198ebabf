"""The agents of the self-check, as a log of turns: one that is right but for a refusal, and those that are not."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stef.databases import Database
from stef.records.case import Case, CaseKind
from stef.suites.mutants import Mistake, Mutant, Planting

RIGHT = "right"
REFUSE_ALL = "refuse_all"
ANSWER_ALL = "answer_all"

RIGGED = "weekend-orders"
"""The case that the right agent refuses, though it can be answered."""

_SORRY = "I'm sorry, but I cannot answer that with the data I have."
_INVENTED = "SELECT COUNT(*) FROM orders"
"""A query that runs, in place of a refusal."""


def plant(cases: tuple[Case, ...], right: Mapping[str, str], database: Database) -> dict[Mistake, dict[str, Mutant]]:
    """For each mistake, the mutants by case."""
    planting = Planting(database)
    return {
        mistake: {
            case.id: mutant
            for case in cases
            if case.id in right and (mutant := planting.mutant(case, right[case.id], mistake)) is not None
        }
        for mistake in Mistake
    }


def write_log(
    path: Path, cases: tuple[Case, ...], right: Mapping[str, str], mutants: Mapping[Mistake, Mapping[str, Mutant]]
) -> None:
    """The turns of all agents, one a line."""
    with path.open("w", encoding="utf-8") as file:
        for case in cases:
            for agent, said in _turns(case, right.get(case.id), mutants):
                turn = {"agent": agent, "case_id": case.id, "question": case.question, **said}
                file.write(json.dumps(turn, ensure_ascii=False) + "\n")


def _turns(
    case: Case, right: str | None, mutants: Mapping[Mistake, Mapping[str, Mutant]]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each agent says to one case; a mistake that has no place in it is not made."""
    refuses = case.kind is CaseKind.UNANSWERABLE or case.id == RIGGED
    # One agent says itself that it declines, of the other only its words tell.
    yield RIGHT, {"outcome": "declined", "answer": _SORRY} if refuses else {"sql": right}
    for mistake in Mistake:
        if (mutant := mutants[mistake].get(case.id)) is not None:
            yield mistake.value, {"sql": mutant.sql}
    yield REFUSE_ALL, {"answer": _SORRY}
    yield ANSWER_ALL, {"sql": right or _INVENTED}
