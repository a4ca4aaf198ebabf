"""Self-joins: which instance of a table in one query is which in another."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations, product
from math import perm

from stef.sql.resolve.keys import Col, Instance
from stef.sql.resolve.resolved import Added, Member, Resolved

MAX_TRIED = 720
"""Ways to name the instances that are tried one by one; above it, pairs are exchanged as long as that helps."""

Names = Mapping[Instance, int]


def matched(reference: Resolved, candidate: Resolved) -> Resolved:
    """`candidate` with the instances of its tables named as in `reference`: so that the most joins and filters meet.

    `FROM t AS a JOIN t AS b` and `FROM t AS b JOIN t AS a` are one query, and so are their origins afterwards. Where
    neither reads a table twice, it is the candidate itself.
    """
    own, theirs = dict(candidate.instances), dict(reference.instances)
    tables = sorted((own.keys() | theirs.keys()) & (candidate.tables | reference.tables))
    if not tables:
        return candidate
    best, most = candidate, _agreement(reference, candidate)
    whole = _members(reference)
    for names in _namings(tables, own, theirs):
        if most == whole:
            break
        renamed = _renamed(candidate, names)
        agreement = _agreement(reference, renamed)
        if agreement > most:
            best, most = renamed, agreement
    return best


def _namings(tables: list[str], own: Mapping[str, int], theirs: Mapping[str, int]) -> Iterator[Names]:
    """The ways to name the candidate's instances after the reference's, as many as are tried."""
    options: list[list[dict[Instance, int]]] = []
    tried = 1
    for table in tables:
        mine, others = _numbers(own.get(table)), _numbers(theirs.get(table))
        # More than the reference has: the rest gets numbers that it does not have.
        targets = [*others, *range(100, 100 + max(0, len(mine) - len(others)))]
        tried *= perm(len(targets), len(mine))
        if tried > MAX_TRIED:
            break
        keys = [Instance(table, number) for number in mine]
        options.append([dict(zip(keys, chosen, strict=True)) for chosen in permutations(targets, len(mine))])
    for chosen in product(*options):
        yield {key: number for names in chosen for key, number in names.items()}


def _numbers(count: int | None) -> list[int]:
    return list(range(count or 1))


def _agreement(reference: Resolved, candidate: Resolved) -> tuple[int, int]:
    """Members in common: what ties and picks the instances first, then what is shown of them."""
    frame = len(reference.joins & candidate.joins) + len(reference.filters & candidate.filters)
    shown = sum(item is not None and item in reference.origins for item in candidate.origins)
    shown += sum(len(left & right) for left, right in zip(_shown(reference), _shown(candidate), strict=True))
    return frame, shown


def _members(resolved: Resolved) -> tuple[int, int]:
    frame = len(resolved.joins) + len(resolved.filters)
    return frame, sum(item is not None for item in resolved.origins) + sum(map(len, _shown(resolved)))


def _shown(resolved: Resolved) -> tuple[frozenset[Member], ...]:
    return resolved.projections, resolved.aggregations, resolved.grouping, frozenset(resolved.ordering)


def _renamed(item: Resolved, names: Names) -> Resolved:
    def members(found: frozenset[Member]) -> frozenset[Member]:
        return frozenset(_key(member, names) for member in found)

    extra = item.added
    return replace(
        item,
        origins=tuple(_key(origin, names) for origin in item.origins),
        joins=members(item.joins),
        projections=members(item.projections),
        filters=members(item.filters),
        filters_without_values=members(item.filters_without_values),
        aggregations=members(item.aggregations),
        grouping=members(item.grouping),
        ordering=tuple((_key(key, names), descending) for key, descending in item.ordering),
        added=Added(
            members(extra.projections),
            members(extra.filters),
            members(extra.filters_without_values),
            extra.order,
            extra.limit,
        ),
    )


def _key(key: Hashable, names: Names) -> Hashable:
    if type(key) is Col:
        number = names.get(Instance(key.table, key.instance))
        return key if number is None else key._replace(instance=number)
    if type(key) is tuple:
        return tuple(_key(item, names) for item in key)
    if type(key) is frozenset:
        return frozenset(_key(item, names) for item in key)
    return key
