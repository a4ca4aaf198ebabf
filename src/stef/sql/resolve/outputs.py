"""The output columns of a query: what they come from, and what they are in it."""

from collections.abc import Hashable

from stef.records.expressions import Column, Expr, Opaque, Star, Subquery
from stef.records.spec import Projection, Select, SetKind, SetOp, Spec
from stef.sql.resolve.keys import UNKNOWN, Keys
from stef.sql.resolve.numbering import Scope, inside
from stef.sql.resolve.resolved import Kind
from stef.sql.trees import aggregated

Origins = tuple[Hashable | None, ...]


def shown(spec: Spec) -> tuple[Projection, ...]:
    """The output columns; a set operation has those of its first branch."""
    while not isinstance(spec, Select):
        spec = spec.branches[0]
    return spec.projections


def origins(spec: Spec, keys: Keys) -> Origins:
    """What each output column comes from; empty where not even their number is known."""
    if isinstance(spec, Select):
        if any(type(item.expr) is Star for item in spec.projections):
            return ()
        scope = keys.scope(spec)
        return tuple(_origin(item.expr, scope, keys) for item in spec.projections)
    first, *others = [origins(branch, keys) for branch in spec.branches]
    if spec.kind is SetKind.EXCEPT:
        return first
    if any(len(item) != len(first) for item in others):
        return ()
    return tuple(_either(column) for column in zip(first, *others, strict=True))


def _either(column: tuple[Hashable | None, ...]) -> Hashable | None:
    """A column of a set operation: what its branches agree on, else either of theirs."""
    if any(item is None for item in column):
        return None
    return column[0] if len(set(column)) == 1 else ("either", frozenset(column))


def _origin(expr: Expr, scope: Scope, keys: Keys) -> Hashable | None:
    expr, scope = _of_all_rows(expr, scope, keys)
    return keys.expr(expr, scope) if all(_known(item, scope) for item in inside(expr)) else None


def _of_all_rows(expr: Expr, scope: Scope, keys: Keys) -> tuple[Expr, Scope]:
    """A subquery that only aggregates all rows of its tables is that aggregate, wherever it stands."""
    if type(expr) is not Subquery or expr.correlated or not isinstance(expr.query, Select):
        return expr, scope
    inner = expr.query
    bare = not (inner.filters or inner.group_by or inner.distinct or inner.limit is not None or inner.offset)
    if bare and len(inner.projections) == 1 and aggregated(inner.projections[0].expr):
        return inner.projections[0].expr, keys.scope(inner)
    return expr, scope


def _known(expr: Expr, scope: Scope) -> bool:
    if isinstance(expr, Column):
        if len(expr.sources) != 1:
            return False
        found = scope.get(expr.sources[0])
        return found is None or not found.table.startswith(("(", UNKNOWN))
    return type(expr) is not Opaque


def kinds(spec: Spec) -> tuple[Kind, ...]:
    """What each output column is in its query."""
    if isinstance(spec, SetOp):
        first, *others = [kinds(branch) for branch in spec.branches]
        return first if all(item == first for item in others) else (Kind.PLAIN,) * len(first)
    keys = frozenset(spec.group_by)
    inner = spec
    while not inner.group_by and len(inner.sources) == 1 and isinstance(inner.sources[0].query, Select):
        inner = inner.sources[0].query
        keys |= frozenset(inner.group_by)
    return tuple(_kind(item.expr, keys) for item in spec.projections)


def _kind(expr: Expr, keys: frozenset[Expr]) -> Kind:
    if expr in keys:
        return Kind.KEY
    return Kind.AGGREGATE if aggregated(expr) else Kind.PLAIN


def ordering(spec: Spec) -> tuple[tuple[int, ...], bool]:
    """The output columns that the query is ordered by, and whether these are all of its sort keys."""
    columns = [item.expr for item in shown(spec)]
    found = [columns.index(item.expr) if item.expr in columns else None for item in spec.order]
    return tuple(index for index in found if index is not None), bool(found) and None not in found
