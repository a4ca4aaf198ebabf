"""Types of columns that rules state, without a description of whole tables."""

from stef.sql import read_sql
from stef.sql.schema import ColumnType, Schema

TYPES = Schema.from_types({"paid_at": "timestamp", "bills.due": "DATE", "odd": "no such type at all ("})


def test_types() -> None:
    """A column by its name, or by its table and name; what is no type is left out."""
    assert TYPES.type_of("anything", "paid_at") is ColumnType.TIMESTAMP
    assert TYPES.type_of("bills", "due") is ColumnType.DATE
    assert TYPES.type_of("orders", "due") is None
    assert TYPES.type_of("bills", "odd") is None


def test_an_inclusive_end_on_a_timestamp_is_not_the_whole_month() -> None:
    """The last day is lost where the column holds times, and is not where it holds days."""
    sql = "SELECT 1 FROM p WHERE {0} >= '2023-06-01' AND {0} <= '2023-06-30'"
    whole = read_sql("SELECT 1 FROM p WHERE {0} >= '2023-06-01' AND {0} < '2023-07-01'".format("paid_at"), schema=TYPES)
    assert read_sql(sql.format("paid_at"), schema=TYPES).spec != whole.spec
    assert read_sql(sql.format("paid_at")).spec == whole.spec


def test_types_alone_describe_no_table() -> None:
    """A column that no type names can still come from the inner table."""
    reading = read_sql("SELECT 1 FROM a WHERE x IN (SELECT x FROM b)", schema=TYPES)
    assert all(note.code != "silently_correlated" for note in reading.notes)
