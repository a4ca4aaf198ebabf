"""Results written down in tests and in YAML."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

import yaml

from stef.records.result import Result


def result(rows: Sequence[Sequence[Any]], names: str | Sequence[str] = ()) -> Result:
    """A result of rows. Without names, each side of a test has names of its own, so that none meets its like."""
    named = tuple(names.split() if isinstance(names, str) else names)
    width = len(rows[0]) if rows else len(named)
    columns = [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]
    return Result(named or ("",) * width, tuple(columns), len(rows))


class TypedLoader(yaml.SafeLoader):
    """YAML with !decimal, !uuid and !bytes beside the types that it has (dates, timestamps, .nan)."""


TypedLoader.add_constructor("!decimal", lambda loader, node: Decimal(loader.construct_scalar(node)))
TypedLoader.add_constructor("!uuid", lambda loader, node: UUID(loader.construct_scalar(node)))
TypedLoader.add_constructor("!bytes", lambda loader, node: loader.construct_scalar(node).encode())
