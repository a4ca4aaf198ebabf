"""Which numbers count as one although they differ: the tolerance, on values in canonical form.

A tolerance is no equivalence (a ~ b and b ~ c do not make a ~ c), so near values are never grouped: rows that are equal
are matched first, by hashes, and only what is left over is matched by an assignment. Whole numbers of an exact type are
counts and ids and never near: of two values, one must be a float or a decimal with a fraction.
"""

from collections.abc import Hashable, Iterable, Sequence
from decimal import Decimal
from functools import partial
from math import isclose
from typing import Any

from stef.records.case import Tolerance

_NUMBER = object()
_NUMBERS = frozenset({int, float, Decimal})
_INT_FLOAT = frozenset({int, float})
_FLOAT = frozenset({float})
_SELDOM_EXACT = (float, Decimal, tuple)


def is_number(value: Any) -> bool:
    """A number of any type; a bool in canonical form is none."""
    return type(value) in _NUMBERS or isinstance(value, int | float | Decimal)


def is_inexact(value: Any) -> bool:
    """A value that a tolerance applies to: a float, a decimal with a fraction, a list that holds one."""
    kind = type(value)
    if kind is float or isinstance(value, float):
        return True
    if isinstance(value, Decimal):
        return value.is_finite() and value != value.to_integral_value()
    return kind is tuple and any(map(is_inexact, value))


def holds_inexact(column: Iterable[Any]) -> bool:
    """Does a column in canonical form hold a value that a tolerance applies to?"""
    kinds = set(map(type, column))
    if float in kinds:
        return True
    return any(issubclass(kind, _SELDOM_EXACT) for kind in kinds) and any(map(is_inexact, column))


def near(left: Any, right: Any, tolerance: Tolerance) -> bool:
    """Are two canonical values one under the tolerance? |a - b| ≤ max(relative · max(|a|, |b|), absolute)."""
    if left == right:
        return True
    if is_number(left) and is_number(right):
        return (is_inexact(left) or is_inexact(right)) and _close(left, right, tolerance)
    if type(left) is tuple and type(right) is tuple and len(left) == len(right):
        return all(near(one, other, tolerance) for one, other in zip(left, right, strict=True))
    return False


def _close(left: Any, right: Any, tolerance: Tolerance) -> bool:
    # The standard library's formula is the same one; an infinity is close to itself only.
    return isclose(as_float(left), as_float(right), rel_tol=tolerance.relative, abs_tol=tolerance.absolute)


def all_near(left: Sequence[Any], right: Sequence[Any], tolerance: Tolerance) -> bool:
    """Are the values of two columns near, place by place?"""
    kinds, others = set(map(type, left)), set(map(type, right))
    if kinds | others <= _INT_FLOAT and _FLOAT in {frozenset(kinds), frozenset(others)}:
        try:
            return all(map(partial(isclose, rel_tol=tolerance.relative, abs_tol=tolerance.absolute), left, right))
        except OverflowError:  # a whole number too large for a float
            pass
    return all(near(one, other, tolerance) for one, other in zip(left, right, strict=True))


def as_float(number: Any) -> float:
    """A number as float, an infinity where it is too large for one."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def gist(value: Any) -> Hashable:
    """What a value must have in common with one that is near to it: all but its numbers."""
    kind = type(value)
    if kind in _NUMBERS or is_number(value):
        return _NUMBER
    return tuple(map(gist, value)) if kind is tuple else value
