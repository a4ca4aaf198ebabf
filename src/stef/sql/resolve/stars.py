"""The SELECT list with `*` written out, as far as the columns of the tables are known."""

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from stef.records.expressions import Expr, Star
from stef.records.spec import Projection
from stef.sql.blocks import Block
from stef.sql.literals import fold_name
from stef.sql.scopes import Frame, Relation
from stef.sql.walk import Node, Walk

_SHARED_FIRST = frozenset({"postgres", "mysql", "redshift", "trino", "presto", "snowflake"})
"""Dialects whose `*` shows the columns of USING before all others; the rest leave them with the left table."""


def project(walk: Walk, block: Block, args: Mapping[str, Any]) -> None:
    """Put the columns of a SELECT list into `block`."""
    frame = block.frame
    for item in args.get("expressions") or ():
        node, name = item, None
        kind = type(node)
        if kind is exp.Alias:
            name = fold_name(node.args["alias"].name) if isinstance(node.args["alias"], exp.Expr) else None
            node = node.args["this"]
            kind = type(node)
        if kind is exp.Star or (kind is exp.Column and type(node.args["this"]) is exp.Star):
            _star(walk, block, node, args)
            continue
        if kind is exp.Columns:
            # Picked by a pattern or a function: how many there are, only the database knows.
            _add(block, Star(), None)
            continue
        if kind is exp.Aliases:
            node = node.args["this"]
        if kind is exp.Column and name is None:
            name = fold_name(node.args["this"].name)
        before = walk.size
        _add(block, walk.expr(node), name, walk.size - before)
        if name is not None:
            frame.aliases.setdefault(name, block.projections[-1].expr)


def _add(block: Block, expr: Expr, name: str | None, weight: int = 1) -> None:
    block.projections.append(Projection(expr, name))
    block.weights.append(weight)


def _star(walk: Walk, block: Block, node: Node, args: Mapping[str, Any]) -> None:
    frame = block.frame
    qualifier = node.args.get("table") if type(node) is exp.Column else None
    star = node.args["this"] if type(node) is exp.Column else node
    if qualifier is not None:
        found = frame.by_alias.get(fold_name(qualifier.name))
        columns = _columns(walk, [found] if found is not None else [], {})
    else:
        shared = _shared(frame, args)
        columns = _columns(walk, frame.relations, shared)
        if columns is not None and walk.dialect in _SHARED_FIRST:
            names = {name for hidden in shared.values() for name in hidden}
            columns.sort(key=lambda item: item[0] not in names)
    if columns is None:
        # Tables of unknown columns: the star stays, and with it how many columns there are is unknown.
        relations = [found] if qualifier is not None and found is not None else frame.relations
        block.open = (*block.open, *relations)
        _add(block, Star(tuple(sorted(key for item in relations for key in item.source_keys()))), None)
        return
    for name, expr in _modified(walk, star, columns):
        _add(block, expr, name)
        if name is not None:
            frame.aliases.setdefault(name, expr)


def _columns(
    walk: Walk, relations: list[Relation], shared: Mapping[int, set[str]]
) -> list[tuple[str | None, Expr]] | None:
    found: list[tuple[str | None, Expr]] = []
    for relation in relations:
        hidden = shared.get(id(relation), ())
        if relation.outputs is not None:
            if relation.open or (relation.built is None and len(relation.names) != len(relation.outputs)):
                return None
            shown = relation.built.projections() if relation.built is not None else ()
            exprs = [item.expr for item in shown] or list(relation.outputs.values())
            found += [(name, expr) for name, expr in zip(relation.names, exprs, strict=True) if name not in hidden]
        elif relation.described is not None:
            columns = relation.described.columns
            found += [(name, relation.column(walk, name, None)) for name in columns if name not in hidden]
        else:
            return None
    return found if relations else None


def _shared(frame: Frame, args: Mapping[str, Any]) -> dict[int, set[str]]:
    """The columns of each relation that USING or NATURAL has already shown with a relation before it."""
    shared: dict[int, set[str]] = {}
    for join in args.get("joins") or ():
        using, natural = join.args.get("using"), join.args.get("method") == "NATURAL"
        if not using and not natural:
            continue
        relation = frame.by_alias.get(fold_name(join.args["this"].alias_or_name))
        if relation is None:
            continue
        if using:
            shared[id(relation)] = {fold_name(item.name) for item in using}
            continue
        before = frame.relations[: frame.relations.index(relation)]
        names = relation.outputs if relation.outputs is not None else getattr(relation.described, "columns", ())
        shared[id(relation)] = {name for name in names if any(item.sure(name) for item in before)}
    return shared


def _modified(walk: Walk, star: Node, columns: list[tuple[str | None, Expr]]) -> list[tuple[str | None, Expr]]:
    """`* EXCLUDE (a)`, `* REPLACE (x AS a)`, `* RENAME (a AS b)`."""
    without = {fold_name(item.name) for item in star.args.get("except_") or () if isinstance(item, exp.Expr)}
    replaced = {fold_name(item.alias): walk.expr(item.this) for item in star.args.get("replace") or ()}
    renamed = {fold_name(item.this.name): fold_name(item.alias) for item in star.args.get("rename") or ()}
    if not without and not replaced and not renamed:
        return columns
    return [
        (renamed.get(name or "", name), replaced.get(name or "", expr)) for name, expr in columns if name not in without
    ]
