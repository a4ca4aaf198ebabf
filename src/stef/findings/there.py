"""What a turn has, by name, so that a rule that needs it is called only where it is there."""

from collections.abc import Iterator, Mapping

from stef.alignment.facts import Facts
from stef.alignment.sides import Sides
from stef.records.expressions import Case, Func, Literal
from stef.records.predicates import Op

_SHOWN = {Case: "case_shown", Func: "function_shown", Literal: "constant_shown"}


def what_is_there(sides: Sides, pairs: Mapping[str, object]) -> Iterator[str]:
    """What a rule may name as its NEEDS, beside the codes of the notes; `pairs`: what is worked out already, by name.

    | name | a turn has it where |
    |---|---|
    | the state of a filter | a filter that is asked for came to it (`absent`, `altered`, …) |
    | `hints`, `tops_asked`, `extras` | there is an enriched question, a superlative asked, a filter nobody asked for |
    | `aggregates`, `functions`, `operators`, `subqueries`, `group_by`, `distinct` | the SQL has one, in any block |
    | `set_operation`, `excludes`, `order` | the SQL has one, leaves out the rows of a set, orders its answer |
    | `several_shown` | it shows two columns or more |
    | `case_shown`, `function_shown`, `constant_shown` | an output column is one |
    | `values`, `texts`, `numbers`, `ranges`, `patterns` | a filter tests for a value, a text, a number, … |
    | `joined`, `queried`, `ungrounded` | the Context has one of that name |
    """
    done = sides.done
    parts = {
        "aggregates": done.aggregates,
        "distinct": any(block.distinct for block, _ in done.blocks),
        "excludes": done.excludes,
        "extras": sides.filters.extras,
        "functions": done.functions,
        "group_by": done.group_by,
        "hints": sides.enriched is not None,
        "operators": done.operators,
        "order": done.order or done.answer.order,
        "set_operation": done.set_kinds,
        "several_shown": len(done.projections) > 1,
        "subqueries": done.subqueries,
        "tops_asked": sides.asked_tops,
        **pairs,
    }
    for name, part in parts.items():
        if part:
            yield name
    for filter_ in sides.filters.required:
        yield filter_.state
    for projection in done.projections:
        if (kind := _SHOWN.get(type(projection.expr))) is not None:
            yield kind
    yield from _tested(done)


def _tested(done: Facts) -> Iterator[str]:
    """What the filters of the SQL test for."""
    for placed in done.placed:
        for predicate in placed.clause.predicates:
            tested = [value.value for value in predicate.values]
            if predicate.op is Op.IN:
                yield "values"
                if any(isinstance(value, str) for value in tested):
                    yield "texts"
            elif predicate.op is Op.LIKE:
                yield "patterns"
            elif predicate.op is Op.RANGE and predicate.interval is not None:
                yield "ranges"
            if predicate.interval is not None:
                ends = (predicate.interval.low, predicate.interval.high)
                tested += [end.value for end in ends if end is not None]
            if any(isinstance(value, int | float) for value in tested):
                yield "numbers"
