"""The checks, in the order in which they are made and told."""

from collections.abc import Iterable

from stef.errors import UserError
from stef.gold.validate import (
    alike,
    clock,
    division,
    empty,
    fan_out,
    lint,
    literals,
    moved,
    orphans,
    paraphrases,
    question,
    repeated,
    runs,
    sorting,
    tables,
    tied,
    twins,
    unordered,
)
from stef.gold.validate.checks import Check, check_of

CHECKS: tuple[Check, ...] = tuple(
    map(
        check_of,
        (
            runs,
            empty,
            moved,
            orphans,
            literals,
            clock,
            tied,
            unordered,
            sorting,
            division,
            fan_out,
            repeated,
            alike,
            twins,
            paraphrases,
            lint,
            question,
            tables,
        ),
    )
)


def chosen_checks(names: Iterable[str]) -> tuple[Check, ...]:
    """The checks of these names, all where none is named. Raises UserError for a name that no check has."""
    wanted = [name.strip().casefold().replace("-", "_") for name in names]
    known = [check.name for check in CHECKS]
    for name in wanted:
        if name not in known:
            from rapidfuzz import process  # noqa: PLC0415  only for the message

            near = process.extractOne(name, known, score_cutoff=60)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
            raise UserError(f"--only {name}: no such check; {hint}")
    return tuple(check for check in CHECKS if not wanted or check.name in wanted)
