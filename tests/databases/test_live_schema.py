"""The live schema, as each catalogue states it."""

from pathlib import Path

import pytest
from databases_kit import Engines

from stef.databases import Database, open_database
from stef.records.live import ForeignKey


def test_tables_keys_and_views_are_there(engine: Engines, database: Database) -> None:
    """Columns in order with type and NULL, primary and foreign keys, and views told apart."""
    schema = database.schema()
    assert schema.dialect == database.dialect
    assert set(schema.tables) == {"customer", "purchase", "big_purchase"}
    customer, purchase = schema.tables["customer"], schema.tables["purchase"]
    assert [column.name for column in customer.columns] == ["id", "name", "city"]
    assert [column.nullable for column in customer.columns] == [False, False, True]
    assert all(column.type for column in customer.columns)
    assert purchase.columns[2].type.replace(" ", "").upper() in ("DECIMAL(10,2)", "NUMERIC(10,2)")
    assert (customer.primary_key, customer.foreign_keys, customer.view) == (("id",), (), False)
    assert purchase.foreign_keys == (ForeignKey(("customer_id",), "customer", ("id",)),)
    view = schema.tables["big_purchase"]
    assert view.view
    assert [column.name for column in view.columns] == ["id", "amount"]
    assert database.schema() is schema


def test_a_table_of_another_name_space_is_found(engine: Engines) -> None:
    """Where a database has several name spaces, all are read, and namesakes are told apart."""
    if engine.name not in ("duckdb", "postgres"):
        pytest.skip("has one name space")
    space = f"{Path(engine.url).name[-6:]}_other" if engine.name == "postgres" else "other"
    space = f"s{abs(hash(space))}"
    engine.execute(
        f"CREATE SCHEMA {space}",
        f"CREATE TABLE {space}.customer (only_here INTEGER)",
        f"CREATE TABLE {space}.alone_here (id INTEGER)",
    )
    try:
        database = open_database(engine.url)
        tables = database.schema().tables
        database.close()
    finally:
        engine.execute(f"DROP SCHEMA {space} CASCADE")
    assert tables["customer"].schema is None
    assert tables[f"{space}.customer"].columns[0].name == "only_here"
    assert tables["alone_here"].schema == space


@pytest.mark.parametrize("engine", ["sqlite"], indirect=True)
def test_sqlite_keys_that_name_no_column_mean_the_primary_key(engine: Engines) -> None:
    """`REFERENCES pair` is `REFERENCES pair (a, b)`; letter case of names does not matter."""
    engine.execute(
        "CREATE TABLE Pair (a INTEGER, b INTEGER, PRIMARY KEY (b, a))",
        "CREATE TABLE one (x INTEGER REFERENCES CUSTOMER, y INTEGER, z, FOREIGN KEY (y, x) REFERENCES pair)",
        "CREATE TABLE rowid_less (k TEXT PRIMARY KEY, g INTEGER GENERATED ALWAYS AS (1)) WITHOUT ROWID",
        "CREATE VIEW broken AS SELECT no_such FROM nowhere",
        "CREATE VIRTUAL TABLE notes USING fts5(body)",
    )
    database = open_database(engine.url)
    tables = database.schema().tables
    assert set(tables["one"].foreign_keys) == {
        ForeignKey(("x",), "customer", ("id",)),
        ForeignKey(("y", "x"), "Pair", ("b", "a")),
    }
    assert tables["one"].columns[2].type == ""
    assert [column.name for column in tables["rowid_less"].columns] == ["k", "g"]
    assert tables["broken"].view
    assert [column.name for column in tables["notes"].columns] == ["body"]
    assert database.run("SELECT count(*) FROM notes WHERE notes MATCH 'x'").columns == ((0,),)
    database.close()
