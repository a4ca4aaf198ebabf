"""The retrieval family: were the tables that the answer needs offered to the agent."""

from collections.abc import Iterable

from stef.gold.components import share
from stef.records.gold import Retrieval
from stef.sql.resolve import tables_of_ddl

__all__ = ["compare_tables", "tables_of_ddl"]


def compare_tables(required: Iterable[str], offered: Iterable[str]) -> Retrieval:
    """How far the `offered` tables (whose DDL came back) are the `required` ones (base tables that the gold reads).

    Names are compared without regard to case; where only one side names the schema, without it. Recall is None where
    nothing is required, precision where nothing was offered. `spurious` counts offered tables that nobody needs.
    """
    needed = {_folded(name) for name in required}
    given = {_folded(name) for name in offered}
    # A name that only one side qualifies is taken for the other's.
    bare = {name.rpartition(".")[2] for name in needed if "." not in name} | {
        name.rpartition(".")[2] for name in given if "." not in name
    }
    needed, given = _alike(needed, bare), _alike(given, bare)
    return Retrieval(
        tables=share(frozenset(needed), frozenset(given)),
        spurious=len(given - needed),
        required=tuple(sorted(needed)),
        offered=tuple(sorted(given)),
        missing=tuple(sorted(needed - given)),
    )


def _folded(name: str) -> str:
    return name.strip().casefold()


def _alike(names: set[str], bare: set[str]) -> set[str]:
    return {last if (last := name.rpartition(".")[2]) in bare else name for name in names}
