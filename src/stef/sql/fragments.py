"""Pieces of SQL outside of a query: a condition in a rule, an expression in a hint."""

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from stef.errors import UserError
from stef.records.expressions import Expr, Opaque
from stef.records.predicates import Clause, Scope
from stef.sql import times
from stef.sql.build import DISPATCH
from stef.sql.logic import conjoin, to_clauses
from stef.sql.trees import clause_key
from stef.sql.walk import Node, Walk

MAX_LENGTH = 10_000
MAX_NESTING = 200


class FragmentError(UserError):
    """A piece of SQL that cannot be read as a condition or expression."""


def read_condition(sql: str, dialect: str | None = None) -> tuple[Clause, ...]:
    """The clauses (a conjunction) of a boolean SQL expression such as `deleted_at IS NULL AND is_test = FALSE`.

    Raises `FragmentError` where it cannot be read.
    """
    node = _parse(sql, dialect)
    walk = Walk(DISPATCH, sql, dialect, None)
    clauses = conjoin(to_clauses(walk.condition(node), Scope.WHERE))
    if any(not clause.predicates for clause in clauses):
        raise FragmentError(f"a condition that never holds: {_short(sql)}")
    return tuple(sorted(times.combine(clauses), key=clause_key))


def read_expression(sql: str, dialect: str | None = None) -> Expr:
    """A SQL expression such as `SUM(amount)`. Raises `FragmentError` where it cannot be read."""
    node = _parse(sql, dialect)
    expr = Walk(DISPATCH, sql, dialect, None).expr(node)
    if type(expr) is Opaque and not expr.parts:
        raise FragmentError(f"not a SQL expression: {_short(sql)}")
    return expr


def _parse(sql: str, dialect: str | None) -> Node:
    if not sql.strip():
        raise FragmentError("an empty SQL expression")
    if len(sql) > MAX_LENGTH or sql.count("(") > MAX_NESTING:
        raise FragmentError(f"a SQL expression that is too large: {_short(sql)}")
    try:
        tree = sqlglot.parse_one(f"SELECT 1 WHERE {sql}", dialect=dialect)
    except (SqlglotError, RecursionError, ValueError) as error:
        raise FragmentError(f"not a SQL expression: {_short(sql)}") from error
    where = tree.args.get("where") if isinstance(tree, exp.Select) else None
    if where is None or any(tree.args.get(key) for key in ("group", "order", "limit", "having", "qualify")):
        raise FragmentError(f"not one SQL expression: {_short(sql)}")
    found = where.args["this"]
    if not isinstance(found, exp.Expr) or isinstance(found, exp.Alias):
        raise FragmentError(f"not a SQL expression: {_short(sql)}")
    return _shifted(found)


def _shifted(node: Node) -> Node:
    """The tree with positions in the fragment itself."""
    offset = len("SELECT 1 WHERE ")
    stack = [node]
    while stack:
        item = stack.pop()
        meta = item._meta  # noqa: SLF001 - see `walk.span_of`
        if meta and "start" in meta:
            meta["start"] -= offset
            meta["end"] -= offset
        for value in item.args.values():
            if isinstance(value, exp.Expr):
                stack.append(value)
            elif isinstance(value, list):
                stack.extend(child for child in value if isinstance(child, exp.Expr))
    return node


def _short(sql: str) -> str:
    return repr(sql if len(sql) <= 80 else sql[:77] + "…")
