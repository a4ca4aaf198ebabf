"""The guard by itself: what it lets through, and what it refuses where it is the last line."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.databases.guard import _is_plain, _read, admit
from stef.records.result import Failure, FailureKind

_HERE = Path(__file__).parent
PLAIN = yaml.safe_load((_HERE / "plain.yaml").read_text(encoding="utf-8"))
REFUSED = yaml.safe_load((_HERE / "refused.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: f"{case['dialect']}: {case['sql'][:50]}")
def test_a_plain_query_passes_as_it_stands(case: dict[str, str]) -> None:
    """A query is sent to the letter, without what follows its semicolon or wraps it in a log."""
    assert admit(case["sql"], case["dialect"]) == case.get("sent", case["sql"])


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case['dialect']}: {case['sql'][:50]}")
def test_what_writes_is_refused_by_its_words_alone(case: dict[str, str]) -> None:
    """An engine without a read-only mode never sees a statement that does more than read."""
    refused = admit(case["sql"], case["dialect"])
    assert isinstance(refused, Failure), refused
    assert refused.kind is FailureKind.NOT_ONE_QUERY
    assert refused.message == case.get("reason", refused.message)


def test_a_text_of_any_length_is_bounded() -> None:
    """More than a megabyte is not sent."""
    assert isinstance(admit(f"SELECT '{'x' * 2_000_000}'", "sqlite"), Failure)


_PIECES = [
    *(
        "SELECT ",
        "WITH x AS (",
        ")",
        "(",
        " ",
        "\n",
        "1",
        "1.0",
        "0x41",
        "1e0",
        "a",
        "'",
        '"',
        "`",
        "$$",
        "$t$",
        "E'",
        "\\",
    ),
    *(
        ";",
        "--",
        "#",
        "/*",
        "*/",
        "/*!",
        "[",
        "]",
        "INTO ",
        "into",
        "FOR UPDATE",
        "DELETE FROM t",
        "UPDATE t SET a = 1",
    ),
    *("pg_sleep(1)", '"pg_read_file"(1)', "pg_typeof(1)", "load_file (1)", "LOAD_FILE/**/(1)", "load_extension(1)"),
    *("read_csv('x')", "U&", "OUTFILE 'x'", ",", ".", "FROM t", "lock in share mode", "é", "```"),
]


@given(st.sampled_from(["sqlite", "duckdb", "postgres", "mysql"]), st.lists(st.sampled_from(_PIECES), max_size=12))
def test_the_quick_look_never_lets_through_what_the_close_look_refuses(dialect: str, pieces: list[str]) -> None:
    """Whatever the words are put together from, a text is plain only if nothing in it is refused."""
    sql = "SELECT " + "".join(pieces)
    if _is_plain(sql, dialect):
        read = _read(sql, dialect)
        assert read.reason is None, read
        assert read.text.rstrip(";\n ") == str(admit(sql, dialect)).rstrip(";\n ")


@pytest.mark.shared
def test_every_gold_query_passes(shared_dir: Path) -> None:
    """No query of the public gold sets is refused, whatever their dialect."""
    import json

    refused = []
    dialects = {"spider": "sqlite", "spider_realistic": "sqlite", "bird": "sqlite", "archer": "sqlite"}
    for name, dialect in dialects.items():
        for line in (shared_dir / "data" / "gold" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            for sql in _gold(json.loads(line)):
                answers = [admit(sql, spoken) for spoken in (dialect, "postgres", "duckdb")]
                refused += [(name, sql, one.message) for one in answers if isinstance(one, Failure)]
    assert not refused, refused[:3]


def _gold(entry: dict[str, object]) -> list[str]:
    found = next((entry[key] for key in ("gold_sql", "query", "SQL", "sql", "gold") if key in entry), None)
    assert found, sorted(entry)
    return [str(one) for one in found] if isinstance(found, list) else [str(found)]
