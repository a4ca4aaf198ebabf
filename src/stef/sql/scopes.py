"""Names: which base column, or which expression of a CTE or derived table, a name in a query stands for.

Without a schema a base table's columns are unknown: an unqualified name then can come from every such table in reach,
and its Column says so. Inner query blocks come first.
"""

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

from sqlglot import exp

from stef.records.expressions import Column, Expr, Literal, Span, Star
from stef.records.reading import Note
from stef.records.spec import JoinKind, Projection, Select, Source, Spec
from stef.sql.literals import fold_name, text_literal
from stef.sql.schema import ColumnType, TableSchema
from stef.sql.walk import MAX_COPIED, Node, Walk

TEXT_IN_DOUBLE_QUOTES = frozenset({None, "", "sqlite"})
"""Dialects in which "x" is text where no column has that name."""

LATERAL_ALIASES = frozenset({"snowflake", "redshift", "databricks", "duckdb", "clickhouse", "teradata"})
"""Dialects in which an expression may name a column of its own SELECT list."""


class Aliases(IntEnum):
    """Whether a name may stand for a column of the SELECT list: never, where nothing else has it, or first of all."""

    NEVER = 0
    FALLBACK = 1
    FIRST = 2


class Relation:
    """A table, CTE or derived table in a FROM clause.

    `outputs` are the columns of a derived table by name; `open` the relations that show through its `*`. A base table
    has neither; `described` is its schema where there is one. `inner` are the sources of a derived table that was
    merged into the query. `uses` and `joined` count what names its columns, outside joins' equalities and in them.
    """

    __slots__ = (
        "alias",
        "built",
        "described",
        "inner",
        "joined",
        "key",
        "kind",
        "names",
        "natural",
        "open",
        "outputs",
        "span",
        "table",
        "uses",
        "weights",
    )

    def __init__(self, alias: str, key: str, table: str, span: Span | None = None) -> None:
        self.alias = alias
        self.key = key
        self.table = table
        self.span = span
        self.kind = JoinKind.FROM
        self.outputs: dict[str, Expr] | None = None
        self.names: tuple[str | None, ...] = ()
        self.weights: dict[str, int] = {}
        self.open: tuple[Relation, ...] = ()
        self.described: TableSchema | None = None
        self.built: Built | None = None
        self.inner: tuple[Source, ...] = ()
        self.uses = 0
        self.joined = 0
        self.natural = False

    def keys(self) -> tuple[str, ...]:
        """The source keys that this relation brings into its query."""
        return tuple(source.key for source in self.inner) if self.inner else (self.key,)

    def sure(self, name: str) -> bool | None:
        """Whether the relation has a column `name`; None where that is unknown."""
        if self.outputs is not None:
            if name in self.outputs:
                return True
            return _best(relation.sure(name) for relation in self.open)
        if self.described is not None:
            return name in self.described.columns
        return None

    def column(self, walk: Walk, name: str, span: Span | None) -> Expr:
        """What the column `name` of this relation stands for."""
        if self.outputs is not None:
            found = self.outputs.get(name)
            if found is not None:
                return self._inlined(walk, name, found, span)
            inner = [relation for relation in self.open if relation.sure(name) is not False]
            if len(inner) == 1:
                return inner[0].column(walk, name, span)
            return Column(name, _keys(inner), span)
        return Column(name, (self.key,), span)

    def _inlined(self, walk: Walk, name: str, found: Expr, span: Span | None) -> Expr:
        if type(found) is Column:
            return Column(found.name, found.sources, span)
        weight = self.weights.get(name, 1)
        if walk.copied + weight > MAX_COPIED:
            walk.note("query_too_complex", name, span)
            return Column(name, self.keys(), span)
        walk.copied += weight
        walk.size += weight
        return found

    def type_of(self, name: str) -> ColumnType | None:
        """The type of a base table's column, where a schema states it."""
        return self.described.columns.get(name) if self.described is not None else None


def _best(answers: Any) -> bool | None:
    result: bool | None = False
    for answer in answers:
        if answer:
            return True
        if answer is None:
            result = None
    return result


def _keys(relations: "list[Relation]") -> tuple[str, ...]:
    return tuple(sorted({key for relation in relations for key in relation.keys()}))


class Cte:
    """A common table expression: its query, and the CTEs that it can see itself."""

    __slots__ = ("building", "built", "columns", "env", "name", "node", "notes", "recursive", "used")

    def __init__(self, name: str, node: Node, columns: tuple[str, ...]) -> None:
        self.name = name
        self.node = node
        self.columns = columns
        self.env: Mapping[str, Cte] = {}
        self.recursive = False
        self.building = False
        self.built: Built | None = None
        self.notes: list[Note] = []
        self.used = False


class Built:
    """A query as built: its Spec, and what an enclosing query needs to see through it.

    `plain` says that the query only selects, projects and joins, so that it can be merged into another one.
    """

    __slots__ = (
        "_keys",
        "branches",
        "correlated",
        "level",
        "open",
        "placed",
        "plain",
        "spec",
        "weight",
        "weights",
        "windowed",
    )

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.branches: tuple[Built, ...] = ()
        self.windowed = False
        self.open: tuple[Relation, ...] = ()
        self.level = 1
        self.placed = False
        self.plain = False
        self.correlated = False
        self._keys: frozenset[str] | None = None
        self.weight = 1
        self.weights: tuple[int, ...] = ()

    def keys(self) -> frozenset[str]:
        """The keys of the sources that the output columns can name."""
        if self._keys is None:
            self._keys = frozenset(keys_of(self.spec))
        return self._keys

    def projections(self) -> tuple[Projection, ...]:
        """The output columns; a set operation has those of its first branch."""
        spec = self.spec
        while not isinstance(spec, Select):
            spec = spec.branches[0]
        return spec.projections


class Frame:
    """One query block while it is read: its relations, the CTEs in reach, and the columns of its SELECT list."""

    __slots__ = (
        "aggregates",
        "alias_mode",
        "aliases",
        "avoid",
        "by_alias",
        "correlated",
        "env",
        "keys",
        "level",
        "numbers",
        "parent",
        "relations",
        "windowed",
        "windows",
    )

    def __init__(self, parent: "Frame | None", env: Mapping[str, Cte], avoid: frozenset[str]) -> None:
        self.parent = parent
        self.env = env
        self.avoid = avoid
        self.keys: set[str] = set(avoid)
        self.numbers: dict[str, int] = {}
        self.relations: list[Relation] = []
        self.by_alias: dict[str, Relation] = {}
        self.aliases: dict[str, Expr] = {}
        self.alias_mode = Aliases.NEVER
        self.correlated = False
        self.level = 0
        self.aggregates = 0
        self.windowed = False
        self.windows: dict[str, Node] = {}

    def add(self, relation: Relation) -> None:
        """Put a relation into the block."""
        self.relations.append(relation)
        self.by_alias.setdefault(relation.alias, relation)
        self.keys.update(relation.keys())
        if relation.built is not None and not relation.inner:
            self.keys.update(relation.built.keys())

    def taken(self) -> frozenset[str]:
        """All source keys that a further source of this block must not have."""
        return frozenset(self.keys)

    def free_key(self, name: str) -> str:
        """`name`, or `name#2` and so on where it is taken."""
        if name not in self.keys:
            return name
        number = self.numbers.get(name, 2)
        while f"{name}#{number}" in self.keys:
            number += 1
        self.numbers[name] = number
        return f"{name}#{number}"


def keys_of(spec: Spec) -> set[str]:
    """The keys of the sources of a query block that its output columns can name."""
    keys: set[str] = set()
    seen: set[int] = set()
    stack = [spec]
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, Select):
            for source in item.sources:
                keys.add(source.key)
                if source.query is not None:
                    stack.append(source.query)
        else:
            stack.extend(item.branches)
    return keys


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
    return Star(relation.keys()) if relation is not None else Star((fold_name(qualifier.name),))


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
            return Column(f"{qualifier}.{name}", relation.keys(), span)
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
                if walk.schema is not None and frame.relations:
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
    return Column(name, _keys(possible), span)


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
    from stef.sql.trees import columns  # noqa: PLC0415

    return any(column.name == name for column in columns(expr))


def _same_name(block: Frame, name: str, span: Span | None) -> Expr | None:
    """`SELECT h FROM UNNEST(x) AS h`: a relation of one column goes by its own name."""
    relation = block.by_alias.get(name)
    if relation is not None and relation.kind == JoinKind.LATERAL:
        relation.uses += 1
        return Column(name, relation.keys(), span)
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
    block = walk.frame
    while block is not None:
        for relation in block.relations:
            if relation.key == expr.sources[0]:
                return relation.type_of(expr.name)
            for inner in relation.open:
                if inner.key == expr.sources[0]:
                    return inner.type_of(expr.name)
        block = block.parent
    table = walk.schema.table(expr.sources[0].partition("#")[0], "")
    return table.columns.get(expr.name) if table is not None else None


__all__ = [
    "Aliases",
    "Built",
    "Cte",
    "Frame",
    "Literal",
    "Relation",
    "in_double_quotes",
    "keys_of",
    "read_column",
    "read_operand",
    "type_of",
]
