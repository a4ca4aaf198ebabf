"""What resolving a query gives: where its output columns come from, how it orders, and its components as sets."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import StrEnum

Member = Hashable
"""A member of a component: equal where it means the same."""


class Kind(StrEnum):
    """What an output column is in its query."""

    KEY = "key"  # one of the expressions that the query groups by
    AGGREGATE = "aggregate"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Added:
    """What the agent adds by design, as far as this query has it: lost where the reference does not have it too."""

    projections: frozenset[Member] = frozenset()
    filters: frozenset[Member] = frozenset()
    filters_without_values: frozenset[Member] = frozenset()
    order: bool = False
    limit: bool = False


@dataclass(frozen=True, slots=True)
class Resolved:
    """A query with every column resolved to `table.column`.

    `origins` has one entry an output column: its canonical expression over base columns, None where it cannot be told;
    it is empty where not even the number of columns is known (`*` over a table that no schema describes). Two columns
    of equal origin are the same thing, whatever rows their queries keep; casts and 2.0 for 2 are no difference, so
    their values may differ still. `kinds` goes with it.

    `ordered` says that the outermost query orders. `order_columns` are the output columns among its sort keys, in the
    order of the keys; `order_shown`: they are all of the keys. `limit` and `offset` are the outermost query's, where
    they are constants. `scalar`: the query gives one row, as it aggregates without grouping.

    `tables` are the base tables (and views) that are read, folded. The other sets are the components; a member of
    `joins` is an equality between two tables' columns (or instances of one), wherever it stands. `instances` are the
    tables that are read more than once side by side, and how often.
    """

    origins: tuple[Hashable | None, ...] = ()
    names: tuple[str | None, ...] = ()
    kinds: tuple[Kind, ...] = ()
    ordered: bool = False
    order_columns: tuple[int, ...] = ()
    order_shown: bool = False
    limit: int | None = None
    offset: int | None = None
    distinct: bool = False
    grouped: bool = False
    scalar: bool = False
    tables: frozenset[str] = frozenset()
    joins: frozenset[Member] = frozenset()
    projections: frozenset[Member] = frozenset()
    filters: frozenset[Member] = frozenset()
    filters_without_values: frozenset[Member] = frozenset()
    aggregations: frozenset[Member] = frozenset()
    grouping: frozenset[Member] = frozenset()
    ordering: tuple[tuple[Member, bool], ...] = ()
    instances: tuple[tuple[str, int], ...] = ()
    added: Added = field(default_factory=Added)
