"""Conjunctive normal form: OR over AND, what is said twice, what one clause implies of another.

Everything here is bounded: a disjunction that would need more than 64 clauses, or a clause of more than 64 literals,
is not written out.
"""

from collections.abc import Iterable
from dataclasses import replace

from stef.records.expressions import Expr, Literal, Span
from stef.records.predicates import Clause, Interval, Op, Predicate, Scope
from stef.sql.intervals import intersect, point, unite
from stef.sql.trees import predicate_key, value_key
from stef.sql.walk import Cnf

MAX_CLAUSES = 64
MAX_LITERALS = 64
MAX_SUBSUMED = 256
"""Clauses among which those implied by others are looked for; more are left as they are."""


def disjoin(parts: list[Cnf]) -> Cnf | None:
    """The disjunction of `parts`; None where it is too large to be written out."""
    base: list[Predicate] = []
    products: list[Cnf] = []
    for part in parts:
        if not part:
            return []
        if len(part) == 1:
            base.extend(part[0])
        else:
            products.append(part)
    merged = any_of(base)
    if len(merged) > MAX_LITERALS:
        return None
    result: list[tuple[Predicate, ...]] = [merged]
    for product in products:
        product = subsume(product)  # noqa: PLW2901
        if len(result) * len(product) > MAX_CLAUSES * 4:
            return None
        result = subsume([any_of([*clause, *other]) for clause in result for other in product])
        if len(result) > MAX_CLAUSES or any(len(clause) > MAX_LITERALS for clause in result):
            return None
    return result


def any_of(predicates: list[Predicate]) -> tuple[Predicate, ...]:
    """A clause without repetition, in which equalities on one subject are one set, and ranges that meet one range."""
    if len(predicates) <= 1:
        return tuple(predicates)
    sets: dict[Expr, list[Predicate]] = {}
    excluded: dict[Expr, list[Predicate]] = {}
    ranges: dict[Expr, list[Predicate]] = {}
    others: dict[Predicate, None] = {}
    for predicate in predicates:
        if predicate.op is Op.IN:
            target = excluded if predicate.negated else sets
            target.setdefault(predicate.subject, []).append(predicate)
        elif predicate.op is Op.RANGE:
            ranges.setdefault(predicate.subject, []).append(predicate)
        else:
            others[predicate] = None
    result = list(others)
    result.extend(_all_but(subject, group, sets) for subject, group in excluded.items())
    result.extend(_one_set(group) if len(group) > 1 else group[0] for group in sets.values())
    for group in ranges.values():
        result.extend(_united(group) if len(group) > 1 else group)
    if len(result) > 1:
        result = _without_narrower(result)
        result.sort(key=predicate_key)
    return tuple(result)


def _without_narrower(predicates: list[Predicate]) -> list[Predicate]:
    """Beside `x IS NOT NULL`, the tests that only non-null values of x pass add nothing to an OR."""
    present = {item.subject for item in predicates if item.op is Op.NULL and item.negated}
    if not present:
        return predicates
    kept = [item for item in predicates if item.subject not in present or item.op not in _NON_NULL]
    return list(dict.fromkeys(kept))


_NON_NULL = (Op.IN, Op.RANGE, Op.LIKE)


def _all_but(subject: Expr, group: list[Predicate], sets: dict[Expr, list[Predicate]]) -> Predicate:
    """`x <> 1 OR x <> 2` holds for every x; `x NOT IN (1, 2) OR x = 1` for all but 2."""
    also = sets.pop(subject, [])
    if len(group) == 1 and not also:
        return group[0]
    allowed = {value for predicate in also for value in predicate.values}
    common = set(group[0].values).intersection(*(item.values for item in group[1:])) - allowed
    if not common:
        return _not_null(replace(group[0], span=hull(item.span for item in (*group, *also))))
    return replace(group[0], values=sorted_values(value for value in group[0].values if value in common))


def _one_set(group: list[Predicate]) -> Predicate:
    values = sorted_values(value for predicate in group for value in predicate.values)
    return replace(
        group[0], values=values, folded=any(item.folded for item in group), span=hull(item.span for item in group)
    )


def _united(group: list[Predicate]) -> list[Predicate]:
    if len(group) > MAX_LITERALS:
        return list(dict.fromkeys(group))
    result: list[Predicate] = []
    for predicate in sorted(group, key=predicate_key):
        for index, other in enumerate(result):
            union = unite(other.interval or Interval(), predicate.interval or Interval())
            if union is not None or other == predicate:
                result[index] = replace(
                    other, interval=union or other.interval, span=hull((other.span, predicate.span))
                )
                break
        else:
            result.append(predicate)
    return [_not_null(item) if item.interval == Interval() else item for item in result]


def _not_null(predicate: Predicate) -> Predicate:
    return Predicate(predicate.subject, Op.NULL, True, span=predicate.span)


def sorted_values(values: Iterable[Literal]) -> tuple[Literal, ...]:
    """Constants without repetition, in order."""
    unique = dict.fromkeys(values)
    if len(unique) == 1:
        return tuple(unique)
    return tuple(sorted(unique, key=lambda literal: value_key(literal.value)))


def subsume(clauses: Cnf) -> Cnf:
    """The clauses without those that another one already implies by holding a part of their literals."""
    unique = list(dict.fromkeys(clauses))
    if len(unique) < 2 or len(unique) > MAX_SUBSUMED:
        return unique
    sets = [frozenset(clause) for clause in unique]
    kept: list[tuple[Predicate, ...]] = []
    for index, clause in enumerate(unique):
        mine = sets[index]
        if not any(
            len(unique[other]) <= len(clause) and other != index and _covers(unique[other], mine)
            for other in range(len(unique))
        ):
            kept.append(clause)
    return kept


def _covers(clause: tuple[Predicate, ...], literals: frozenset[Predicate]) -> bool:
    """Whether each literal of `clause` is among `literals`, itself or as the `x IS NOT NULL` that it implies."""
    return all(item in literals or (item.op in _NON_NULL and _not_null(item) in literals) for item in clause)


def hull(spans: Iterable[Span | None]) -> Span | None:
    """The stretch of text that covers all `spans`."""
    known = [span for span in spans if span is not None]
    if len(known) < 2:
        return known[0] if known else None
    return min(span[0] for span in known), max(span[1] for span in known)


def to_clauses(cnf: Cnf, scope: Scope) -> list[Clause]:
    """The clauses of a conjunction as records, where they stood in `scope`."""
    return [Clause(predicates, scope, _span(predicates)) for predicates in cnf]


def _span(predicates: tuple[Predicate, ...]) -> Span | None:
    return predicates[0].span if len(predicates) == 1 else hull(predicate.span for predicate in predicates)


def conjoin(clauses: list[Clause]) -> list[Clause]:
    """A conjunction without repetition; ranges, exclusions and null tests of one subject are merged."""
    if len(clauses) < 2:
        return clauses
    result: list[Clause] = []
    seen: set[Clause] = set()
    ranges: dict[Expr, int] = {}
    excluded: dict[Expr, list[Clause]] = {}
    for clause in clauses:
        if clause in seen:
            continue
        seen.add(clause)
        predicate = clause.predicates[0] if len(clause.predicates) == 1 else None
        if predicate is not None and clause.scope is not Scope.OUTER_JOIN:
            if predicate.op is Op.IN and predicate.negated:
                group = excluded.setdefault(predicate.subject, [])
                group.append(clause)
                if len(group) > 1:
                    continue
            elif predicate.op is Op.RANGE and _narrows(result, ranges, predicate):
                continue
        result.append(clause)
    if any(len(group) > 1 for group in excluded.values()):
        result = [_none_of(clause, excluded) for clause in result]
    return _without_implied(result)


def _narrows(result: list[Clause], ranges: dict[Expr, int], predicate: Predicate) -> bool:
    """Whether a range could be merged into an earlier one on the same subject."""
    index = ranges.get(predicate.subject)
    if index is None:
        ranges[predicate.subject] = len(result)
        return False
    merged = _both(result[index].predicates[0], predicate)
    if merged is None:
        return False
    result[index] = Clause((merged,), result[index].scope, merged.span)
    return True


def _none_of(clause: Clause, excluded: dict[Expr, list[Clause]]) -> Clause:
    predicate = clause.predicates[0] if len(clause.predicates) == 1 else None
    group = excluded.get(predicate.subject) if predicate is not None else None
    if predicate is None or group is None or group[0] is not clause:
        return clause
    merged = _one_set([item.predicates[0] for item in group])
    return Clause((merged,), clause.scope, merged.span)


def _both(left: Predicate, right: Predicate) -> Predicate | None:
    if left.interval is None or right.interval is None:
        return None
    interval = intersect(left.interval, right.interval)
    if interval is None:
        return None
    span = hull((left.span, right.span))
    only = point(interval)
    if only is not None:
        return Predicate(left.subject, Op.IN, values=(only,), span=span)
    return replace(left, interval=interval, span=span)


def _without_implied(clauses: list[Clause]) -> list[Clause]:
    """Drop `x IS NOT NULL` beside a test that only non-null values pass, and clauses that shorter ones imply."""
    tested = {
        predicate.subject
        for clause in clauses
        if len(clause.predicates) == 1 and clause.scope is not Scope.OUTER_JOIN
        for predicate in clause.predicates
        if predicate.op in (Op.IN, Op.RANGE, Op.LIKE, Op.COMPARE)
    }
    if tested:
        clauses = [clause for clause in clauses if not _is_not_null(clause, tested)]
    if any(len(clause.predicates) > 1 for clause in clauses):
        kept = {id(predicates) for predicates in subsume([clause.predicates for clause in clauses])}
        clauses = [clause for clause in clauses if id(clause.predicates) in kept]
    return clauses


def _is_not_null(clause: Clause, tested: set[Expr]) -> bool:
    if len(clause.predicates) != 1:
        return False
    predicate = clause.predicates[0]
    return predicate.op is Op.NULL and predicate.negated and predicate.subject in tested
