"""What an agent adds to every query by design, found in a candidate."""

from stef.records.expressions import Column, Expr
from stef.records.predicates import Clause, Op, Predicate
from stef.records.spec import Select, Spec
from stef.rules import AgentAdds
from stef.rules.filter_rule import FilterRule
from stef.sql.fragments import FragmentError, read_condition
from stef.sql.literals import fold_name
from stef.sql.resolve.collect import Components
from stef.sql.resolve.keys import Key
from stef.sql.resolve.resolved import Added


def added(found: Components, spec: Spec, adds: AgentAdds | None, row_cap: int | None) -> Added:
    """The members of a query that `adds` accounts for."""
    if adds is None:
        return Added()
    filters = _tenant(found, adds.tenant_filter)
    limit = spec.limit is not None and (adds.pagination or (adds.row_cap and spec.limit == row_cap))
    return Added(
        projections=_always_selected(found, spec, adds.columns),
        filters=filters,
        filters_without_values=frozenset(found.filters[member] for member in filters),
        order=adds.pagination and bool(spec.order),
        limit=bool(limit),
    )


def _always_selected(found: Components, spec: Spec, names: tuple[str, ...]) -> frozenset[Key]:
    if not names or not isinstance(spec, Select):
        return frozenset()
    scope = found.keys.scope(spec)
    members = set()
    for item in spec.projections:
        expr = item.expr
        if type(expr) is Column and any(_names(name, expr) for name in names):
            members.add(found.keys.expr(expr, scope))
    return frozenset(members)


def _names(name: str, column: Column) -> bool:
    table, _, bare = fold_name(name).rpartition(".")
    tables = {key.partition("#")[0] for key in column.sources}
    return bare == column.name and (not table or table.rpartition(".")[2] in tables)


def _tenant(found: Components, rule: FilterRule | None) -> frozenset[Key]:
    if rule is None or not rule.applies_to(found.tables):
        return frozenset()
    try:
        wanted = read_condition(rule.to_sql(), rule.sql_dialect(None))
    except FragmentError:
        return frozenset()
    return frozenset(
        member
        for member, clause in found.clauses.items()
        if any(_same_clause(item, clause, any_value=rule.any_value) for item in wanted)
    )


def _same_clause(wanted: Clause, clause: Clause, *, any_value: bool) -> bool:
    return len(wanted.predicates) == len(clause.predicates) and all(
        any(_same(item, other, any_value=any_value) for other in clause.predicates) for item in wanted.predicates
    )


def _same(wanted: Predicate, item: Predicate, *, any_value: bool) -> bool:
    if not _same_subject(wanted.subject, item.subject):
        return False
    if any_value:
        # In the rule, a placeholder stands where the constants are.
        return item.op is Op.IN and not item.negated
    if wanted.op is not item.op or wanted.negated != item.negated:
        return False
    return (wanted.values, wanted.interval, wanted.pattern, wanted.comparator, wanted.other) == (
        item.values,
        item.interval,
        item.pattern,
        item.comparator,
        item.other,
    )


def _same_subject(wanted: Expr, subject: Expr) -> bool:
    """A column of a rule names its table or leaves it open."""
    if type(wanted) is not Column or type(subject) is not Column:
        return wanted == subject
    return _names(".".join((*wanted.sources[:1], wanted.name)), subject)
