"""Logs → records: formats, encodings, broken lines; in constant memory."""

import bz2
import gzip
import json
import lzma
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stef.errors import InputError, UserError
from stef.runs.paths import follow, parse_path, show_path
from stef.runs.read import read_records
from stef.runs.records import BadLine, Record
from stef.runs.sources import FORMATS, Source, find_sources
from stef.runs.values import READERS

HERE = Path(__file__).parent
DEEP = '{"q": ' + "[" * 200_000 + "]" * 200_000 + "}"


def load(name: str) -> list[dict[str, Any]]:
    return yaml.safe_load((HERE / name).read_text(encoding="utf-8"))


def written(folder: Path, case: dict[str, Any]) -> list[Source]:
    for name, text in case.get("files", {}).items():
        (folder / name).write_bytes(text.replace("@deep", DEEP).encode())
    for name, digits in case.get("hex", {}).items():
        (folder / name).write_bytes(bytes.fromhex(digits))
    return [Source(folder / name, name) for name in [*case.get("files", {}), *case.get("hex", {})]]


@pytest.mark.parametrize("case", load("logs.yaml"), ids=lambda case: case["name"])
def test_log(case: dict[str, Any], tmp_path: Path) -> None:
    """A log gives these records, these broken lines, or this error."""
    sources = written(tmp_path, case)
    if "error" in case:
        with pytest.raises(InputError) as raised:
            list(read_records(sources, encoding=case.get("encoding")))
        assert case["error"] in str(raised.value)
        assert sources[0].name in str(raised.value) or "--encoding" in str(raised.value)
        return
    items = list(read_records(sources, encoding=case.get("encoding")))
    records = [[item.row, item.place, item.fields] for item in items if isinstance(item, Record)]
    bad = [item for item in items if isinstance(item, BadLine)]
    assert records == case["records"]
    assert [item.place for item in bad] == [place for place, _ in case.get("bad", [])]
    for item, (_, word) in zip(bad, case.get("bad", []), strict=True):
        assert word in item.reason
    assert [item.row for item in items] == list(range(len(items)))


@pytest.mark.parametrize("case", load("values.yaml"), ids=lambda case: f"{case['reader']} {case['in']!r}"[:60])
def test_value(case: dict[str, Any]) -> None:
    """A field of a Turn reads a value as logs hold it, or says what it was."""
    read = READERS[case["reader"]]
    if "error" in case:
        with pytest.raises(ValueError, match=case["error"].replace("+", r"\+")):
            read(case["in"])
        return
    value = read(case["in"])
    plain = value.isoformat() if isinstance(value, datetime) else list(value) if isinstance(value, tuple) else value
    assert plain == case["out"]


@pytest.mark.parametrize("case", load("paths.yaml"), ids=lambda case: case["path"] or "empty")
def test_path(case: dict[str, Any]) -> None:
    """A path leads to its value, and is shown as it was written."""
    if case.get("error"):
        with pytest.raises(UserError):
            parse_path(case["path"])
        return
    path = parse_path(case["path"])
    assert follow(case["fields"], path) == case["out"]
    assert show_path(path) == case["path"]


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
@pytest.mark.parametrize(
    ("name", "text"), [("a.jsonl", '{"q": "1"}\n'), ("a.csv", "q\n1\n"), ("a.json", '[{"q": "1"}]')]
)
def test_packed(ending: str, pack: Any, name: str, text: str, tmp_path: Path) -> None:
    """A packed log reads as the log itself, whatever it is packed with."""
    path = tmp_path / (name + ending)
    path.write_bytes(pack(text.encode()))
    assert [item.fields for item in read_records([Source(path, path.name)])] == [{"q": "1"}]  # type: ignore[union-attr]


def test_a_packed_log_that_breaks_off_gives_what_stood_before(tmp_path: Path) -> None:
    """Of a cut gzip the whole lines are read; the place of the cut is a broken line."""
    whole = gzip.compress("".join(json.dumps({"q": f"{i} {hash(str(i))}"}) + "\n" for i in range(5000)).encode())
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(whole[: len(whole) // 2])
    items = list(read_records([Source(path, path.name)]))
    assert len(items) > 100
    assert all(isinstance(item, Record) for item in items[:-1])
    assert isinstance(items[-1], BadLine)
    assert "breaks off" in items[-1].reason


def test_parquet_reads_as_csv_and_jsonl_do(tmp_path: Path) -> None:
    """The same rows in Parquet and JSONL give the same records."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = [{"q": f"question {i}", "s": None if i == 3 else "SELECT 1", "n": i / 2} for i in range(1200)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet", row_group_size=100)
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    both = [list(read_records([Source(tmp_path / name, "a")])) for name in ("a.parquet", "a.jsonl")]
    assert both[0] == both[1]


def test_parquet_with_nanoseconds(tmp_path: Path) -> None:
    """Timestamps finer than Python's are cut to microseconds."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    times = pa.array([1_709_632_800_000_000_123], pa.timestamp("ns", tz="UTC"))
    pq.write_table(pa.table({"t": times}), tmp_path / "a.parquet")
    (item,) = read_records([Source(tmp_path / "a.parquet", "a.parquet")])
    assert isinstance(item, Record)
    assert item.fields["t"].astimezone(UTC) == datetime(2024, 3, 5, 10, tzinfo=UTC)


def test_a_large_csv_field(tmp_path: Path) -> None:
    """A field larger than the csv module's own limit is read."""
    (tmp_path / "a.csv").write_text('q,s\n1,"' + "x" * 1_000_000 + '"\n2,y\n')
    items = list(read_records([Source(tmp_path / "a.csv", "a.csv")]))
    assert [len(item.fields["s"]) for item in items] == [1_000_000, 1]  # type: ignore[union-attr]


def test_a_line_that_is_too_long_is_broken_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line over the bound costs itself alone, and keeps its number."""
    monkeypatch.setattr("stef.runs.text.MAX_LINE", 100)
    (tmp_path / "a.jsonl").write_text('{"q": 1}\n' + json.dumps({"q": "x" * 350}) + '\n{"q": 3}\n')
    items = list(read_records([Source(tmp_path / "a.jsonl", "a.jsonl")], encoding="utf-8"))
    assert [type(item) for item in items] == [Record, BadLine, Record]
    assert items[2].place == "a.jsonl:3"


def test_folders_globs_and_runs_inside_them(tmp_path: Path) -> None:
    """A folder gives its logs by name, without hidden files and RUNs; a glob gives what it matches, and a file once."""
    for name in ("b.jsonl", "a.csv", "deep/c.jsonl.gz", "note.txt", ".hidden.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "run/turns").mkdir(parents=True)
    (tmp_path / "run/run.json").write_text("{}")
    (tmp_path / "run/turns/part-00000.parquet").write_text("x")
    with find_sources([str(tmp_path)]) as sources:
        assert [source.name for source in sources] == ["a.csv", "b.jsonl", "deep/c.jsonl.gz"]
    with find_sources([f"{tmp_path}/*.jsonl", str(tmp_path / "b.jsonl")]) as sources:
        assert [source.name for source in sources] == ["b.jsonl"]


@pytest.mark.parametrize(
    ("argument", "word"),
    [("no.jsonl", "did you mean"), ("*.nothing", "no file matches"), ("empty", "holds no log"), ("run", "is a RUN")],
)
def test_what_cannot_be_found(argument: str, word: str, tmp_path: Path) -> None:
    """What is missing, or no log, is named, with a way out."""
    (tmp_path / "now.jsonl").write_text("{}")
    (tmp_path / "empty").mkdir()
    (tmp_path / "run").mkdir()
    (tmp_path / "run/run.json").write_text("{}")
    with pytest.raises(InputError, match=word), find_sources([str(tmp_path / argument)]):
        pass


PIECES = st.sampled_from(
    [
        b'{"q": 1}',
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b"\n",
        b"\r",
        b'"',
        b"\\",
        b"\x00",
        b"\xff",
        b"\xc3\xa4",
        b"\xef\xbb\xbf",
        b"q,s",
        b"1;2",
        b"\t",
        b"null",
        b"1e999",
        b'"\\ud800"',
        b" ",
        b"PAR1",
        b"\x1f\x8b",
        b"\xff\xfe",
    ]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(st.lists(PIECES, max_size=12).map(b"".join) | st.binary(max_size=60), st.sampled_from(sorted(FORMATS)))
def test_no_bytes_break_the_reader(tmp_path: Path, content: bytes, ending: str) -> None:
    """Whatever a file holds and is called: records and broken lines in order, or an InputError."""
    path = tmp_path / f"a{ending}"
    path.write_bytes(content)
    try:
        items = list(read_records([Source(path, path.name)]))
    except InputError:
        return
    assert [item.row for item in items] == list(range(len(items)))
    assert all(isinstance(item, BadLine) or isinstance(item.fields, dict) for item in items)


MEASURE = """
import resource, sys
from pathlib import Path
from stef.runs.read import read_records
from stef.runs.sources import Source
path = Path(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
count = sum(1 for _ in read_records([Source(path, path.name)]))
print(count, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.parametrize("name", ["big.jsonl", "big.json", "big.csv"])
def test_memory_does_not_grow_with_the_log(name: str, tmp_path: Path) -> None:
    """200,000 lines, some 20 MB, are read with a few MB on top of the interpreter."""
    path = tmp_path / name
    line = '{"question": "How many orders were there in %d?", "sql": "SELECT COUNT(*) FROM orders WHERE y = %d"}'
    with path.open("w") as file:
        if name == "big.csv":
            file.write("question,sql\n")
            file.writelines(
                f"How many orders in {i}?,SELECT COUNT(*) FROM orders WHERE y = {i} AND x = 'abc'\n"
                for i in range(200_000)
            )
        else:
            file.write("[" if name == "big.json" else "")
            file.writelines(line % (i, i) + (",\n" if name == "big.json" else "\n") for i in range(200_000))
            file.write('{"question": "", "sql": ""}]' if name == "big.json" else "")
    done = subprocess.run([sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, check=True)
    count, megabytes = map(int, done.stdout.split())
    assert count == 200_000 + (name == "big.json")
    assert megabytes < 20
