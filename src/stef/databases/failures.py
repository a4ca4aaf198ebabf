"""What a failure says beside the database's own words."""

from rapidfuzz import fuzz, process

from stef.records.live import LiveSchema
from stef.records.result import Failure, FailureKind

NOT_READING = "the database was asked for more than reading"

_MOST_NEAR = 3
_NEAR_ENOUGH = 60
_LONGEST_MESSAGE = 500


def timed_out(limit: float) -> Failure:
    """TIMEOUT for a query that was ended."""
    return Failure(FailureKind.TIMEOUT, f"ended: it took longer than the limit of {limit:g} s")


def near_names(wrong: str, schema: LiveSchema, *, columns: bool) -> tuple[str, ...]:
    """Names of tables, or of columns, that are spelt nearly as `wrong` (which may be qualified), the nearest first."""
    word = wrong.rsplit(".", 1)[-1].strip("\"`[]' ")
    tables = schema.tables.values()
    names = (column.name for table in tables for column in table.columns) if columns else (one.name for one in tables)
    found = process.extract(
        word,
        list(dict.fromkeys(names)),
        scorer=fuzz.WRatio,
        processor=str.casefold,
        limit=_MOST_NEAR,
        score_cutoff=_NEAR_ENOUGH,
    )
    return tuple(name for name, _score, _index in found)


def one_line(message: str) -> str:
    """A database's message as one line of at most 500 characters."""
    return " ".join(message.split())[:_LONGEST_MESSAGE]
