"""The types in a column, in canonical form: what they alone say of the numbers in it."""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from stef.gold.near import is_inexact
from stef.gold.values import Kinds


def has_numbers(kinds: Kinds) -> bool:
    """Can values of these types be numbers?"""
    return _holds(kinds, (int, float, Decimal))


def has_inexact(column: Sequence[Any], kinds: Kinds) -> bool:
    """Does a column of these types hold a number that a tolerance applies to?"""
    return _holds(kinds, float) or (_holds(kinds, Decimal) and any(map(is_inexact, column)))


@lru_cache(4096)
def _holds(kinds: Kinds, wanted: type | tuple[type, ...]) -> bool:
    return any(issubclass(kind, wanted) for kind in kinds)
