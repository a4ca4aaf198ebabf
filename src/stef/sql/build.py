"""From a syntax tree to the canonical Spec: the entry, and the dispatch that ties the handlers together."""

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from stef.records.reading import Note
from stef.records.spec import Select, Spec
from stef.sql.conditions import BOOLEAN, condition
from stef.sql.ctes import EMPTY, environment
from stef.sql.cuts import recut, recut_tops
from stef.sql.expressions import HANDLERS, other
from stef.sql.foreign import FOREIGN
from stef.sql.schema import Schema
from stef.sql.scopes import Built, Cte, Frame
from stef.sql.selects import limits, orders, select
from stef.sql.setops import set_operation
from stef.sql.walk import MAX_DEPTH, Dispatch, Node, Walk


def build_spec(
    tree: exp.Expr, text: str, dialect: str | None, schema: Schema | None = None
) -> tuple[Spec, tuple[Note, ...]]:
    """The canonical Spec of one parsed query, and notes on what canonicalising took away.

    `tree` is what sqlglot read from `text`, to which all spans refer. Without a `schema` a column that can come from
    several tables names them all. It never raises on a query that sqlglot could read; what is too deep or too large to
    be written out becomes `Opaque`, with a note.
    """
    walk = Walk(DISPATCH, text, dialect, schema)
    built = query(walk, tree, EMPTY, frozenset())
    return built.spec, tuple(dict.fromkeys(walk.notes))


def query(walk: Walk, node: Node, env: Mapping[str, Cte], avoid: frozenset[str]) -> Built:
    """Build any query: SELECT, a set operation, a query in parentheses, VALUES."""
    outer, before = walk.frame, walk.size
    node = _unwrapped(walk, node)
    match node:
        case exp.Select():
            built = select(walk, node, env, avoid)
        case exp.SetOperation():
            built = set_operation(walk, node, env, avoid)
        case exp.Subquery():
            built = _wrapped(walk, node, env, avoid)
        case exp.Paren() | exp.CTE() | exp.Alias():
            built = query(walk, node.args["this"], env, avoid)
        case _:
            built = select(walk, exp.Select(), env, avoid, source=node)
    walk.frame = outer
    built.weight = walk.size - before + 1
    return built


_SELECT_STAR = frozenset({"expressions", "from_"})


def _unwrapped(walk: Walk, node: Node) -> Node:
    """`SELECT * FROM (q)` is q, however often it is said."""
    while type(node) is exp.Select:
        args = node.args
        if any(value and key not in _SELECT_STAR for key, value in args.items()):
            return node
        items, found = args.get("expressions"), args.get("from_")
        if (
            found is None
            or not items
            or len(items) != 1
            or type(items[0]) is not exp.Star
            or any(items[0].args.values())
        ):
            return node
        inner = found.args["this"]
        if type(inner) is not exp.Subquery or any(
            value for key, value in inner.args.items() if key not in ("this", "alias")
        ):
            return node
        alias = inner.args.get("alias")
        if (isinstance(alias, exp.Expr) and alias.args.get("columns")) or isinstance(inner.args["this"], exp.Table):
            return node
        walk.note("select_star", "", walk.span(items[0]))
        node = inner.args["this"]
    return node


def _wrapped(walk: Walk, node: exp.Subquery, env: Mapping[str, Cte], avoid: frozenset[str]) -> Built:
    while type(node.args["this"]) is exp.Subquery and not any(
        node.args.get(key) for key in ("with_", "order", "limit", "offset")
    ):
        node = node.args["this"]
    if walk.depth >= MAX_DEPTH:
        walk.note("query_too_complex")
        return Built(Select())
    walk.depth += 1
    built = query(walk, node.args["this"], environment(walk, env, node.args.get("with_")), avoid)
    walk.depth -= 1
    if not any(node.args.get(key) for key in ("order", "limit", "offset")):
        return built
    order = orders(walk, Frame(walk.frame, env, avoid), node.args, built.projections())
    spec = built.spec
    cut = recut(spec, order, *limits(walk, node.args))
    built.spec = replace(cut, tops=recut_tops(spec, cut, order))
    built.plain = False
    return built


DISPATCH = Dispatch(HANDLERS, other, condition, BOOLEAN, FOREIGN, query)
"""All handlers, put together."""
