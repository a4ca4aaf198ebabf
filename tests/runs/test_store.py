"""The store of what was paid for: kept, shared, locked, damaged."""

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stef.errors import StoreError
from stef.runs.store import JUDGEMENTS, REPLIES, Store

KEY = b"k" * 32


def test_what_is_written_is_read_at_once_and_later(tmp_path: Path) -> None:
    """By the same run before it is on disk, and by the next one; a table is not another one."""
    with Store(tmp_path / "deep" / "s.sqlite") as store:
        table = store.table(JUDGEMENTS)
        table.write(KEY, b"one")
        assert table.read(KEY) == b"one"
        assert store.table(REPLIES).read(KEY) is None
        table.forget(KEY)
        assert table.read(KEY) is None
        table.write(KEY, b"two")
    with Store(tmp_path / "deep" / "s.sqlite") as store:
        assert store.table(JUDGEMENTS).read(KEY) == b"two"
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["s.sqlite"]
    assert (tmp_path / "deep" / "s.sqlite").stat().st_mode & 0o077 == 0


def test_one_server_does_not_answer_for_another(tmp_path: Path) -> None:
    """The same question to the same name at another address is another question."""
    with Store(tmp_path / "s", scope="http://a") as store:
        store.table(JUDGEMENTS).write(KEY, b"a")
    for scope, found in (("http://a", b"a"), ("http://b", None), ("", None)):
        with Store(tmp_path / "s", scope=scope) as store:
            assert store.table(JUDGEMENTS).read(KEY) == found


def test_a_kill_loses_what_is_not_committed_only(tmp_path: Path) -> None:
    """What was written some moments ago outlasts kill -9."""
    script = (
        "import sys, time, pathlib; from stef.runs.store import *; s = Store(pathlib.Path(sys.argv[1]));"
        f"s.table(JUDGEMENTS).write({KEY!r}, b'paid'); time.sleep(0.5); print('now', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "s")], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"now\n"
    process.kill()
    process.communicate()
    with Store(tmp_path / "s") as store:
        assert store.table(JUDGEMENTS).read(KEY) == b"paid"


def test_two_runs_share_a_store(tmp_path: Path) -> None:
    """Each sees what the other has written, while both are open."""
    with Store(tmp_path / "s") as one, Store(tmp_path / "s") as other:
        for number in range(100):
            (one, other)[number % 2].table(JUDGEMENTS).write(bytes([number]) * 32, b"x")
        deadline = time.monotonic() + 30
        while one.table(JUDGEMENTS).read(bytes([99]) * 32) is None:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_a_lock_that_stays_is_named(tmp_path: Path) -> None:
    """With what can be done about it; a lock that goes in time costs nothing."""
    Store(tmp_path / "s").close()
    holder = sqlite3.connect(tmp_path / "s", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    store = Store(tmp_path / "s", lock_wait=0.2)
    store.table(JUDGEMENTS).write(KEY, b"x")
    with pytest.raises(StoreError, match=r"s: another program has kept .* locked.*--store.*--no-store"):
        store.close()
    patient = Store(tmp_path / "s", lock_wait=30.0)
    patient.table(JUDGEMENTS).write(KEY, b"y")
    time.sleep(0.3)
    holder.execute("ROLLBACK")
    patient.close()
    with Store(tmp_path / "s") as store:
        assert store.table(JUDGEMENTS).read(KEY) == b"y"


def test_a_damaged_store_is_named(tmp_path: Path) -> None:
    """Garbage in place of it, and garbage in the middle of it."""
    (tmp_path / "garbage").write_bytes(os.urandom(10_000))
    with pytest.raises(StoreError, match=r"garbage: the store of judgements is damaged .*move it away.*--store"):
        Store(tmp_path / "garbage")
    with Store(tmp_path / "s") as store:
        for number in range(2000):
            store.table(JUDGEMENTS).write(number.to_bytes(32, "big"), b"x" * 500)
    content = bytearray((tmp_path / "s").read_bytes())
    content[4096:-1] = bytes(len(content) - 4097)
    (tmp_path / "s").write_bytes(content)
    with pytest.raises(StoreError, match="damaged"), Store(tmp_path / "s") as store:
        for number in range(2000):
            store.table(JUDGEMENTS).read(number.to_bytes(32, "big"))


def test_no_store_of_ours_is_left_alone(tmp_path: Path) -> None:
    """A database of somebody else's, a store of a later stef, a folder, a place that cannot be written."""
    foreign = sqlite3.connect(tmp_path / "foreign")
    foreign.execute("CREATE TABLE t (x)")
    foreign.close()
    with pytest.raises(StoreError, match="no store of stef's"):
        Store(tmp_path / "foreign")
    Store(tmp_path / "newer").close()
    newer = sqlite3.connect(tmp_path / "newer")
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(StoreError, match="another version"):
        Store(tmp_path / "newer")
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "s", Path("/proc/nowhere/s")):
        with pytest.raises(StoreError, match="--no-store"):
            Store(path)
