"""The data: what the generator makes, where it goes, and what is said where it cannot be made."""

import importlib.metadata
from pathlib import Path

import duckdb
import pytest

from stef.databases import Database
from stef.errors import StefError, UserError
from stef.suites import generated, tpch64

ROWS = {
    "region": 5,
    "nation": 25,
    "supplier": 100,
    "customer": 1_500,
    "part": 2_000,
    "partsupp": 8_000,
    "orders": 15_000,
    "lineitem": 60_175,
}


def test_all_tables_are_there_with_their_keys(data: Database) -> None:
    """Eight tables at scale 0.01; each has a primary key, and all but two refer to another."""
    tables = data.schema().tables
    counted = {name: data.run(f"SELECT COUNT(*) FROM {name}").columns[0][0] for name in tables}
    assert counted == ROWS
    assert all(table.primary_key for table in tables.values())
    assert {name for name, table in tables.items() if not table.foreign_keys} == {"region", "part"}


def test_a_file_that_is_there_is_taken(tpch: Path) -> None:
    """It is not made again."""
    before = tpch.stat().st_mtime_ns
    assert tpch64.database(tpch) == tpch
    assert tpch.stat().st_mtime_ns == before


def test_nothing_is_left_beside_it(tpch: Path) -> None:
    """What was needed to make it is gone."""
    assert [path.name for path in tpch.parent.iterdir()] == [tpch.name]


def test_other_data_is_turned_away(tmp_path: Path) -> None:
    """A DuckDB file with something else in it is no place for the data, and says what it lacks."""
    path = tmp_path / "other.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE lineitem AS SELECT 1 AS l_orderkey")
    with pytest.raises(UserError, match=r"other\.duckdb: not the data of tpch64: it holds 1 order lines"):
        tpch64.database(path)
    (tmp_path / "text.duckdb").write_text("no database")
    with pytest.raises(UserError, match="cannot be opened as a DuckDB database"):
        tpch64.database(tmp_path / "text.duckdb")


def test_without_the_generator_the_way_out_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra that brings it, and the way without; nothing is written."""

    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "files", missing)
    with pytest.raises(UserError, match=r"pip install 'stef\[suites\]'.*CALL dbgen"):
        tpch64.database(tmp_path / "new" / "tpch64.duckdb")
    assert list(tmp_path.iterdir()) == []


def test_a_generator_that_fails_is_quoted(tmp_path: Path) -> None:
    """Its own words are in the message, and no half-made file is left."""
    with pytest.raises(StefError, match="tpchgen-cli failed"):
        generated.make_database(tmp_path / "new.duckdb", "SELECT 1", -1.0)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The way out is another place."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"cannot be written .*name another place"):
        tpch64.database(tmp_path / "file" / "tpch64.duckdb")
