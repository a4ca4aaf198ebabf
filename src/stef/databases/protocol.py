"""What the rest of stef knows of a database."""

from dataclasses import dataclass
from typing import Protocol

from stef.errors import UserError
from stef.records.live import LiveSchema
from stef.records.result import Failure, Result

_LONGEST_TIMEOUT = 86_400.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may take.

    `timeout` in seconds, execution and fetching together; a query that takes longer is ended. `rows` and `cells` bound
    the result: one that holds more is cut there (`Result.cut`), and nothing more is fetched.
    """

    timeout: float = 30.0
    rows: int = 1_000_000
    cells: int = 10_000_000

    def __post_init__(self) -> None:
        """Raises UserError where a limit is no limit."""
        if not 0 < self.timeout <= _LONGEST_TIMEOUT:
            raise UserError(f"a time limit of {self.timeout:g} s: more than 0 s and at most a day is asked for")
        if self.rows < 0 or self.cells < 0:
            raise UserError(f"limits of {self.rows} rows and {self.cells} cells: neither can be negative")


STANDARD_LIMITS = Limits()


class Database(Protocol):
    """A database that is only read. All methods may be called from several threads at once.

    `dialect` is sqlglot's name of its SQL; `name` is safe to print: no user, no password.
    """

    @property
    def dialect(self) -> str: ...  # noqa: D102

    @property
    def name(self) -> str: ...  # noqa: D102

    def run(self, sql: str, limits: Limits = STANDARD_LIMITS) -> Result | Failure:
        """What the one query in `sql` gives, or why it gives nothing. No SQL makes it raise."""
        ...

    def schema(self) -> LiveSchema:
        """Tables and views as the catalogue states them, read once. Raises StefError where it cannot be read."""
        ...

    def close(self) -> None:
        """Close all connections. Queries that still run are ended first by their own limits."""
        ...
