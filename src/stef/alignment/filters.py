"""Required filters against the filters in force: the states, and what nobody asked for."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from stef.alignment.classify import classify_filters
from stef.alignment.facts import Facts, Placed, Reach
from stef.alignment.ground import Ground, fold
from stef.alignment.intervals import numeric
from stef.alignment.match import Match, match, opposite
from stef.alignment.policy import Policy, RuleClause
from stef.alignment.required import Wanted
from stef.records.alignment import ExtraFilter, FiltersAligned, FilterState, Origin, RequiredFilter
from stef.records.expressions import Agg, Column, Expr, Relative, Subquery
from stef.records.predicates import Bound, Clause, Op, Predicate
from stef.sql.compare import compatible, same_predicate
from stef.sql.describe import describe_clause

_RANK = {FilterState.APPLIED: 3, FilterState.ALTERED: 2, FilterState.OPPOSED: 1, FilterState.ABSENT: 0}
_RECENT = ("last", "past", "recent", "current", "today", "now", "yesterday", "ago", "this", "latest", "previous", "to")


@dataclass(frozen=True, slots=True)
class _Answer:
    """The filter that answers a wanted one best: its place, and what it does."""

    place: int
    match: Match


def align_filters(
    wanted: tuple[Wanted, ...], facts: Facts, policy: Policy, ground: Ground, enriched_ground: Ground
) -> FiltersAligned:
    """The states of `wanted` and of the policy's mandatory filters, the extras, and their class.

    `ground` holds the words of the question alone, `enriched_ground` those of both.
    """
    # "did not have a concert in 2014": the year stands inside what is left out.
    negation = any(want.negated for want in wanted)
    used: set[int] = set()
    required: list[RequiredFilter] = []
    for want in wanted:
        answer = _best(want.clause, facts.placed, enriched_ground, negated=want.negated or negation)
        if answer is not None:
            used.add(answer.place)
            required.append(_as_required(want, answer, facts.placed, policy))
            continue
        parts = _in_parts(want.clause, facts.placed)
        used.update(parts)
        required.append(_as_covered(want, [facts.placed[place].clause for place in parts], facts))
    required = _settle(required, wanted)
    mandatory = tuple(rule for rule in policy.mandatory if rule.holds_for(facts.tables))
    required.extend(_mandatory(mandatory, facts.placed, used))
    extras: list[ExtraFilter] = []
    for place, placed in enumerate(facts.placed):
        if place in used or not _stands_alone(placed):
            continue
        origin = _asked_for(placed, ground, enriched_ground)
        if origin is not None:
            text = describe_clause(placed.clause)
            state = FilterState.APPLIED if placed.reach is not Reach.PART else FilterState.ALTERED
            why = "" if state is FilterState.APPLIED else "in force on a part of the rows only"
            required.append(RequiredFilter(text, origin, state, text, why, sql_span=_span(placed.clause)))
        elif not _is_structural(placed.clause, facts):
            extras.append(_as_extra(placed.clause, facts, policy))
    done = tuple(required), tuple(extras)
    return FiltersAligned(classify_filters(*done), *done)


def _best(asked: Clause, placed: list[Placed], ground: Ground, *, negated: bool) -> _Answer | None:
    """The placed clause that answers `asked` best: by state, then by how surely it is about the same thing."""
    best: _Answer | None = None
    best_key = (-1, -1.0)
    for place, candidate in enumerate(placed):
        found = _match_clause(asked, candidate, ground, negated=negated)
        if found is None:
            continue
        key = (_RANK[found.state], found.tie)
        if key > best_key:
            best, best_key = _Answer(place, found), key
    return best


def _match_clause(asked: Clause, placed: Placed, ground: Ground, *, negated: bool) -> Match | None:
    if placed.reach is not Reach.EXCLUDED:
        return _match_standing(asked, placed, ground)
    # What is left out is asked for either by its opposite, or as it stands beside a "not" elsewhere.
    for want in (opposite(asked), asked if negated else None):
        found = None if want is None else _match_standing(want, placed, ground)
        if found is not None and found.state in (FilterState.APPLIED, FilterState.ALTERED):
            return found
    found = _match_standing(asked, placed, ground)
    if found is not None and found.state is FilterState.APPLIED:
        return Match(FilterState.OPPOSED, found.tie, "these rows are left out")
    return found


def _match_standing(asked: Clause, placed: Placed, ground: Ground) -> Match | None:
    done = placed.clause.predicates
    found: Match | None = None
    for want in asked.predicates:
        for predicate in done:
            one = match(want, predicate, ground)
            if one is not None and (found is None or _RANK[one.state] > _RANK[found.state]):
                found = one
    if found is None:
        return None
    if found.state is not FilterState.APPLIED or (ground.alternatives and placed.lone):
        return found
    if len(done) > 1 and len(asked.predicates) == 1:
        return Match(FilterState.ALTERED, found.tie, "behind an OR, so not in force on every row")
    if placed.reach is Reach.PART:
        return Match(FilterState.ALTERED, found.tie, "in force on a part of the rows only")
    return found


def _in_parts(asked: Clause, placed: list[Placed]) -> list[int]:
    """The places of filters that hold an asked value word by word: a full name as first and last name."""
    values = asked.predicates[0].values
    if len(asked.predicates) != 1 or len(values) != 1 or asked.predicates[0].negated:
        return []
    words = fold(values[0].text or str(values[0].value)).split()
    if len(words) < 2:
        return []
    places: list[int] = []
    rest = list(words)
    for place, candidate in enumerate(placed):
        predicate = candidate.clause.predicates[0]
        if len(candidate.clause.predicates) != 1 or predicate.op is not Op.IN or predicate.negated:
            continue
        part = fold(predicate.values[0].text).split()
        if part and all(word in rest for word in part):
            rest = [word for word in rest if word not in part]
            places.append(place)
    return [] if rest else places


def _as_covered(want: Wanted, parts: list[Clause], facts: Facts) -> RequiredFilter:
    """A wanted filter that no single filter answers: covered by several, by leaving rows out, or absent."""
    if parts:
        text = " and ".join(map(describe_clause, parts))
        return RequiredFilter(
            want.text,
            want.origin,
            FilterState.APPLIED,
            text,
            "value by value",
            want.critical,
            want.span,
            _span(parts[0]),
        )
    if want.leaves_out and facts.excludes:
        text = "rows of another set are left out"
        return RequiredFilter(want.text, want.origin, FilterState.APPLIED, text, "", want.critical, want.span)
    undecided = want.undecidable and _has_dates(facts.placed)
    state = FilterState.UNDECIDED if undecided else FilterState.ABSENT
    why = "a relative period, and no timestamp to read it by" if undecided else ""
    return RequiredFilter(want.text, want.origin, state, None, why, want.critical, want.span)


def _as_required(want: Wanted, answer: _Answer, placed: list[Placed], policy: Policy) -> RequiredFilter:
    clause = placed[answer.place].clause
    critical = want.critical or any(
        isinstance(predicate.subject, Column) and predicate.subject.name in policy.critical
        for predicate in clause.predicates
    )
    return RequiredFilter(
        want.text,
        want.origin,
        answer.match.state,
        describe_clause(clause),
        answer.match.why,
        critical,
        want.span,
        _span(clause),
    )


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


def _mandatory(rules: tuple[RuleClause, ...], placed: list[Placed], used: set[int]) -> list[RequiredFilter]:
    found = []
    for rule in rules:
        state, applied_by, span = FilterState.ABSENT, None, None
        for place, candidate in enumerate(placed):
            if candidate.reach not in (Reach.ALL, Reach.PART) or not _speaks_of(rule, candidate.clause):
                continue
            used.add(place)
            state = FilterState.APPLIED if candidate.reach is Reach.ALL else FilterState.ALTERED
            applied_by, span = describe_clause(candidate.clause), _span(candidate.clause)
            if state is FilterState.APPLIED:
                break
        why = f"{rule.rule}: {rule.why}" if rule.why else rule.rule
        found.append(
            RequiredFilter(describe_clause(rule.clause), Origin.RULE, state, applied_by, why, True, None, span)
        )
    return found


def _speaks_of(rule: RuleClause, done: Clause) -> bool:
    """Whether `done` is the very filter of the rule: the same column is not enough."""
    asked = rule.clause.predicates
    if len(asked) != len(done.predicates):
        return False
    if rule.any_value:
        return all(p.op is Op.IN and not p.negated and compatible(asked[0].subject, p.subject) for p in done.predicates)
    return all(any(same_predicate(r, d) for d in done.predicates) for r in asked)


def _stands_alone(placed: Placed) -> bool:
    """Whether a clause filters by itself: a join, or a subquery whose own filters are listed, does not."""
    return any(
        predicate.op in (Op.IN, Op.RANGE, Op.LIKE, Op.NULL)
        or (predicate.op is Op.HOLDS and not isinstance(predicate.subject, Subquery))
        for predicate in placed.clause.predicates
    )


def _asked_for(placed: Placed, ground: Ground, enriched_ground: Ground) -> Origin | None:
    """Who mentions every constant of a clause that no required filter took; None if nobody does."""
    if all(_grounded(predicate, ground) for predicate in placed.clause.predicates):
        return Origin.QUESTION
    if all(_grounded(predicate, enriched_ground) for predicate in placed.clause.predicates):
        return Origin.ENRICHED
    return None


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


_RECENT_FOLDED = tuple(f" {word} " for word in _RECENT)


def _is_structural(clause: Clause, facts: Facts) -> bool:
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


def _as_extra(clause: Clause, facts: Facts, policy: Policy) -> ExtraFilter:
    for rule in policy.benign:
        if rule.holds_for(facts.tables) and _speaks_of(rule, clause):
            return ExtraFilter(describe_clause(clause), rule.rule, rule.why, _span(clause))
    return ExtraFilter(describe_clause(clause), sql_span=_span(clause))


def _has_dates(placed: list[Placed]) -> bool:
    for candidate in placed:
        for predicate in candidate.clause.predicates:
            if predicate.interval is not None:
                for bound in (predicate.interval.low, predicate.interval.high):
                    if bound is not None and isinstance(bound.value, datetime | Relative):
                        return True
    return False


def _span(clause: Clause) -> tuple[int, int] | None:
    if clause.span is not None:
        return clause.span
    spans = [predicate.span for predicate in clause.predicates if predicate.span is not None]
    return (min(s for s, _ in spans), max(e for _, e in spans)) if spans else None
