"""Members of components in words, and what two queries differ in."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from stef.sql.resolve import Resolved, matched

_SETS = ("tables", "joins", "projections", "filters", "aggregations", "grouping")
_LONGEST = 160


@dataclass(frozen=True, slots=True)
class SetDifference:
    """One component: what both have, what only the gold has, and what only the candidate has, in words."""

    name: str
    shared: tuple[str, ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def differences(reference: Resolved, candidate: Resolved | None) -> tuple[SetDifference, ...]:
    """What each component of two queries differs in; without a candidate all of the reference's is missing."""
    other = matched(reference, candidate) if candidate is not None else Resolved()
    return tuple(_difference(name, reference, other) for name in _SETS)


def _difference(name: str, reference: Resolved, candidate: Resolved) -> SetDifference:
    wanted: frozenset[Hashable] = getattr(reference, name)
    given: frozenset[Hashable] = getattr(candidate, name)
    added: frozenset[Hashable] = getattr(candidate.added, name, frozenset())
    return SetDifference(
        name=name,
        shared=_all(wanted & given),
        missing=_all(wanted - given),
        extra=_all(given - wanted - added),
    )


def _all(members: Iterable[Hashable]) -> tuple[str, ...]:
    return tuple(sorted(map(in_words, members)))


def in_words(member: Hashable) -> str:
    """A member of a component as people would write it, shortened where it is long."""
    text = _words(member)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _words(key: Any) -> str:  # noqa: C901, PLR0912  one case a kind of key
    match key:
        case None:
            return "NULL"
        case str():
            return key
        case (str() as table, int() as instance, str() as name) if hasattr(key, "table"):
            return f"{table}{f'#{instance}' if instance else ''}.{name}"
        case frozenset():
            return " = ".join(sorted(map(_words, key))) if _is_join(key) else _any_of(key)
        case ("agg", name, distinct, counted, clauses):
            of = "*" if not counted or not isinstance(counted, tuple) or _is_tables(counted) else _words(counted)
            of = _words(counted) if counted and hasattr(counted, "table") else of
            filtered = f" where {' and '.join(sorted(map(_words, clauses)))}" if clauses else ""
            return f"{name}({'DISTINCT ' if distinct else ''}{of}{filtered})"
        case ("range", subject, low, high):
            return _range(_words(subject), low, high)
        case ("in", negated, subject, values, *_):
            return _in(_words(subject), values, negated=negated)
        case ("like", negated, subject, (kind, text)):
            return f"{_words(subject)} {'not ' if negated else ''}like {kind} {text!r}"
        case ("null", negated, subject):
            return f"{_words(subject)} is {'not ' if negated else ''}null"
        case ("compare", op, frozenset() as sides):
            return f" {op} ".join(sorted(map(_words, sides)))
        case ("compare", op, (left, right)):
            return f"{_words(left)} {op} {_words(right)}"
        case ("in_query", negated, subject, query):
            return f"{_words(subject)} {'not ' if negated else ''}in ({_words(query)})"
        case ("op", op, frozenset() as counted):
            return f"({f' {op} '.join(sorted(_words(one) for one, times in counted for _ in range(times)))})"
        case ("op", op, left, right):
            return f"({_words(left)} {op} {_words(right)})"
        case ("func", name, args):
            return f"{name}({', '.join(map(_words, args))})"
        case ("text", text):
            return repr(text)
        case ("query", selected, *_):
            return f"select {', '.join(map(_words, selected))}"
        case (str() as kind, *parts):
            return f"{kind}({', '.join(_words(part) for part in parts if part not in ((), frozenset(), False))})"
        case tuple():
            return _words(key[0]) if len(key) == 2 and isinstance(key[0], frozenset) else ", ".join(map(_words, key))
        case _:
            return str(key)


def _is_join(key: frozenset[Any]) -> bool:
    return len(key) == 2 and all(hasattr(one, "table") for one in key)


def _is_tables(counted: tuple[Any, ...]) -> bool:
    return all(isinstance(one, str) for one in counted) and not hasattr(counted, "table") and counted[0] not in _KINDS


_KINDS = ("op", "func", "case", "agg", "text", "query", "window", "opaque", "star", "either", "phrase")


def _any_of(key: frozenset[Any]) -> str:
    words = sorted(map(_words, key))
    return words[0] if len(words) == 1 else f"({' or '.join(words)})"


def _range(subject: str, low: Any, high: Any) -> str:
    if low is not None and high is not None and low[0] == high[0] and low[1] and high[1]:
        return f"{subject} = {_words(low[0])}"
    ends = []
    if low is not None:
        ends.append(f"{subject} {'>=' if low[1] else '>'} {_words(low[0])}")
    if high is not None:
        ends.append(f"{subject} {'<=' if high[1] else '<'} {_words(high[0])}")
    return " and ".join(ends) or subject


def _in(subject: str, values: Any, *, negated: bool) -> str:
    words = sorted(map(_words, values)) if isinstance(values, frozenset) else [str(values)]
    if len(words) == 1:
        return f"{subject} {'<>' if negated else '='} {words[0]}"
    return f"{subject} {'not ' if negated else ''}in ({', '.join(words)})"
