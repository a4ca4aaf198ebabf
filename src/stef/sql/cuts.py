"""LIMIT and OFFSET behind a query that is cut already, as one cut."""

from dataclasses import replace

from stef.records.spec import Order, Spec, TopK
from stef.sql import tops


def recut(spec: Spec, order: tuple[Order, ...], limit: int | None, offset: int | None) -> Spec:
    """What `ORDER BY order LIMIT limit OFFSET offset` leaves of the rows of `spec`; tops stay as they are.

    Of five rows the first ten are five, and the first ten after two are three; offsets add up.
    """
    left = None if spec.limit is None else max(spec.limit - (offset or 0), 0)
    bounds = [bound for bound in (left, limit) if bound is not None]
    return replace(
        spec,
        order=order or spec.order,
        limit=min(bounds, default=None),
        offset=(spec.offset or 0) + (offset or 0) or None,
    )


def recut_tops(spec: Spec, cut: Spec, order: tuple[Order, ...]) -> tuple[TopK, ...]:
    """The top-ks of `cut`, which `recut` made of `spec`: a cut in the same order takes the place of the one before."""
    if order:
        return spec.tops if cut.limit == spec.limit else (*spec.tops, *tops.limited(order, cut.limit))
    return (*others(spec), *tops.limited(cut.order, cut.limit))


def is_cut(spec: Spec) -> bool:
    """Whether LIMIT or OFFSET leave out rows."""
    return spec.limit is not None or spec.offset is not None


def others(spec: Spec) -> tuple[TopK, ...]:
    """The top-ks of `spec` that are not its own ORDER BY and LIMIT."""
    own = tops.limited(spec.order, spec.limit)
    return tuple(top for top in spec.tops if top not in own)
