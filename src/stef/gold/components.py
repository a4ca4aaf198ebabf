"""The component family: what two queries are made of, set by set."""

from collections.abc import Hashable

from stef.records.gold import Components, Share
from stef.sql.resolve import Resolved, matched


def compare_components(reference: Resolved, candidate: Resolved | None) -> Components:
    """Precision and recall of each set of the candidate's components against the reference's.

    A share without a denominator is None: recall where the reference has no member, precision where the candidate has
    none. A `candidate` that failed or cannot be read (None) has no members at all. What the agent adds by design counts
    only where the reference has it too. `order_equal` and `limit_equal` are None where neither query has one.
    """
    if candidate is None:
        return _of_nothing(reference)
    candidate = matched(reference, candidate)
    extra = candidate.added
    return Components(
        tables=share(reference.tables, candidate.tables),
        joins=share(reference.joins, candidate.joins),
        projections=_less(reference.projections, candidate.projections, extra.projections),
        filters=_less(reference.filters, candidate.filters, extra.filters),
        filters_without_values=_less(
            reference.filters_without_values, candidate.filters_without_values, extra.filters_without_values
        ),
        aggregations=share(reference.aggregations, candidate.aggregations),
        grouping=share(reference.grouping, candidate.grouping),
        order_equal=_order_equal(reference, candidate),
        limit_equal=_limit_equal(reference, candidate),
    )


def share(reference: frozenset[Hashable], candidate: frozenset[Hashable]) -> Share:
    """Precision and recall of a set, each None without a denominator."""
    common = len(reference & candidate)
    return Share(
        precision=common / len(candidate) if candidate else None,
        recall=common / len(reference) if reference else None,
    )


def _less(reference: frozenset[Hashable], candidate: frozenset[Hashable], extra: frozenset[Hashable]) -> Share:
    return share(reference, candidate - (extra - reference) if extra else candidate)


def _of_nothing(reference: Resolved) -> Components:
    nothing: frozenset[Hashable] = frozenset()
    return Components(
        tables=share(reference.tables, nothing),
        joins=share(reference.joins, nothing),
        projections=share(reference.projections, nothing),
        filters=share(reference.filters, nothing),
        filters_without_values=share(reference.filters_without_values, nothing),
        aggregations=share(reference.aggregations, nothing),
        grouping=share(reference.grouping, nothing),
        order_equal=False if reference.ordering else None,
        limit_equal=False if reference.limit is not None or reference.offset is not None else None,
    )


def _order_equal(reference: Resolved, candidate: Resolved) -> bool | None:
    theirs = () if candidate.added.order and not reference.ordering else candidate.ordering
    return reference.ordering == theirs if reference.ordering or theirs else None


def _limit_equal(reference: Resolved, candidate: Resolved) -> bool | None:
    wanted = (reference.limit, reference.offset)
    theirs = (candidate.limit, candidate.offset)
    if candidate.added.limit and wanted == (None, None):
        theirs = wanted
    return wanted == theirs if wanted != (None, None) or theirs != (None, None) else None
