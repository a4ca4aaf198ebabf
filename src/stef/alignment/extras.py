"""Filters in force that no asked filter took: mentioned after all, needed by SQL itself, under a rule, or extra."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from stef.alignment.answers import span_of
from stef.alignment.facts import Facts, Placed, Reach
from stef.alignment.ground import Ground, Grounds
from stef.alignment.intervals import numeric
from stef.alignment.match import tie_expr
from stef.alignment.policy import Policy, RuleClause
from stef.records.alignment import ExtraFilter, FilterState, Origin, RequiredFilter
from stef.records.expressions import Agg, Column, Expr, Relative, Subquery
from stef.records.predicates import Bound, Clause, Op, Predicate
from stef.sql.compare import compatible, same_predicate
from stef.sql.describe import describe_clause

_RECENT = ("last", "past", "recent", "current", "today", "now", "yesterday", "ago", "this", "latest", "previous", "to")
_RECENT_FOLDED = tuple(f" {word} " for word in _RECENT)


def stands_alone(placed: Placed) -> bool:
    """Whether a clause filters by itself: a join, or a subquery whose own filters are listed, does not."""
    return any(
        predicate.op in (Op.IN, Op.RANGE, Op.LIKE, Op.NULL)
        or (predicate.op is Op.HOLDS and not isinstance(predicate.subject, Subquery))
        for predicate in placed.clause.predicates
    )


def asked_for(placed: Placed, grounds: Grounds) -> RequiredFilter | None:
    """The clause as an asked filter, where the turn mentions every constant of it; else None.

    What only an invention of the enriched question mentions is not asked for.
    """
    if _all_grounded(placed, grounds.question):
        origin = Origin.QUESTION
    elif _all_grounded(placed, grounds.both) and not _any_invented(placed, grounds.invented):
        origin = Origin.ENRICHED
    else:
        return None
    text = describe_clause(placed.clause)
    partly = placed.reach is Reach.PART or (placed.reach is Reach.EITHER and not grounds.both.alternatives)
    state = FilterState.ALTERED if partly else FilterState.APPLIED
    why = "in force on a part of the rows only" if partly else ""
    return RequiredFilter(text, origin, state, text, why, sql_span=span_of(placed.clause))


def _all_grounded(placed: Placed, ground: Ground) -> bool:
    return all(_grounded(predicate, ground) for predicate in placed.clause.predicates)


def _any_invented(placed: Placed, invented: Ground | None) -> bool:
    return invented is not None and any(
        predicate.op in (Op.IN, Op.RANGE, Op.LIKE) and _grounded(predicate, invented)
        for predicate in placed.clause.predicates
    )


def _grounded(predicate: Predicate, ground: Ground) -> bool:
    match predicate.op:
        case Op.IN:
            return all(ground.mentions(value, predicate.subject) for value in predicate.values)
        case Op.LIKE:
            text = "" if predicate.pattern is None else predicate.pattern.text.replace("%", " ").replace("_", " ")
            return bool(text.strip()) and ground.mentions_text(text)
        case Op.RANGE:
            ends = () if predicate.interval is None else (predicate.interval.low, predicate.interval.high)
            return all(_bound_grounded(bound, predicate.subject, ground) for bound in ends if bound is not None)
        case Op.NULL | Op.HOLDS:
            return ground.names_expr(predicate.subject, tables=False) >= 0.5
        case _:
            return True


def _bound_grounded(bound: Bound, subject: Expr, ground: Ground) -> bool:
    value = bound.value
    if isinstance(value, Relative):
        return any(word in ground.text for word in _RECENT_FOLDED)
    if isinstance(value, datetime):
        last = value if bound.inclusive else value - timedelta(days=1)
        return float(value.year) in ground.numbers or float(last.year) in ground.numbers
    if bound.literal is not None:
        return ground.mentions(bound.literal, subject)
    return isinstance(value, int | float) and float(value) in ground.numbers


def is_structural(clause: Clause, facts: Facts) -> bool:
    """What SQL needs for itself: a guard against NULL on a column that is sorted, counted or computed with."""
    if len(clause.predicates) != 1:
        return False
    predicate = clause.predicates[0]
    if isinstance(predicate.subject, Agg) and predicate.op is Op.RANGE and predicate.interval is not None:
        low, high = predicate.interval.low, predicate.interval.high
        # Groups with at least one row, which all groups have.
        return high is None and low is not None and (low.value, low.inclusive) in ((0, False), (1, True))
    if isinstance(predicate.subject, Agg) and predicate.op is Op.IN and not predicate.negated:
        # "Both A and B" as IN ('A', 'B') with two of them counted.
        wanted = {numeric(value) for value in predicate.values}
        return any(wanted == {float(size)} for size in _set_sizes(facts))
    if predicate.op is not Op.NULL or not predicate.negated or not isinstance(predicate.subject, Column):
        return False
    name = predicate.subject.name
    return sum(column.name == name for column in facts.columns) > 1


def _set_sizes(facts: Facts) -> Iterator[int]:
    for placed in facts.placed:
        for predicate in placed.clause.predicates:
            if predicate.op is Op.IN and len(predicate.values) > 1:
                yield len(predicate.values)


def as_extra(clause: Clause, facts: Facts, policy: Policy, unmet: tuple[Predicate, ...], ground: Ground) -> ExtraFilter:
    """The clause as an extra, with the rule that covers it.

    A rule that takes any constant does not cover one that stands in place of an asked one (`unmet`).
    """
    subject = clause.predicates[0].subject
    for rule in policy.benign:
        if not rule.holds_for(facts.tables) or not speaks_of(rule, clause):
            continue
        if rule.any_value and any(tie_expr(one.subject, subject, ground) >= 0.5 for one in unmet):
            continue
        return ExtraFilter(describe_clause(clause), rule.rule, rule.why, span_of(clause))
    return ExtraFilter(describe_clause(clause), sql_span=span_of(clause))


def speaks_of(rule: RuleClause, done: Clause) -> bool:
    """Whether `done` is the very filter of the rule: the same column is not enough."""
    asked = rule.clause.predicates
    if len(asked) != len(done.predicates):
        return False
    if rule.any_value:
        return all(p.op is Op.IN and not p.negated and compatible(asked[0].subject, p.subject) for p in done.predicates)
    return all(any(same_predicate(r, d) for d in done.predicates) for r in asked)
