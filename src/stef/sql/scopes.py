"""Query blocks while they are read: their relations, the CTEs in reach, and what a query shows to the one around it."""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING

from stef.records.expressions import Column, Expr, Span
from stef.records.spec import JoinKind, Projection, Select, Source, Spec
from stef.sql.walk import MAX_COPIED, Node, Walk

if TYPE_CHECKING:
    from stef.records.reading import Note
    from stef.sql.schema import TableSchema


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

    def source_keys(self) -> tuple[str, ...]:
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
            return Column(name, joint_keys(inner), span)
        return Column(name, (self.key,), span)

    def _inlined(self, walk: Walk, name: str, found: Expr, span: Span | None) -> Expr:
        if type(found) is Column:
            return Column(found.name, found.sources, span)
        weight = self.weights.get(name, 1)
        if walk.copied + weight > MAX_COPIED:
            walk.note("query_too_complex", name, span)
            return Column(name, self.source_keys(), span)
        walk.copied += weight
        walk.size += weight
        return found


def _best(answers: Iterable[bool | None]) -> bool | None:
    result: bool | None = False
    for answer in answers:
        if answer:
            return True
        if answer is None:
            result = None
    return result


def joint_keys(relations: "list[Relation]") -> tuple[str, ...]:
    """The source keys of all `relations`, sorted."""
    return tuple(sorted({key for relation in relations for key in relation.source_keys()}))


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

    def source_keys(self) -> frozenset[str]:
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
        self.keys.update(relation.source_keys())
        if relation.built is not None and not relation.inner:
            self.keys.update(relation.built.source_keys())

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
