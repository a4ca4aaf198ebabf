"""The fingerprint of an answer: equal for equal rows in any order, in any process, on any day."""

import hashlib
from collections.abc import Hashable, Sequence
from decimal import Decimal
from math import isinf
from typing import Any

from stef.gold.values import NotComparableError, canonical
from stef.records.result import Result

_DIGITS = 32
_SPEAKING = frozenset({int, str, type(None)})


def fingerprint(result: Result) -> str | None:
    """32 hexadecimal digits of the multiset of rows; names do not count, the columns' order does.

    Floats count with nine significant digits: a sum that a database adds up in parallel moves in its last one. None
    where a column holds values without a notion of equality.
    """
    try:
        columns = [_texts(column) for column in result.columns]
    except NotComparableError:
        return None
    digest = hashlib.sha256(f"{len(columns)} {result.rows}".encode())
    for row in sorted(zip(*columns, strict=True)):
        digest.update("\x1f".join(row).encode("utf-8", "surrogatepass"))
        digest.update(b"\x1e")
    return digest.hexdigest()[:_DIGITS]


def _texts(column: Sequence[Any]) -> list[str]:
    values = canonical(column)
    if set(map(type, values)) <= _SPEAKING:
        return list(map(repr, values))
    return [_text(value) for value in values]


def _text(value: Hashable) -> str:
    match value:
        case float() | Decimal():
            return _number(value)
        case tuple():
            return f"({','.join(map(_text, value))})"
        case frozenset():
            # Its order is the process's own.
            return f"{{{','.join(sorted(map(_text, value)))}}}"
        case _:
            return repr(value)


def _number(value: float | Decimal) -> str:
    if value.is_infinite() if isinstance(value, Decimal) else isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(int(value)) if value == int(value) else f"{value:.9g}"
