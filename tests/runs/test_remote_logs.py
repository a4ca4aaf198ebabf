"""Logs that are no local files: an object store's, by a URI, and the rows of an Iceberg table."""

import gzip
import json
import pickle
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stef.errors import InputError, RunExistsError, UserError
from stef.evaluator import Evaluator
from stef.runs.calls import CallLog
from stef.runs.job import ScoreJob
from stef.runs.pieces import parts_of, records_of
from stef.runs.read import read_records
from stef.runs.score import score_log
from stef.runs.sources import find_sources

TURNS = [
    {
        "question": f"How many orders were placed in {2000 + at}?",
        "sql": f"SELECT COUNT(*) FROM o WHERE year = {2000 + at}",
    }
    for at in range(30)
]


def score(log: str, run: Path) -> dict[str, bytes]:
    score_log(ScoreJob((log,), run, part_rows=10), Evaluator(), CallLog())
    return {path.name: path.read_bytes() for path in sorted((run / "turns").glob("*"))}


def pieces(log: str, size: int) -> list[Any]:
    """The records of the parts of a log, each part as another process gets it."""
    with find_sources([log]) as sources:
        parts = [pickle.loads(pickle.dumps(part)) for part in parts_of(sources, size)]
    return [record for part in parts for record in records_of(part)]


class S3(BaseHTTPRequestHandler):
    """As much of S3's API as reading takes: the objects of one bucket are the files of a folder."""

    protocol_version = "HTTP/1.1"
    folder: Path

    def do_HEAD(self) -> None:
        """An object's size, or whether it is there."""
        self._answer(body=False)

    def do_GET(self) -> None:
        """An object, a part of it, or a list."""
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        url = urlsplit(self.path)
        bucket, _, key = unquote(url.path).lstrip("/").partition("/")
        asked = {name: values[0] for name, values in parse_qs(url.query, keep_blank_values=True).items()}
        if bucket != "logs":
            self._send(404, b"", body)
        elif not key:
            self._send(200, self._listed(asked) if "list-type" in asked else b"", body)
        elif (self.folder / key).is_file():
            self._object((self.folder / key).read_bytes(), body)
        else:
            self._send(404, b"", body)

    def _listed(self, asked: dict[str, str]) -> bytes:
        prefix, deep = asked.get("prefix", ""), not asked.get("delimiter")
        keys = [str(path.relative_to(self.folder)) for path in sorted(self.folder.rglob("*")) if path.is_file()]
        keys = [key for key in keys if key.startswith(prefix)]
        here = [key for key in keys if deep or "/" not in key[len(prefix) :]]
        under = sorted({prefix + key[len(prefix) :].split("/")[0] + "/" for key in keys if key not in here})
        objects = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{(self.folder / key).stat().st_size}</Size>"
            "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"
            for key in here
        )
        folders = "".join(f"<CommonPrefixes><Prefix>{escape(one)}</Prefix></CommonPrefixes>" for one in under)
        count = f"<KeyCount>{len(here) + len(under)}</KeyCount><IsTruncated>false</IsTruncated>"
        return f"<ListBucketResult>{count}{objects}{folders}</ListBucketResult>".encode()

    def _object(self, content: bytes, body: bool) -> None:
        wanted = self.headers.get("Range")
        if not wanted:
            self._send(200, content, body)
            return
        start, _, end = wanted.removeprefix("bytes=").partition("-")
        last = min(int(end), len(content) - 1)
        part = content[int(start) : last + 1]
        self._send(206, part, body, {"Content-Range": f"bytes {start}-{last}/{len(content)}"})

    def _send(self, status: int, content: bytes, body: bool, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        headers = {
            "Content-Length": str(len(content)),
            "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT",
            **(headers or {}),
        }
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder of logs: two Parquet files, one in a folder of its own, a packed one, and what is no log."""
    folder = tmp_path / "logs"
    (folder / "days" / "2").mkdir(parents=True)
    for name, held in (("days/1.parquet", TURNS[:12]), ("days/2/2.parquet", TURNS[12:])):
        pq.write_table(pa.Table.from_pylist(held), folder / name, row_group_size=5)
    (folder / "days" / "notes.txt").write_text("not a log")
    (folder / "days" / ".hidden.parquet").write_text("not a log")
    (folder / "one.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, TURNS)).encode()))
    return folder


@pytest.fixture
def store(logs: Path) -> Iterator[tuple[str, str]]:
    """What comes before and behind a path in the URI of a bucket."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bucket", (S3,), {"folder": logs}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    where = f"endpoint_override=127.0.0.1:{server.server_address[1]}&scheme=http&region=here"
    yield "s3://SOMEKEY:SECRET@logs/", f"?{where}"
    server.shutdown()
    server.server_close()


def test_an_object_store_is_like_a_folder(store: tuple[str, str], logs: Path, tmp_path: Path) -> None:
    """A folder, a pattern, a packed file: the turns of a RUN are those of the local files; no secret is kept."""
    start, end = store
    for number, name in enumerate(("days", "days/*.parquet", "days/**/*.parquet", "one.jsonl.gz")):
        here, there = tmp_path / f"here{number}", tmp_path / f"there{number}"
        assert score(f"{start}{name}{end}", there) == score(str(logs / name), here)
        about = json.loads((there / "run.json").read_text())
        assert about["logs"] == [f"s3://logs/{name}"]
        assert about["settings"] == json.loads((here / "run.json").read_text())["settings"]
        assert "SECRET" not in (there / "run.json").read_text()
    assert pieces(f"{start}days{end}", 7) == pieces(str(logs / "days"), 7)
    with find_sources([f"{start}days{end}"]) as sources:
        assert [source.shown for source in sources] == ["s3://logs/days/1.parquet", "s3://logs/days/2/2.parquet"]
        assert "SECRET" not in repr(sources)


def test_a_file_uri(logs: Path, tmp_path: Path) -> None:
    """`file://` goes the same way, without a server."""
    assert score(f"file://{logs}/days", tmp_path / "there") == score(str(logs / "days"), tmp_path / "here")
    assert pieces(f"file://{logs}/days/[12].parquet", 5) == pieces(str(logs / "days/1.parquet"), 5)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("absent", "s3://logs/absent: no such file"),
        ("absent/*.parquet", r"s3://logs/absent/\*.parquet: no file matches"),
        ("days/*.csv", r"s3://logs/days/\*.csv: no file matches"),
        ("a b^", "no URI that can be read: pyarrow opens s3://"),
    ],
)
def test_what_is_not_there(store: tuple[str, str], name: str, said: str) -> None:
    """It is named, without the secret."""
    start, end = store
    with pytest.raises(InputError, match=said) as raised, find_sources([f"{start}{name}{end}"]):
        pass
    assert "SECRET" not in str(raised.value)


def test_a_scheme_that_nobody_knows() -> None:
    """What can be read is named."""
    said = "nobody://host/log: no URI that can be read: pyarrow opens s3://"
    with pytest.raises(InputError, match=said), find_sources(["nobody://me:SECRET@host/log"]):
        pass


def test_a_run_lies_in_a_file_system(logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An object store neither locks nor renames: that is said, and no folder `s3:` is made."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="a RUN lies in a folder of a file system"):
        score_log(ScoreJob((str(logs / "days"),), Path("s3://bucket/run")), Evaluator(), CallLog())
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_an_iceberg_table(lake: Any, tmp_path: Path) -> None:
    """Its rows come commit by commit, the same however they are cut; deleted ones do not; a new snapshot is told."""
    table = lake.create_table("app.turns", schema=pa.Table.from_pylist(TURNS).schema)
    for rows in (TURNS[20:], TURNS[:12], TURNS[12:20]):
        table.append(pa.Table.from_pylist(rows))
    log = "iceberg:lake.app.turns"
    with find_sources([log]) as sources:
        found = list(read_records(sources))
        fingerprint = sources[0].fingerprint()
    assert [record.fields for record in found] == TURNS[20:] + TURNS[:12] + TURNS[12:20]
    assert (found[11].row, found[11].place) == (11, "iceberg:lake.app.turns:12")
    assert fingerprint["snapshot"] == table.current_snapshot().snapshot_id
    for size in (1, 7, 10, 100):
        assert pieces(log, size) == found

    run = tmp_path / "run"
    before = score(log, run)
    assert json.loads((run / "run.json").read_text())["logs"] == [log]
    table.delete("question = 'How many orders were placed in 2003?'")
    with pytest.raises(RunExistsError, match=r"iceberg:lake\.app\.turns has changed since"):
        score(log, run)
    assert score(f"{log}@{fingerprint['snapshot']}", run) == before
    left = [record.fields for record in pieces(log, 7)]
    assert sorted(map(str, left)) == sorted(str(turn) for turn in TURNS if "2003" not in turn["question"])


def test_a_run_becomes_an_iceberg_table(lake: Any, logs: Path, tmp_path: Path) -> None:
    """Its parts are taken into a table as they are, as the page of clusters shows it; and not twice."""
    run = tmp_path / "run"
    score(str(logs / "days"), run)
    parts = sorted(map(str, run.glob("turns/*.parquet")))
    table = lake.create_table("app.scores", schema=pq.read_schema(parts[0]))
    table.add_files(parts)
    stored = pa.concat_tables([pq.read_table(part) for part in parts])
    found = table.scan().to_arrow().sort_by("row").select(stored.column_names)
    assert found.cast(stored.schema).equals(stored)
    with pytest.raises(ValueError, match="already referenced"):
        table.add_files(parts)


@pytest.mark.parametrize(
    ("log", "error", "said"),
    [
        ("iceberg:lake.turns", UserError, "write a table as iceberg:CATALOG.NAMESPACE.TABLE"),
        ("iceberg:lake.app.turns@now", UserError, "write a table as iceberg:CATALOG.NAMESPACE.TABLE"),
        ("iceberg:lake.app.absent", InputError, "iceberg:lake.app.absent: cannot be read: .*absent"),
        ("iceberg:sea.app.turns", InputError, "iceberg:sea.app.turns: cannot be read"),
        ("iceberg:lake.app.empty", InputError, "the table holds no rows yet"),
        ("iceberg:lake.app.empty@7", InputError, "no such snapshot"),
    ],
)
def test_a_table_that_cannot_be_read(lake: Any, log: str, error: type[UserError], said: str) -> None:
    """It is named, with what is wrong."""
    lake.create_table_if_not_exists("app.empty", schema=pa.Table.from_pylist(TURNS).schema)
    with pytest.raises(error, match=said), find_sources([log]):
        pass
