"""A query before its LIMIT, with its sort keys."""

import pytest

from stef.sql.before_limit import BeforeLimit, before_limit


@pytest.mark.parametrize(
    ("sql", "dialect", "before", "cut"),
    [
        (
            "SELECT name FROM t ORDER BY age DESC LIMIT 1",
            "sqlite",
            "SELECT name, age AS stef_sort_key_0 FROM t ORDER BY age DESC",
            (1, 1, 0),
        ),
        (
            "SELECT name, COUNT(*) AS c FROM t GROUP BY name ORDER BY c DESC, 1 LIMIT 3 OFFSET 2",
            "duckdb",
            "SELECT name, COUNT(*) AS c, COUNT(*) AS stef_sort_key_0, name AS stef_sort_key_1 FROM t GROUP BY name "
            "ORDER BY c DESC, 1",
            (2, 3, 2),
        ),
        ("SELECT TOP 3 a FROM t ORDER BY b", "tsql", "SELECT a, b AS stef_sort_key_0 FROM t ORDER BY b", (1, 3, 0)),
        (
            "SELECT a FROM t ORDER BY b FETCH FIRST 2 ROWS ONLY",
            "postgres",
            "SELECT a, b AS stef_sort_key_0 FROM t ORDER BY b",
            (1, 2, 0),
        ),
        (
            "SELECT a FROM t ORDER BY b LIMIT 2, 5",
            "mysql",
            "SELECT a, b AS stef_sort_key_0 FROM t ORDER BY b",
            (1, 5, 2),
        ),
        ("SELECT a FROM t ORDER BY b", "sqlite", "SELECT a, b AS stef_sort_key_0 FROM t ORDER BY b", (1, None, 0)),
        (
            "WITH x AS (SELECT 1 AS a) SELECT * FROM x ORDER BY a LIMIT 2",
            "sqlite",
            "WITH x AS (SELECT 1 AS a) SELECT *, a AS stef_sort_key_0 FROM x ORDER BY a",
            (1, 2, 0),
        ),
        (
            "SELECT DISTINCT a FROM t ORDER BY a LIMIT 1",
            "sqlite",
            "SELECT DISTINCT a, a AS stef_sort_key_0 FROM t ORDER BY a",
            (1, 1, 0),
        ),
    ],
)
def test_before_the_limit(sql: str, dialect: str, before: str, cut: tuple[int, int | None, int]) -> None:
    """Sort keys become further columns: aliases and ordinals stand for what they name."""
    keys, limit, offset = cut
    assert before_limit(sql, dialect) == BeforeLimit(before, keys, limit, offset)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t LIMIT 3",
        "SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3)",
        "SELECT a FROM t UNION SELECT b FROM u ORDER BY 1 LIMIT 1",
        "SELECT DISTINCT a FROM t ORDER BY b LIMIT 1",
        "SELECT a FROM t ORDER BY b LIMIT (SELECT 1)",
        "SELECT a FROM t ORDER BY 7 LIMIT 1",
        "SELECT a FROM t ORDER BY b FETCH FIRST 2 ROWS WITH TIES",
        "DELETE FROM t",
        "SELECT (",
        "",
    ],
)
def test_where_there_is_no_telling(sql: str) -> None:
    """No outermost order, a set operation, a key that DISTINCT hides, a LIMIT that is no constant, no query."""
    assert before_limit(sql, "postgres") is None
