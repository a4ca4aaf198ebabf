"""All yes-or-no comparisons of two results at once: what one of them settles is not asked of the next.

Without namesakes, rows that differ in every order of columns differ in their places too, and to Spider's test suite,
which knows no tolerance. Rows that are equal where no value is inexact are equal without tolerance.
"""

from dataclasses import dataclass

from stef.gold.conventions import bird_ex, spider_ex
from stef.gold.exact import Order, Table, exact_match, exact_match_positional, namesakes
from stef.gold.multisets import sums_alike
from stef.records.case import Tolerance


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Exact match and the conventions beside it; None where one stays open."""

    exact_match: bool | None
    exact_match_positional: bool | None
    bird_ex: bool | None
    spider_ex: bool | None


@dataclass(frozen=True, slots=True)
class Alike:
    """What the codes of two whole results of one width prove, without tolerance."""

    multisets: bool  # rows are equal as multisets, every column in its place
    sets: bool  # rows are equal as sets, every column in its place
    values: bool  # both sides hold the same values, wherever they stand


@dataclass(frozen=True, slots=True)
class Proven:
    """What is known before anything is asked.

    `alike` is None where one side is wider, has no rows, or was cut; `places`: an order of the candidate's columns, one
    for each of the reference's, in which the rows are equal as multisets and without tolerance (None: not known);
    `in_place`: the rows are the same multiset under the tolerance, every column in its place (None: not known).
    """

    alike: Alike | None = None
    places: list[int] | None = None
    in_place: bool | None = None


def verdicts(left: Table, right: Table, order: Order | None, tolerance: Tolerance, proven: Proven) -> Verdicts:
    """What the functions of the same names say of two results."""
    alike = proven.alike
    named = namesakes(left.names, right.names)
    proves = order is None and proven.places is not None and named in (None, proven.places)
    exact = (proves and _confirmed(left, right, proven)) or exact_match(left, right, order=order, tolerance=tolerance)
    if alike is not None and exact is False and named is None:
        return Verdicts(exact, False, alike.sets, False)
    positional = proven.in_place
    if positional is None or (positional and order is not None):
        positional = exact_match_positional(left, right, order=order, tolerance=tolerance)
    if alike is not None and (not alike.values or (proven.places is not None and order is None)):
        spider: bool | None = alike.values
    else:
        spider = spider_ex(left, right, ordered=order is not None)
    return Verdicts(exact, positional, _bird(left, right) if alike is None else alike.sets, spider)


def _confirmed(left: Table, right: Table, proven: Proven) -> bool:
    """What codes prove, once more without them: exact match is there to test the scorer."""
    return sums_alike(left.columns, [right.columns[place] for place in proven.places or ()])


def _bird(left: Table, right: Table) -> bool | None:
    """Of results that were cut, sets of rows can be equal at any length; but a foreign row tells them apart."""
    if not (left.cut or right.cut):
        return bird_ex(left, right)
    if len(left.columns) != len(right.columns):
        return False
    one, other = (set(zip(*side.columns, strict=True)) for side in (left, right))
    return False if (not right.cut and one - other) or (not left.cut and other - one) else None
