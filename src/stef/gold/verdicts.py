"""All yes-or-no comparisons of two results at once: what one of them settles is not asked of the next.

Without namesakes, rows that differ in every order of columns differ in their places too, and to Spider's test suite,
which knows no tolerance. Rows that are equal where no value is inexact are equal without tolerance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from stef.gold.conventions import bird_ex, spider_ex
from stef.gold.exact import Order, Table, exact_match, exact_match_positional, namesakes
from stef.gold.kinds import Kinds, may_be_near
from stef.records.case import Tolerance


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Exact match and the conventions beside it; None where one stays open."""

    exact_match: bool | None
    exact_match_positional: bool | None
    bird_ex: bool | None
    spider_ex: bool | None


def verdicts(left: Table, right: Table, order: Order | None, tolerance: Tolerance, kinds: Sequence[Kinds]) -> Verdicts:
    """What the functions of the same names say of two results; `kinds`: the types in all columns."""
    exact = exact_match(left, right, order=order, tolerance=tolerance)
    places = namesakes(left.names, right.names)
    discrete = exact is True and order is None and not any(map(may_be_near, kinds))
    different = exact is False and places is None and bool(left.rows or right.rows)
    if different:
        positional: bool | None = False
    elif places == list(range(len(left.names))):
        positional = exact
    else:
        positional = exact_match_positional(left, right, order=order, tolerance=tolerance)
    return Verdicts(
        exact_match=exact,
        exact_match_positional=positional,
        bird_ex=True if discrete and positional else _bird(left, right),
        spider_ex=discrete or (False if different else spider_ex(left, right, ordered=order is not None)),
    )


def _bird(left: Table, right: Table) -> bool | None:
    """Of results that were cut, sets of rows can be equal at any length; but a foreign row tells them apart."""
    if not (left.cut or right.cut):
        return bird_ex(left, right)
    if len(left.columns) != len(right.columns):
        return False
    one, other = (set(zip(*side.columns, strict=True)) for side in (left, right))
    return False if (not right.cut and one - other) or (not left.cut and other - one) else None
