"""Pieces of SQL outside of a query: a condition in a rule, an expression in a hint."""

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from stef.errors import UserError
from stef.records.expressions import Expr, Literal, Opaque
from stef.records.predicates import Clause, Scope
from stef.sql import patterns, predicates, times
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
    clauses = to_clauses(walk.condition(node), Scope.WHERE)
    if any(not clause.predicates for clause in conjoin(clauses)):
        raise FragmentError(f"a condition that never holds: {_short(sql)}")
    return conjunction(clauses)


def read_expression(sql: str, dialect: str | None = None) -> Expr:
    """A SQL expression such as `SUM(amount)`. Raises `FragmentError` where it cannot be read."""
    node = _parse(sql, dialect)
    expr = Walk(DISPATCH, sql, dialect, None).expr(node)
    if type(expr) is Opaque and not expr.parts:
        raise FragmentError(f"not a SQL expression: {_short(sql)}")
    return expr


def compare(subject: Expr, op: str, literal: Literal) -> list[Clause]:
    """What `subject op literal` means (op: = <> < <= > >=), as a filter in a query would be read."""
    walk = Walk(DISPATCH, literal.text, None, None)
    return to_clauses(predicates.against_literal(walk, subject, op, literal, None), Scope.ASKED)


def like(subject: Expr, text: str, *, negated: bool = False) -> list[Clause]:
    """What `subject [NOT] LIKE text` means."""
    predicate = times.prefix_test(patterns.like(subject, text, None, None, folded=False))
    return to_clauses(patterns.negate(predicate, negated=negated), Scope.ASKED)


def conjunction(clauses: list[Clause]) -> tuple[Clause, ...]:
    """Clauses that all hold, in canonical order: bounds on one subject are one interval, year and month one month."""
    return tuple(sorted(times.combine(conjoin(clauses)), key=clause_key))


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
