"""The reader of SQL: text → cleaned → bounded → parsed → one query → Spec."""

from typing import TYPE_CHECKING

from sqlglot.errors import SqlglotError

from stef.records.reading import SqlReading, Unreadable
from stef.records.reasons import UnscoredReason
from stef.sql.build import build_spec
from stef.sql.clean import clean
from stef.sql.limits import check_length
from stef.sql.parse import parse_cleaned

if TYPE_CHECKING:
    from stef.sql.schema import Schema


def read_sql(text: str, dialect: str | None = None, schema: "Schema | None" = None) -> SqlReading:
    """The query in `text` as a Spec, or the reason why there is none.

    `dialect` is a name as `check_dialect` returns it; None or "" lets the spelling decide. What was repaired on the
    way, and in which dialect the query was read at last, stands in the notes. No text makes it raise.
    """
    dialect = dialect or None
    if too_long := check_length(text):
        return SqlReading(text="", dialect=dialect, unreadable=too_long)
    cleaned = clean(text, dialect)
    parsed = parse_cleaned(cleaned, text, dialect)
    if isinstance(parsed, Unreadable):
        return SqlReading(text=cleaned.text, dialect=dialect, notes=cleaned.notes, unreadable=parsed)
    try:
        spec, notes = build_spec(parsed.tree, parsed.text, parsed.dialect, schema)
    except RecursionError:
        unreadable = Unreadable(UnscoredReason.TOO_LARGE, "nested too deeply to be read")
        return SqlReading(text=parsed.text, dialect=parsed.dialect, notes=parsed.notes, unreadable=unreadable)
    except SqlglotError as error:
        unreadable = Unreadable(UnscoredReason.UNPARSABLE, f"cannot be resolved: {str(error)[:200]}")
        return SqlReading(text=parsed.text, dialect=parsed.dialect, notes=parsed.notes, unreadable=unreadable)
    return SqlReading(text=parsed.text, dialect=parsed.dialect, spec=spec, notes=(*parsed.notes, *notes))
