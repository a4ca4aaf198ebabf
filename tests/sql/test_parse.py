"""Laws of reading: no text makes it raise, and clean text is left alone."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stef.records.reading import Unreadable
from stef.records.reasons import UnscoredKind, kind_of
from stef.sql import looks_like_refusal, parse, read_sql
from stef.sql.clean import clean

_PIECES = st.sampled_from(
    [
        *("SELECT ", "a", "b", ", ", " FROM t", " WHERE ", " = ", "'x'", "'", '"', "`", "(", ")", "[", "]", "{{", "}}"),
        *(
            "--",
            "/*",
            "*/",
            "#",
            ";",
            "\n",
            "\n\n",
            "```",
            "```sql\n",
            "<|im_end|>",
            "\\",
            "\\n",
            "&lt;",
            "‘",
            "’",
            "##a##",
        ),
        *(
            "DECLARE @a int = 1\n",
            "WITH c AS (",
            "This is it.",
            "I cannot answer.",
            "UNION ",
            "<table_name>",
            "\u200b",
            "é",
        ),
        *(
            "CASE WHEN ",
            " THEN ",
            " END",
            "COUNT(*)",
            " LIKE ",
            " IN ",
            " IS NULL",
            " ORDER BY ",
            " LIMIT 3",
            "%s",
            "?",
            ":x",
        ),
    ]
)
_DIALECTS = st.sampled_from(
    [None, "", "sqlite", "mysql", "postgres", "tsql", "bigquery", "snowflake", "duckdb", "oracle"]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=25).map("".join), _DIALECTS)
def test_no_text_makes_it_raise(text: str, dialect: str | None) -> None:
    """Whatever the pieces, the result is a Spec, or a reason that is not stef's own."""
    reading = read_sql(text, dialect)
    if reading.unreadable is None:
        assert reading.spec is not None
    else:
        assert kind_of(reading.unreadable.reason) is not UnscoredKind.STEF
        assert reading.unreadable.detail


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), _DIALECTS)
def test_no_characters_make_it_raise(text: str, dialect: str | None) -> None:
    """Any characters are survived."""
    read_sql(text, dialect)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab;<|>{}'\\-#/*;‘ \n`", max_size=12))
def test_literals_are_kept(value: str) -> None:
    """What stands between quotes comes out as it went in, whatever it holds."""
    literal = "'" + value.replace("\\", "").replace("'", "''") + "'"
    text = f"SELECT a FROM t WHERE b = {literal} AND c = 1"
    assert clean(text, "postgres").text == text


def test_reading_names_the_dialect_it_was_read_in() -> None:
    """A dialect that fails gives way to one that reads the text, and a note says so."""
    reading = read_sql("SELECT TOP 3 [unit price] FROM wares WHERE x = 'Finn''s'", "postgres")
    assert reading.dialect == "tsql"
    assert "dialect_guessed" in {note.code for note in reading.notes}


@pytest.mark.parametrize(
    ("text", "markers", "expected"),
    [
        ("I'm sorry, I can't help with that.", (), True),
        ("Unfortunately there is no column for it.", (), True),
        ("NO_SQL_FOR_YOU", ("no_sql",), True),
        ("NO_SQL_FOR_YOU", (), False),
        ("The answer is 42.", (), False),
        ("", (), False),
        ("anything", ("",), False),
    ],
)
def test_refusals(text: str, markers: tuple[str, ...], expected: bool) -> None:
    """Apologies are refusals, and so is what an application's own markers say."""
    assert looks_like_refusal(text, markers) is expected


def test_unparsable_detail_names_the_place() -> None:
    """The reason for broken SQL says what is wrong, and where."""
    result = parse("SELECT a FROM t WHERE b = ) 3", "sqlite")
    assert isinstance(result, Unreadable)
    assert "line 1" in result.detail


def test_threads_do_not_share_a_parser() -> None:
    """Queries read side by side in threads are read as one after another."""
    queries = [f"SELECT a{n}, COUNT(*) FROM t{n} WHERE x > {n} GROUP BY a{n} ORDER BY 2 DESC" for n in range(200)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda query: read_sql(query, "sqlite"), queries))
    assert found == [read_sql(query, "sqlite") for query in queries]


def test_a_parser_forgets_what_failed() -> None:
    """A text that cannot be read leaves nothing behind for the next."""
    good = "SELECT name FROM pumps WHERE city = 'Lisbon'"
    before = read_sql(good, "sqlite")
    assert read_sql("SELECT (((a FROM", "sqlite").unreadable is not None
    assert read_sql("SELECT 'open", "sqlite").unreadable is not None
    assert read_sql(good, "sqlite") == before
