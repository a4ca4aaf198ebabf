"""The one walk over a syntax tree: what every handler is given, and the limits that keep hostile SQL harmless."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sqlglot import exp

from stef.records.expressions import Expr, Opaque, Span
from stef.records.predicates import Predicate
from stef.records.reading import Note

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from stef.sql.schema import Schema
    from stef.sql.scopes import Built, Cte, Frame

Node: TypeAlias = exp.Expr
Cnf: TypeAlias = list[tuple[Predicate, ...]]
"""A conjunction of clauses: an empty list is TRUE, an empty clause FALSE."""

MAX_DEPTH = 100
"""Levels of expressions, conditions and subqueries that are read; what lies deeper becomes Opaque."""

SUBQUERY_DEPTH = 5
"""What one subquery adds to the depth, so that at most 20 are nested."""

MAX_COPIED = 20_000
"""Nodes that resolving names through CTEs may copy: a chain of CTEs doubles with each, without a bound."""


@dataclass(frozen=True, slots=True)
class Dispatch:
    """Which function reads which kind of node; composed in `build`, so that the handlers need not know each other."""

    expressions: "Mapping[type[Node], Callable[[Walk, Any], Expr]]"
    other: "Callable[[Walk, Node], Expr]"
    condition: "Callable[[Walk, Node, bool], Cnf]"
    boolean: frozenset[type[Node]]
    foreign: "Mapping[str, frozenset[type[Node]]]"
    query: "Callable[[Walk, Node, Mapping[str, Cte], frozenset[str]], Built]"


class Walk:
    """The state of one reading. `text` is the SQL that spans refer to, `frame` the query block being read."""

    __slots__ = (
        "copied",
        "depth",
        "dialect",
        "dispatch",
        "foreign",
        "frame",
        "notes",
        "overrides",
        "rebuilt",
        "schema",
        "size",
        "text",
    )

    def __init__(self, dispatch: Dispatch, text: str, dialect: str | None, schema: "Schema | None") -> None:
        self.dispatch = dispatch
        self.foreign: frozenset[type[Node]] = dispatch.foreign.get(dialect or "", frozenset())
        self.text = text
        self.dialect = dialect
        self.schema = schema
        self.frame: Frame | None = None
        self.notes: list[Note] = []
        self.depth = 0
        self.size = 0
        self.copied = 0
        self.rebuilt = 0
        self.overrides: dict[int, Built] = {}

    def expr(self, node: Node) -> Expr:
        """The canonical expression that `node` stands for."""
        kind = type(node)
        while kind is exp.Paren:
            node = node.args["this"]
            kind = type(node)
        self.size += 1
        if kind in self.foreign:
            self.note("function_not_in_dialect", kind.__name__.upper(), self.span(node))
        if self.depth >= MAX_DEPTH:
            return Opaque("too_deep")
        self.depth += 1
        try:
            return (self.dispatch.expressions.get(kind) or self.dispatch.other)(self, node)
        finally:
            self.depth -= 1

    def exprs(self, nodes: "list[Node] | None") -> tuple[Expr, ...]:
        """The canonical expressions of `nodes`."""
        return tuple([self.expr(node) for node in nodes]) if nodes else ()

    def condition(self, node: Node, *, negated: bool = False) -> Cnf:
        """The clauses that `node` (or its negation) means as a condition."""
        return self.dispatch.condition(self, node, negated)

    def span(self, node: Node | None) -> Span | None:
        """The stretch of text that `node` is known to cover; None where sqlglot kept no position."""
        if node is None:
            return None
        start = _first(node)
        end = None if start is None else _last(node)
        if start is None or end is None or end <= start:
            return None
        words = self.text[start:end]
        missing = words.count("(") - words.count(")")
        if missing > 0 and self.text[end : end + missing] == ")" * missing:
            end += missing
        return start, end

    def note(self, code: str, text: str = "", span: Span | None = None) -> None:
        """Keep an observation that the Spec will not hold."""
        self.notes.append(Note(code, text, span))


_LEAVES = frozenset({exp.Identifier, exp.Literal})
"""Kinds of nodes with nothing but text inside."""
_LAST_ARGS = ("high", "query", "expressions", "expression", "this")
_FIRST_ARGS = ("this", "expression", "expressions")


def _first(node: Node) -> int | None:
    """Where the first token of `node` starts, as far as sqlglot kept it."""
    for _ in range(200):
        meta = node._meta  # noqa: SLF001 - the property `meta` would create an empty dict on every node
        if meta and "start" in meta:
            start: int = meta["start"]
            return start
        args = node.args
        child = args.get("table") if type(node) is exp.Column else None
        for name in _FIRST_ARGS:
            if isinstance(child, exp.Expr):
                break
            child = args.get(name)
            if isinstance(child, list):
                child = child[0] if child else None
        if not isinstance(child, exp.Expr):
            return None
        node = child
    return None


def _last(node: Node) -> int | None:
    """Where the last token of `node` ends (exclusive), as far as sqlglot kept it; closing parentheses have no place."""
    found: int | None = None
    for _ in range(200):
        meta = node._meta  # noqa: SLF001 - see above
        if meta and "end" in meta:
            found = max(meta["end"] + 1, found or 0)
        if type(node) in _LEAVES:
            return found
        args = node.args
        child = None
        for name in _LAST_ARGS:
            child = args.get(name)
            if isinstance(child, list):
                child = child[-1] if child else None
            if isinstance(child, exp.Expr):
                break
        if not isinstance(child, exp.Expr):
            return found
        node = child
    return found
