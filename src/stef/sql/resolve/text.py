"""Members of components for people: SQL in spirit, the same text for the same member."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from stef.sql.resolve.keys import Col


def key_text(key: Hashable) -> str:
    """An expression (an origin, a member of projections, aggregations, grouping), a condition or a constant."""
    if isinstance(key, Col):
        return f"{key.table}{f'#{key.instance}' if key.instance else ''}.{key.name}"
    if isinstance(key, frozenset):
        return _sorted(key, " OR ")
    if isinstance(key, tuple):
        handler = _TEXTS.get(key[0]) if key and isinstance(key[0], str) else None
        return handler(*key[1:]) if handler is not None else f"({', '.join(map(key_text, key))})"
    return "NULL" if key is None else str(key)


def join_text(member: Hashable) -> str:
    """A member of joins."""
    return _sorted(member, " = ") if isinstance(member, frozenset) else key_text(member)


def filter_text(member: Hashable) -> str:
    """A member of filters, with or without values; in brackets, in what it stands."""
    if isinstance(member, tuple) and len(member) == 2 and isinstance(member[0], frozenset):
        return key_text(member[0]) + "".join(f" [{part}]" for part in member[1])
    return key_text(member)


def _sorted(items: Iterable[Hashable], separator: str) -> str:
    return separator.join(sorted(map(key_text, items)))


def _listed(items: Iterable[Hashable]) -> str:
    return ", ".join(map(key_text, items))


def _order(order: Iterable[tuple[Hashable, bool]]) -> str:
    return ", ".join(key_text(key) + (" DESC" if descending else "") for key, descending in order)


def _all_of(clauses: frozenset[Hashable]) -> str:
    return _sorted(clauses, " AND ")


def _agg(name: str, distinct: bool, arg: Hashable, clauses: frozenset[Hashable]) -> str:
    kept = f" FILTER ({_all_of(clauses)})" if clauses else ""
    if isinstance(arg, tuple) and arg[:1] == ("rows",):
        tables = f" of {', '.join(map(str, arg[1:]))}" if arg[1:] else ""
        return f"{name}(*){tables}{kept}"
    return f"{name}({'DISTINCT ' if distinct else ''}{key_text(arg)}){kept}"


def _operation(op: str, left: Any, *right: Hashable) -> str:
    if right:
        return f"({key_text(left)} {op} {key_text(right[0])})"
    items = sorted(text for key, count in left for text in [key_text(key)] * count)
    return f"({f' {op} '.join(items)})"


def _case(whens: tuple[tuple[frozenset[Hashable], Hashable], ...], otherwise: Hashable) -> str:
    parts = [f"WHEN {_all_of(test)} THEN {key_text(then)}" for test, then in whens]
    return f"CASE {' '.join(parts)}{'' if otherwise is None else f' ELSE {key_text(otherwise)}'} END"


def _window(func: Hashable, partition: frozenset[Hashable], order: Any) -> str:
    parts = [f"PARTITION BY {_sorted(partition, ', ')}"] if partition else []
    parts += [f"ORDER BY {_order(order)}"] if order else []
    return f"{key_text(func)} OVER ({' '.join(parts)})"


def _in(negated: bool, subject: Hashable, values: frozenset[Hashable] = frozenset(), folded: bool = False) -> str:
    end = " (in any case)" if folded else ""
    if len(values) > 1:
        return f"{key_text(subject)} {'NOT ' if negated else ''}IN ({_sorted(values, ', ')}){end}"
    value = f" {key_text(next(iter(values)))}" if values else ""
    return f"{key_text(subject)} {'<>' if negated else '='}{value}{end}"


def _range(subject: Hashable, low: Any, high: Any) -> str:
    ends = [(">", low)] if low is not None else []
    ends += [("<", high)] if high is not None else []
    return " AND ".join(f"{key_text(subject)} {sign}{'=' if end[1] else ''} {key_text(end[0])}" for sign, end in ends)


def _bounded(subject: Hashable, included: tuple[bool | None, bool | None]) -> str:
    ends = [f"{sign}{'=' if end else ''}" for sign, end in zip("><", included, strict=True) if end is not None]
    return f"{key_text(subject)} {' '.join(ends)}"


def _compared(op: str, sides: Any) -> str:
    return f" {op} ".join(sorted(map(key_text, sides)) if isinstance(sides, frozenset) else map(key_text, sides))


def _like(negated: bool, subject: Hashable, pattern: tuple[str, str] | None = None) -> str:
    kind, text = pattern or ("", "")
    return f"{key_text(subject)} {'NOT ' if negated else ''}LIKE" + (f" {kind} '{text}'" if pattern else "")


def _ranked(order: Any, per: frozenset[Hashable], k: int | str | None = "k") -> str:
    each = f" per {_sorted(per, ', ')}" if per else ""
    return f"first {k}{each}{f' by {_order(order)}' if order else ''}"


def _set(kind: str, branches: Any, limit: int | None) -> str:
    kept = [key for key, _ in branches] if isinstance(branches, frozenset) else branches
    texts = sorted(map(key_text, kept)) if isinstance(branches, frozenset) else map(key_text, kept)
    return f" {kind.upper()} ".join(texts) + ("" if limit is None else f" LIMIT {limit}")


def _query(selected: tuple[Hashable, ...], *whole: Any) -> str:
    text = f"SELECT {_listed(selected)}"
    if whole:
        distinct, sources, filters, grouped, cut = whole
        text = text.replace("SELECT", "SELECT DISTINCT", 1) if distinct else text
        text += f" FROM {', '.join(sorted(key_text(source) for source, _ in sources))}"
        text += f" WHERE {_all_of(filters)}" if filters else ""
        text += f" GROUP BY {_sorted(grouped, ', ')}" if grouped else ""
        text += f" ORDER BY {_order(cut[2])} LIMIT {cut[0]}" if cut else ""
    return f"({text})"


_TEXTS: Mapping[str, Callable[..., str]] = {
    "text": lambda text: "'" + text.replace("'", "''") + "'",
    "time": lambda text: f"'{text}'",
    "func": lambda name, args: f"{name}({_listed(args)})",
    "either": lambda items: f"EITHER({_sorted(items, ', ')})",
    "op": _operation,
    "agg": _agg,
    "case": _case,
    "window": _window,
    "star": lambda tables: f"{', '.join(tables)}.*" if tables else "*",
    "opaque": lambda text, parts: f"{text}({_listed(parts)})",
    "phrase": " ".join,
    "query": _query,
    "set": _set,
    "in": _in,
    "range": _range,
    "bounded": _bounded,
    "like": _like,
    "null": lambda negated, subject: f"{key_text(subject)} IS {'NOT ' if negated else ''}NULL",
    "compare": _compared,
    "tested": lambda op, subject: f"{key_text(subject)} {op}",
    "in_query": lambda negated, subject, query: f"{key_text(subject)} {'NOT ' if negated else ''}IN {key_text(query)}",
    "exists": lambda negated, query: f"{'NOT ' if negated else ''}EXISTS {key_text(query)}",
    "holds": lambda negated, subject: f"{'NOT ' if negated else ''}{key_text(subject)}",
    "first": lambda k, order, per: _ranked(order, per, k),
    "ranked": _ranked,
}
"""How each kind of key is written, by its tag."""
