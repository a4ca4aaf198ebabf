"""What a query gave on a live database: a table of typed values, or a named failure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias


class Cut(StrEnum):
    """Why a result holds fewer rows than the query gives."""

    ROW_LIMIT = "row_limit"
    CELL_BUDGET = "cell_budget"


class FailureKind(StrEnum):
    """Why a query gave no result."""

    NOT_ONE_QUERY = "not_one_query"  # the guard: no query, several statements, or one that writes
    SYNTAX = "syntax"
    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_COLUMN = "unknown_column"
    TIMEOUT = "timeout"
    DATABASE_DOWN = "database_down"
    EXECUTION = "execution"  # everything else that the database refuses: types, ambiguous names, overflow


@dataclass(frozen=True, slots=True)
class Result:
    """A result as columns of Python values: int, float, Decimal, str, bool, None, date, datetime, time, bytes, list, …

    `names` are the columns' names as the database gave them, duplicates kept; every column has `rows` values. `cut`
    says that rows are missing. `seconds` is the time until the last row was fetched. In bulk a column may be any
    sequence that gives Python values when it is iterated.
    """

    names: tuple[str, ...]
    columns: tuple[Sequence[Any], ...]
    rows: int
    cut: Cut | None = None
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Failure:
    """A query that gave no result: the database's own words (no credential), and known names near the wrong one."""

    kind: FailureKind
    message: str
    near: tuple[str, ...] = ()
    seconds: float = 0.0


Executed: TypeAlias = Result | Failure
