"""Names: which base column, or which expression of a CTE or derived table, a name in a query stands for.

Without a schema a base table's columns are unknown: an unqualified name then can come from every such table in reach,
and its Column says so. Inner query blocks come first.
"""

from sqlglot import exp

from stef.records.expressions import Column, Expr, Span, Star
from stef.records.spec import JoinKind
from stef.sql.literals import fold_name, text_literal
from stef.sql.schema import ColumnType
from stef.sql.scopes import Aliases, Frame, Relation, joint_keys
from stef.sql.trees import columns
from stef.sql.walk import Node, Walk

TEXT_IN_DOUBLE_QUOTES = frozenset({None, "", "sqlite"})
"""Dialects in which "x" is text where no column has that name."""

LATERAL_ALIASES = frozenset({"snowflake", "redshift", "databricks", "duckdb", "clickhouse", "teradata"})
"""Dialects in which an expression may name a column of its own SELECT list."""


def read_column(walk: Walk, node: exp.Column) -> Expr:
    """What a column reference stands for: a Column, or the expression behind an alias or derived column."""
    args = node.args
    identifier = args["this"]
    qualifier = args.get("table")
    if type(identifier) is exp.Star:
        return _star(walk, qualifier)
    name = fold_name(identifier.this) if isinstance(identifier.this, str) else ""
    span = _position(identifier)
    frame = walk.frame
    if frame is None:
        return Column(name, (fold_name(qualifier.name),) if qualifier is not None else (), span)
    if qualifier is None:
        return _bare(walk, frame, name, identifier, span)
    return _qualified(walk, frame, name, node, span)


def _position(identifier: Node) -> Span | None:
    meta = identifier._meta  # noqa: SLF001 - see `walk.span_of`
    return (meta["start"], meta["end"] + 1) if meta and "start" in meta else None


def _star(walk: Walk, qualifier: Node | None) -> Expr:
    if qualifier is None or walk.frame is None:
        return Star()
    relation = walk.frame.by_alias.get(fold_name(qualifier.name))
    return Star(relation.source_keys()) if relation is not None else Star((fold_name(qualifier.name),))


def _qualified(walk: Walk, frame: Frame, name: str, node: exp.Column, span: Span | None) -> Expr:
    qualifier = fold_name(node.args["table"].name)
    found = _relation(frame, qualifier)
    if found is None:
        return _field(walk, frame, name, node, span)
    relation, depth = found
    if depth:
        _mark_correlated(frame, depth)
    start = _position(node.args["table"])
    if start is not None and span is not None:
        span = (start[0], span[1])
    relation.uses += 1
    return relation.column(walk, name, span)


def _relation(frame: Frame, alias: str) -> tuple[Relation, int] | None:
    depth = 0
    block: Frame | None = frame
    while block is not None:
        relation = block.by_alias.get(alias)
        if relation is not None:
            return relation, depth
        for relation in block.relations:
            if relation.table == alias or relation.table.endswith("." + alias):
                return relation, depth
        block = block.parent
        depth += 1
    return None


def _mark_correlated(frame: Frame, depth: int) -> None:
    block: Frame | None = frame
    for _ in range(depth):
        if block is None:
            return
        block.correlated = True
        block = block.parent


def _field(walk: Walk, frame: Frame, name: str, node: exp.Column, span: Span | None) -> Expr:
    """A qualifier that is no relation: a field of a nested column, or a table that is not there."""
    qualifier = fold_name(node.args["table"].name)
    outer = node.args.get("db")
    if outer is not None:
        found = _relation(frame, fold_name(outer.name))
        if found is not None:
            relation, depth = found
            _mark_correlated(frame, depth)
            relation.uses += 1
            return Column(f"{qualifier}.{name}", relation.source_keys(), span)
    walk.note("unknown_qualifier", node.args["table"].name, span)
    return Column(name, (qualifier,), span)


def _bare(walk: Walk, frame: Frame, name: str, identifier: Node, span: Span | None) -> Expr:
    if frame.alias_mode == Aliases.FIRST and name in frame.aliases:
        return frame.aliases[name]
    found = _in_reach(walk, frame, name, span)
    if found is not None:
        return found
    if name in frame.aliases:
        return frame.aliases[name]
    if identifier.args.get("quoted") and in_double_quotes(walk, identifier):
        walk.note("double_quoted_text", identifier.this, span)
        return text_literal(identifier.this, span)
    return Column(name, (), span)


def _in_reach(walk: Walk, frame: Frame, name: str, span: Span | None) -> Expr | None:
    block: Frame | None = frame
    depth = 0
    while block is not None:
        found = _in_block(walk, block, name, span)
        if found is not None:
            if depth:
                _mark_correlated(frame, depth)
                if walk.schema is not None and walk.schema.tables and frame.relations:
                    walk.note("silently_correlated", name, span)
            return found
        block = block.parent
        depth += 1
    return None


def _in_block(walk: Walk, block: Frame, name: str, span: Span | None) -> Expr | None:
    relations = block.relations
    if len(relations) == 1:
        relation = relations[0]
        sure = relation.sure(name)
        if sure is False or (sure is None and _prefers_alias(walk, block, name)):
            return _same_name(block, name, span)
        relation.uses += 1
        return relation.column(walk, name, span)
    possible = []
    for relation in relations:
        sure = relation.sure(name)
        if sure:
            relation.uses += 1
            return relation.column(walk, name, span)
        if sure is None:
            possible.append(relation)
    if not possible or _prefers_alias(walk, block, name):
        return _same_name(block, name, span)
    for relation in possible:
        relation.uses += 1
    if len(possible) == 1:
        return possible[0].column(walk, name, span)
    return Column(name, joint_keys(possible), span)


def _prefers_alias(walk: Walk, block: Frame, name: str) -> bool:
    """Whether a name that a table of unknown columns might have rather is the one of the SELECT list."""
    if block.alias_mode == Aliases.NEVER:
        return walk.dialect in LATERAL_ALIASES and name in block.aliases
    found = block.aliases.get(name)
    if found is None:
        return False
    # `SELECT LOWER(name) AS name … GROUP BY name`: the alias itself proves that there is such a column.
    return type(found) is Column or not _names(found, name)


def _names(expr: Expr, name: str) -> bool:
    return any(column.name == name for column in columns(expr))


def _same_name(block: Frame, name: str, span: Span | None) -> Expr | None:
    """`SELECT h FROM UNNEST(x) AS h`: a relation of one column goes by its own name."""
    relation = block.by_alias.get(name)
    if relation is not None and relation.kind == JoinKind.LATERAL:
        relation.uses += 1
        return Column(name, relation.source_keys(), span)
    return None


def in_double_quotes(walk: Walk, identifier: Node) -> bool:
    """Whether a quoted name was written as "x" in a dialect where that can be text."""
    if walk.dialect not in TEXT_IN_DOUBLE_QUOTES:
        return False
    position = _position(identifier)
    return position is not None and walk.text[position[0] : position[0] + 1] == '"'


def read_operand(walk: Walk, node: Node) -> Expr:
    """An expression that stands beside another one in a comparison: there "x" is text, if no column is known by it."""
    if type(node) is exp.Column and node.args.get("table") is None:
        identifier = node.args["this"]
        if identifier.args.get("quoted") and in_double_quotes(walk, identifier):
            frame = walk.frame
            name = fold_name(identifier.this)
            known = frame is not None and any(relation.sure(name) for relation in frame.relations)
            if not known and not isinstance(identifier, exp.Star):
                walk.note("double_quoted_text", identifier.this, _position(identifier))
                return text_literal(identifier.this, _position(identifier))
    return walk.expr(node)


def type_of(walk: Walk, expr: Expr) -> ColumnType | None:
    """The type of a column where a schema states it."""
    if walk.schema is None or type(expr) is not Column or len(expr.sources) != 1:
        return None
    return walk.schema.type_of(expr.sources[0].partition("#")[0], expr.name)
