"""Common table expressions: which are in reach, built once and shared."""

from collections.abc import Mapping
from types import MappingProxyType

from sqlglot import exp

from stef.records.spec import Select
from stef.sql.literals import fold_name
from stef.sql.scopes import Built, Cte, Frame
from stef.sql.walk import MAX_DEPTH, SUBQUERY_DEPTH, Node, Walk

EMPTY: Mapping[str, Cte] = MappingProxyType({})
MAX_REBUILDS = 64
"""How often CTEs may be built anew in one text, to keep the instances of a table apart."""

_IMPLICIT_RECURSION = frozenset({"sqlite", "tsql", "fabric", "oracle", None, ""})


def environment(walk: Walk, env: Mapping[str, Cte], with_: Node | None) -> Mapping[str, Cte]:
    """The CTEs in reach of a query: those around it, and its own."""
    if with_ is None:
        return env
    known: dict[str, Cte] = dict(env)
    for item in with_.args.get("expressions") or ():
        if not isinstance(item, exp.CTE):
            continue
        name = fold_name(item.alias)
        alias = item.args.get("alias")
        columns = tuple(fold_name(column.name) for column in (alias.args.get("columns") or ())) if alias else ()
        cte = Cte(name, item.args["this"], columns)
        cte.env = dict(known)
        cte.recursive = bool(with_.args.get("recursive")) or (
            walk.dialect in _IMPLICIT_RECURSION and isinstance(item.args["this"], exp.Union)
        )
        _read_cte(walk, cte)
        known[name] = cte
    return known


def _read_cte(walk: Walk, cte: Cte) -> None:
    """Build a CTE right away, so that a chain of hundreds needs no recursion; its notes count only if it is used."""
    before = len(walk.notes)
    cte.built = _build_cte(walk, cte, frozenset())
    cte.notes = walk.notes[before:]
    del walk.notes[before:]


def unused(walk: Walk, env: Mapping[str, Cte], with_: Node | None) -> None:
    """Note the CTEs that nothing names."""
    for item in with_.args.get("expressions") or () if with_ is not None else ():
        cte = env.get(fold_name(item.alias))
        if cte is not None and not cte.used:
            walk.note("unused_cte", cte.name)


def in_block(walk: Walk, frame: Frame, cte: Cte) -> Built:
    """A CTE as a block uses it: built anew where its sources would be mixed up with those of the block."""
    built = cte.built
    if built is None:
        built = cte.built = _build_cte(walk, cte, frozenset())
    if frame.keys and walk.rebuilt < MAX_REBUILDS and not built.source_keys().isdisjoint(frame.keys):
        walk.rebuilt += 1
        walk.copied += built.weight
        notes = len(walk.notes)
        built = _build_cte(walk, cte, frame.taken())
        del walk.notes[notes:]
    return built


def _build_cte(walk: Walk, cte: Cte, avoid: frozenset[str]) -> Built:
    cte.building = True
    built = build(walk, cte.node, {**cte.env, cte.name: cte} if cte.recursive else cte.env, avoid, None)
    cte.building = False
    return built


def build(walk: Walk, node: Node, env: Mapping[str, Cte], avoid: frozenset[str], parent: Frame | None) -> Built:
    """A derived query, read with the names of `parent` in reach; nothing of one that lies too deep."""
    if walk.depth + SUBQUERY_DEPTH > MAX_DEPTH:
        walk.note("query_too_complex")
        return Built(Select())
    frame = walk.frame
    walk.frame = parent
    walk.depth += SUBQUERY_DEPTH
    built = walk.dispatch.query(walk, node, env, avoid)
    walk.frame = frame
    walk.depth -= SUBQUERY_DEPTH
    return built
