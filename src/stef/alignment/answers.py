"""The filter in force that answers a wanted one best, and what became of the wanted one."""

from datetime import datetime

from stef.alignment.elsewhere import Elsewhere
from stef.alignment.facts import Facts, Placed, Reach
from stef.alignment.ground import Ground, fold
from stef.alignment.match import match, opposite
from stef.alignment.match_result import Match
from stef.alignment.required import Wanted
from stef.records.alignment import FilterState, RequiredFilter
from stef.records.expressions import Relative, Span
from stef.records.predicates import Clause, Op
from stef.records.record import record
from stef.sql.describe import describe_clause

_RANK = {FilterState.APPLIED: 3, FilterState.ALTERED: 2, FilterState.OPPOSED: 1, FilterState.ABSENT: 0}


@record(frozen=True, slots=True)
class Answer:
    """The place of a filter in force, and what it does to a wanted one."""

    place: int
    match: Match


def best_answer(asked: Clause, placed: list[Placed], ground: Ground, *, negated: bool) -> Answer | None:
    """The placed clause that answers `asked` best: by state, then by how surely it is about the same thing."""
    best: Answer | None = None
    best_key = (-1, -1.0)
    for place, candidate in enumerate(placed):
        found = _match_clause(asked, candidate, ground, negated=negated)
        if found is None:
            continue
        key = (_RANK[found.state], found.tie)
        if key > best_key:
            best, best_key = Answer(place, found), key
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
    if found.state is not FilterState.APPLIED:
        return found
    behind_or = placed.reach is Reach.EITHER or (len(done) > 1 and len(asked.predicates) == 1)
    if behind_or and not (ground.alternatives and placed.lone):
        return Match(FilterState.ALTERED, found.tie, "behind an OR, so not in force on every row")
    if placed.reach is Reach.PART:
        return Match(FilterState.ALTERED, found.tie, "in force on a part of the rows only")
    return found


def is_turned(answer: Answer, placed: list[Placed]) -> bool:
    """Whether the answer opposes by a NOT alone: the same constants, negated or left out."""
    if answer.match.state is not FilterState.OPPOSED:
        return False
    found = placed[answer.place]
    return found.reach is Reach.EXCLUDED or any(predicate.negated for predicate in found.clause.predicates)


def in_parts(asked: Clause, placed: list[Placed]) -> list[int]:
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
    return [] if rest or len(places) < 2 else places


def as_required(want: Wanted, answer: Answer, placed: list[Placed]) -> RequiredFilter:
    """A wanted filter with the one that answers it."""
    clause = placed[answer.place].clause
    return RequiredFilter(
        want.text,
        want.origin,
        answer.match.state,
        describe_clause(clause),
        answer.match.why,
        want.critical,
        want.span,
        span_of(clause),
    )


def as_answered(want: Wanted, found: Elsewhere) -> RequiredFilter:
    """A wanted filter with what answers it elsewhere."""
    return RequiredFilter(want.text, want.origin, found.state, found.text, found.why, want.critical, want.span)


def as_covered(want: Wanted, parts: list[Clause], facts: Facts) -> RequiredFilter:
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
            span_of(parts[0]),
        )
    if want.leaves_out and facts.excludes:
        text = "rows of another set are left out"
        return RequiredFilter(want.text, want.origin, FilterState.APPLIED, text, "", want.critical, want.span)
    if _asks_for_any(want) and (facts.subqueries or len(facts.answer.sources) > 1):
        text = "only rows that another table has"
        return RequiredFilter(want.text, want.origin, FilterState.APPLIED, text, "", want.critical, want.span)
    undecided = want.undecidable and _has_dates(facts.placed)
    state = FilterState.UNDECIDED if undecided else FilterState.ABSENT
    why = "a relative period, and no timestamp to read it by" if undecided else ""
    return RequiredFilter(want.text, want.origin, state, None, why, want.critical, want.span)


def _asks_for_any(want: Wanted) -> bool:
    """ "At least one entry": rows that have any, which a join or a subquery keeps."""
    interval = want.clause.predicates[0].interval
    if len(want.clause.predicates) != 1 or interval is None or interval.low is None or interval.high is not None:
        return False
    return (interval.low.value, interval.low.inclusive) in ((1, True), (0, False))


def _has_dates(placed: list[Placed]) -> bool:
    for candidate in placed:
        for predicate in candidate.clause.predicates:
            if predicate.interval is not None:
                for bound in (predicate.interval.low, predicate.interval.high):
                    if bound is not None and isinstance(bound.value, datetime | Relative):
                        return True
    return False


def span_of(clause: Clause) -> Span | None:
    """Where a clause stands in the SQL, as far as that is known."""
    if clause.span is not None:
        return clause.span
    spans = [predicate.span for predicate in clause.predicates if predicate.span is not None]
    return (min(s for s, _ in spans), max(e for _, e in spans)) if spans else None
