"""From SQL to what the gold families compare: one reading, the same for both sides."""

from sqlglot.errors import SqlglotError

from stef.records.live import LiveSchema
from stef.records.reading import Unreadable
from stef.records.spec import Select, Spec
from stef.rules import AgentAdds
from stef.sql.ctes import EMPTY
from stef.sql.parse import parse
from stef.sql.resolve import outputs
from stef.sql.resolve.added import added
from stef.sql.resolve.blocks import Resolver, query
from stef.sql.resolve.catalogue import schema_of
from stef.sql.resolve.collect import Components
from stef.sql.resolve.keys import Keys
from stef.sql.resolve.resolved import Resolved


def resolve(
    sql: str,
    dialect: str | None,
    schema: LiveSchema | None,
    adds: AgentAdds | None = None,
    *,
    row_cap: int | None = None,
) -> Resolved | None:
    """The query in `sql` with its columns resolved; None where it cannot be read as one query.

    Without a `schema`, names of several possible tables stay open, and such columns have no origin. `adds` is what the
    agent adds by design, `row_cap` the LIMIT that goes with it: both for a candidate only. No text makes it raise.
    """
    dialect = dialect or (schema.dialect if schema is not None else None)
    parsed = parse(sql, dialect)
    if isinstance(parsed, Unreadable):
        return None
    walk = Resolver(parsed.text, parsed.dialect, schema_of(schema) if schema is not None else None)
    try:
        spec = query(walk, parsed.tree, EMPTY, frozenset()).spec
        return _resolved(walk, spec, adds, row_cap)
    except (RecursionError, SqlglotError):
        return None


def _resolved(walk: Resolver, spec: Spec, adds: AgentAdds | None, row_cap: int | None) -> Resolved:
    found = Components()
    found.query(spec, outermost=True)
    order_columns, order_shown = outputs.ordering(spec)
    kinds = outputs.kinds(spec)
    first = spec
    while not isinstance(first, Select):
        first = first.branches[0]
    return Resolved(
        origins=outputs.origins(spec, Keys(whole=True, like=found.keys)),
        names=tuple(item.name for item in first.projections),
        kinds=kinds,
        ordered=bool(spec.order),
        order_columns=order_columns,
        order_shown=order_shown,
        limit=spec.limit,
        offset=spec.offset,
        distinct=isinstance(spec, Select) and spec.distinct,
        grouped=_grouped(walk, spec),
        scalar=_one_row(walk, spec),
        tables=frozenset(found.tables),
        joins=frozenset(found.joins),
        projections=frozenset(found.projections),
        filters=frozenset(found.filters),
        filters_without_values=frozenset(found.filters.values()),
        aggregations=frozenset(found.aggregations),
        grouping=frozenset(found.grouping),
        instances=tuple(sorted(found.keys.instances().items())),
        ordering=found.keys.order(spec.order, found.keys.scope(first)),
        added=added(found, spec, adds, row_cap),
    )


def _grouped(walk: Resolver, spec: Spec) -> bool:
    """Whether the query, or the one derived table that it only passes on, groups."""
    while isinstance(spec, Select) and not spec.group_by and id(spec) not in walk.aggregating:
        if len(spec.sources) != 1 or spec.sources[0].query is None:
            return False
        spec = spec.sources[0].query
    return isinstance(spec, Select) and bool(spec.group_by)


def _one_row(walk: Resolver, spec: Spec) -> bool:
    """Whether the query gives one row for its form: it aggregates without grouping, or reads no table."""
    if not isinstance(spec, Select) or spec.group_by:
        return False
    if id(spec) in walk.aggregating or not spec.sources:
        return True
    return all(source.query is not None and _one_row(walk, source.query) for source in spec.sources)
