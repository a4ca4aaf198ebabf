"""Self-joins: which instance of a table in one query is which in another."""

from collections.abc import Hashable, Mapping
from dataclasses import replace
from itertools import combinations, permutations, product
from math import perm, prod

from stef.sql.resolve.keys import Col
from stef.sql.resolve.numbering import Instance
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
    choices = [_Choice(table, _numbers(own.get(table)), _numbers(theirs.get(table))) for table in tables]
    best = _Best(reference, candidate)
    if prod(perm(len(choice.targets), len(choice.mine)) for choice in choices) > MAX_TRIED:
        _exchange(best, choices)
    else:
        for chosen in product(*(choice.all() for choice in choices)):
            if best.whole:
                break
            best.offer({key: number for names in chosen for key, number in names.items()})
    return best.found


class _Choice:
    """The instances of one table in the candidate, and the numbers that they can be given."""

    __slots__ = ("mine", "targets")

    def __init__(self, table: str, mine: list[int], others: list[int]) -> None:
        self.mine = [Instance(table, number) for number in mine]
        # More than the reference has: the rest gets numbers that it does not have.
        self.targets = [*others, *range(100, 100 + max(0, len(mine) - len(others)))]

    def all(self) -> list[dict[Instance, int]]:
        """Every way to number them."""
        return [dict(zip(self.mine, chosen, strict=True)) for chosen in permutations(self.targets, len(self.mine))]


class _Best:
    """The naming of the candidate's instances that meets the reference best so far."""

    __slots__ = ("_candidate", "_most", "_perfect", "_reference", "found")

    def __init__(self, reference: Resolved, candidate: Resolved) -> None:
        self._reference, self._candidate = reference, candidate
        self.found = candidate
        self._most = _agreement(reference, candidate)
        self._perfect = _members(reference)

    @property
    def whole(self) -> bool:
        """Whether all of the reference is met."""
        return self._most == self._perfect

    def offer(self, names: Names) -> bool:
        """Take `names` if more of the reference is met by them."""
        renamed = _renamed(self._candidate, names)
        agreement = _agreement(self._reference, renamed)
        better = agreement > self._most
        if better:
            self.found, self._most = renamed, agreement
        return better


def _exchange(best: _Best, choices: list[_Choice]) -> None:
    """Exchange numbers of two instances as long as that helps; what comes out need not be the very best."""
    targets = [list(choice.targets) for choice in choices]

    def names() -> dict[Instance, int]:
        return {
            key: number
            for choice, numbers in zip(choices, targets, strict=True)
            for key, number in zip(choice.mine, numbers, strict=False)
        }

    tried, better = 0, True
    while better and not best.whole:
        better = False
        for numbers in targets:
            for first, second in combinations(range(len(numbers)), 2):
                if tried >= MAX_TRIED:
                    return
                tried += 1
                numbers[first], numbers[second] = numbers[second], numbers[first]
                if best.offer(names()):
                    better = True
                else:
                    numbers[first], numbers[second] = numbers[second], numbers[first]


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
