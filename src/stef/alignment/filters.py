"""Required filters against the filters in force: the states, what nobody asked for, and the class."""

from dataclasses import replace

from stef.alignment.answers import as_answered, as_covered, as_required, best_answer, in_parts, is_turned, span_of
from stef.alignment.classify import classify_filters
from stef.alignment.elsewhere import answered_elsewhere
from stef.alignment.extras import as_extra, asked_for, is_structural, speaks_of, stands_alone
from stef.alignment.facts import Facts, Placed, Reach
from stef.alignment.ground import Ground, Grounds, fold
from stef.alignment.match import tie_expr
from stef.alignment.policy import Policy, RuleClause
from stef.alignment.required import Wanted
from stef.records.alignment import ExtraFilter, FiltersAligned, FilterState, Origin, RequiredFilter
from stef.records.expressions import Column
from stef.sql.describe import describe_clause

_TIED = 0.5


def align_filters(wanted: tuple[Wanted, ...], facts: Facts, policy: Policy, grounds: Grounds) -> FiltersAligned:
    """The states of `wanted` and of the policy's mandatory filters, the extras, and their class."""
    used: set[int] = set()
    if policy.critical:
        wanted = tuple(replace(want, critical=_is_critical(want, policy, grounds.both)) for want in wanted)
    asked = [_answered(want, wanted, facts, grounds.both, used) for want in wanted]
    unmet = tuple(
        predicate
        for want, one in zip(wanted, asked, strict=True)
        if one.state is FilterState.ABSENT
        for predicate in want.clause.predicates
    )
    required = _settle(asked, wanted)
    required.extend(_mandatory(policy, facts, used))
    extras: list[ExtraFilter] = []
    for place, placed in enumerate(facts.placed):
        if place in used or not stands_alone(placed):
            continue
        mentioned = asked_for(placed, grounds)
        if mentioned is not None:
            required.append(mentioned)
        elif not is_structural(placed.clause, facts):
            extras.append(as_extra(placed.clause, facts, policy, unmet, grounds.both))
    done = tuple(required), tuple(extras)
    return FiltersAligned(classify_filters(*done), *done)


def _answered(want: Wanted, wanted: tuple[Wanted, ...], facts: Facts, ground: Ground, used: set[int]) -> RequiredFilter:
    """What became of a wanted filter; the places of the filters that answer it go into `used`."""
    # "did not have a concert in 2014": the year stands inside what is left out.
    negation = any(one.negated for one in wanted)
    answer = best_answer(want.clause, facts.placed, ground, negated=negation)
    if answer is None or answer.match.state is FilterState.ALTERED:
        other = answered_elsewhere(want, facts, ground)
        if other is not None and (answer is None or other.state is FilterState.APPLIED):
            used.update(other.places)
            return as_answered(want, other)
    if answer is not None:
        used.add(answer.place)
        if not negation and is_turned(answer, facts.placed) and ground.negates:
            # The question says "not", and no filter of its own took that up: this is where the SQL has it.
            answer = replace(
                answer, match=replace(answer.match, state=FilterState.APPLIED, why="the question says not")
            )
        return as_required(want, answer, facts.placed)
    parts = in_parts(want.clause, facts.placed)
    used.update(parts)
    found = as_covered(want, [facts.placed[place].clause for place in parts], facts)
    if found.state is FilterState.ABSENT and want.settles and _is_shown(want, facts):
        return replace(found, state=FilterState.UNDECIDED, why="the column that tells is shown")
    return found


def _is_shown(want: Wanted, facts: Facts) -> bool:
    """Whether the SQL shows the very column that a hint explains: "is it carcinogenic?" answered by its label."""
    subject = want.clause.predicates[0].subject
    return isinstance(subject, Column) and any(
        isinstance(one.expr, Column) and one.expr.name == subject.name for one in facts.projections
    )


def _is_critical(want: Wanted, policy: Policy, ground: Ground) -> bool:
    """Whether a wanted filter is about a critical column: by its words, or by a business name of a stored value."""
    for predicate in want.clause.predicates:
        if any(tie_expr(predicate.subject, Column(name), ground) >= _TIED for name in policy.critical):
            return True
        for value in predicate.values:
            pairs = policy.values.get(fold(value.text).strip(), frozenset())
            if any(column in policy.critical for column, _ in pairs):
                return True
    return False


def _settle(required: list[RequiredFilter], wanted: tuple[Wanted, ...]) -> list[RequiredFilter]:
    """Without those that an applied hint settles: it spells out the very words that ask for them."""
    hints = [
        want
        for want, filter_ in zip(wanted, required, strict=True)
        if want.settles and filter_.state is FilterState.APPLIED
    ]
    return [
        filter_
        for want, filter_ in zip(wanted, required, strict=True)
        if want.settles
        or filter_.state in (FilterState.APPLIED, FilterState.UNDECIDED)
        or not any(hint.speaks_of(want) for hint in hints)
    ]


def _mandatory(policy: Policy, facts: Facts, used: set[int]) -> list[RequiredFilter]:
    """The filters that the rules make mandatory for these tables; the places of those in force go into `used`."""
    rules = [rule for rule in policy.mandatory if rule.holds_for(facts.tables)]
    return [_in_force(rule, facts.placed, used) for rule in rules]


def _in_force(rule: RuleClause, placed: list[Placed], used: set[int]) -> RequiredFilter:
    why = f"{rule.rule}: {rule.why}" if rule.why else rule.rule
    found = RequiredFilter(describe_clause(rule.clause), Origin.RULE, FilterState.ABSENT, None, why, critical=True)
    for place, candidate in enumerate(placed):
        if candidate.reach not in (Reach.ALL, Reach.PART) or not speaks_of(rule, candidate.clause):
            continue
        used.add(place)
        state = FilterState.APPLIED if candidate.reach is Reach.ALL else FilterState.ALTERED
        clause = candidate.clause
        found = replace(found, state=state, applied_by=describe_clause(clause), sql_span=span_of(clause))
        if state is FilterState.APPLIED:
            break
    return found
