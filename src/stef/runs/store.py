"""What was paid for, kept in SQLite by what was asked: judgements, and the single replies that they rest on."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from stef.errors import StoreError

APPLICATION: Final = 0x53544546  # "STEF"
VERSION: Final = 1
_PAUSE: Final = 0.02
"""Seconds between two commits: what a kill can lose was asked in the last 50 ms."""

_LOCK_WAIT: Final = 30.0
JUDGEMENTS: Final = "judgements"
REPLIES: Final = "replies"
_TABLES: Final = (JUDGEMENTS, REPLIES)

Change = tuple[str, bytes, bytes | None]


class Store:
    """One SQLite file. What is written is read back at once, and on disk within 50 ms.

    Several runs may share a file: each sees what the others have written. `scope` belongs to every key: what one server
    answered is not taken for what another would. Raises StoreError wherever the file cannot be used.
    """

    def __init__(self, path: Path, scope: str = "", lock_wait: float = _LOCK_WAIT) -> None:
        self.path = path
        self.scope = scope
        self._lock_wait = lock_wait
        self._pending: dict[tuple[str, bytes], bytes | None] = {}
        self._writing: dict[tuple[str, bytes], bytes | None] = {}
        self._changed = threading.Condition()
        self._closing = False
        self._failure: StoreError | None = None
        with _named(path):
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600)
            self._reader = self._connected()
            _prepare(self._reader, path)
        self._thread = threading.Thread(target=self._write_all, name="stef-store", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def read(self, table: str, key: bytes) -> bytes | None:
        """What is kept under `key`."""
        self._check()
        place = (table, key)
        with self._changed:
            for waiting in (self._pending, self._writing):
                if place in waiting:
                    return waiting[place]
        with _named(self.path):
            found = self._reader.execute(f"SELECT value FROM {table} WHERE key = ?", (key,)).fetchone()  # noqa: S608
        return None if found is None else bytes(found[0])

    def write(self, table: str, key: bytes, value: bytes | None) -> None:
        """Keep `value` under `key`; None: keep nothing there."""
        self._check()
        with self._changed:
            self._pending[table, key] = value
            self._changed.notify()

    def close(self) -> None:
        """Write what is waiting, and let go of the file. Raises StoreError where it could not be written."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()
        self._reader.close()
        self._check()

    def table(self, name: str) -> "Table":
        """One of its tables, as a Keeper."""
        return Table(self, name)

    def _connected(self) -> sqlite3.Connection:
        # Autocommit; transactions are begun by hand. The reader may be used by another thread than made it.
        connection = sqlite3.connect(
            self.path, timeout=self._lock_wait, isolation_level=None, check_same_thread=False, cached_statements=32
        )
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _write_all(self) -> None:
        try:
            with _named(self.path):
                writer = self._connected()
                try:
                    while self._write_some(writer):
                        pass
                finally:
                    writer.close()
        except StoreError as error:
            self._failure = error

    def _write_some(self, writer: sqlite3.Connection) -> bool:
        """Wait for changes and commit them; False at the end."""
        with self._changed:
            while not self._pending and not self._closing:
                self._changed.wait()
            if not self._pending:
                return False
            closing = self._closing
        if not closing:
            threading.Event().wait(_PAUSE)
        with self._changed:
            self._writing, self._pending = self._pending, {}
        _commit(writer, [(*place, value) for place, value in self._writing.items()])
        with self._changed:
            self._writing = {}
        return True


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a Store. Keys of another scope are others."""

    store: Store
    name: str

    def read(self, key: bytes) -> bytes | None:
        """What is kept under `key`."""
        return self.store.read(self.name, self._scoped(key))

    def write(self, key: bytes, value: bytes) -> None:
        """Keep `value` under `key`."""
        self.store.write(self.name, self._scoped(key), value)

    def forget(self, key: bytes) -> None:
        """Keep nothing under `key` any longer."""
        self.store.write(self.name, self._scoped(key), None)

    def _scoped(self, key: bytes) -> bytes:
        if not self.store.scope:
            return key
        import hashlib  # noqa: PLC0415  only for servers of one's own

        return hashlib.sha256(key + self.store.scope.encode()).digest()


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make an empty file a store. Raises StoreError for a database of somebody else's, or of a newer stef."""
    if _is_store(connection, path):
        return
    if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another run may have made it meanwhile.
        if _is_store(connection, path):
            return
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise StoreError(f"{path}: a database that is no store of stef's; name another file with --store")
        for table in _TABLES:
            connection.execute(f"CREATE TABLE {table} (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
    finally:
        connection.execute("COMMIT")


def _is_store(connection: sqlite3.Connection, path: Path) -> bool:
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        return False
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        raise StoreError(f"{path}: a store of another version of stef ({version}); name another with --store")
    return True


def _commit(writer: sqlite3.Connection, changes: list[Change]) -> None:
    writer.execute("BEGIN IMMEDIATE")
    for table, key, value in changes:
        if value is None:
            writer.execute(f"DELETE FROM {table} WHERE key = ?", (key,))  # noqa: S608  our own names
        else:
            writer.execute(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", (key, value))  # noqa: S608
    writer.execute("COMMIT")


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """SQLite's errors as a StoreError that says what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreError(f"{path}: {_why(str(error))}") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(
            f"{path}: the store of judgements is damaged ({error}); move it away, and what it held is asked again, "
            "or name another with --store"
        ) from error
    except OSError as error:
        raise StoreError(
            f"{path}: the store of judgements cannot be used: {error.strerror or error}; name another with --store, "
            "or do without: --no-store"
        ) from error


def _why(said: str) -> str:
    if "locked" in said or "busy" in said:
        return (
            "another program has kept the store of judgements locked; let it end, name another with --store, or do "
            "without: --no-store"
        )
    if "full" in said:
        return "the disk is full; make room, and the same command goes on"
    return f"the store of judgements cannot be used: {said}; name another with --store, or do without: --no-store"
