"""Opening and closing: what is wrong shows at once, nothing is created, nothing is left open, no secret is said."""

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from databases_kit import MAKERS, Engines, sqlite_engine

from stef.databases import Database, Databases, Limits, open_database
from stef.databases.server import ServerDatabase
from stef.errors import StefError, UserError
from stef.records.result import Failure, FailureKind, Result

SECRET = "pa55-w0rd"
USER = "zoe-q"


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_missing_file_is_not_created(kind: str, tmp_path: Path) -> None:
    """The user hears that it is not there, and it still is not there."""
    with pytest.raises(UserError, match="no such file"):
        open_database(f"{kind}:///{tmp_path}/none")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_file_that_is_no_database_is_refused(kind: str, tmp_path: Path) -> None:
    """A text file is no database."""
    path = tmp_path / "text"
    path.write_text("a,b\n1,2\n" * 1000)
    with pytest.raises(UserError, match="cannot be opened"):
        open_database(f"{kind}:///{path}")


@pytest.mark.parametrize(
    ("url", "kind", "says"),
    [
        ("", UserError, "begins with its kind"),
        ("file.sqlite", UserError, "begins with its kind"),
        ("sqlite://", UserError, "names a file"),
        ("sqlite:///:memory:", UserError, "names a file"),
        (f"postgresql://{USER}:{SECRET}@127.0.0.1:1/x", StefError, "refused"),
        (f"mysql://{USER}:{SECRET}@127.0.0.1:1/x", StefError, "refused"),
        (f"postgresql://{USER}:{SECRET}@127.0.0.1:port/x", UserError, "cannot be read"),
        (f"postgresql+asyncpg://{USER}:{SECRET}@h/x", UserError, "asynchronous|not installed"),
        (f"nosuch://{USER}:{SECRET}@h/x", UserError, "no such database"),
        (f"oracle://{USER}:{SECRET}@h/x", UserError, "oracledb is not installed"),
    ],
)
def test_what_is_wrong_with_a_url_is_said_without_its_secret(url: str, kind: type[StefError], says: str) -> None:
    """The user's mistake is a UserError, a server that is down is none; neither repeats user or password."""
    with pytest.raises(kind, match=says) as raised:
        open_database(url)
    assert isinstance(raised.value, UserError) == (kind is UserError)
    said = f"{raised.value!r} {raised.value.__cause__!r}"
    assert SECRET not in said
    assert USER not in said


def test_a_wrong_login_is_the_users_mistake_and_says_no_secret(tmp_path: Path) -> None:
    """Servers that refuse a login, or know no such database."""
    for name in ("postgres", "mysql"):
        with MAKERS[name](tmp_path) as made:
            server = made.url.partition("://")[2].rpartition("@")[2].partition("/")[0]
            with pytest.raises(UserError) as raised:
                open_database(f"{name}://nobody_there:{SECRET}@{server}/no_such_database")
            assert SECRET not in str(raised.value)
            assert "nobody_there" not in str(raised.value)


@pytest.mark.parametrize("kind", ["postgresql", "mysql"])
def test_a_port_that_never_answers_is_a_database_that_is_down(kind: str) -> None:
    """Whoever listens there says nothing; opening ends all the same."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(StefError) as raised:
            open_database(f"{kind}://{USER}:{SECRET}@127.0.0.1:{port}/x?connect_timeout=1")
    assert not isinstance(raised.value, UserError)
    assert SECRET not in str(raised.value)


def test_a_missing_driver_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pip install 'stef[postgres]'` is the way out."""
    for driver, extra in (("psycopg", "postgres"), ("pymysql", "mysql")):
        monkeypatch.setitem(sys.modules, driver, None)
        with pytest.raises(UserError, match=rf"stef\[{extra}\]"):
            open_database(f"{extra}{'ql' if extra == 'postgres' else ''}://127.0.0.1/x")


def test_no_name_no_text_of_an_object_and_no_failure_holds_a_secret() -> None:
    """A database with a password in its URL, seen from all sides; its server is down."""
    from sqlalchemy.engine import make_url

    database = ServerDatabase(make_url(f"mysql+pymysql://{USER}:{SECRET}@127.0.0.1:1/x?ssl_key={SECRET}2"))
    failure = database.run("SELECT 1")
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.DATABASE_DOWN
    with pytest.raises(StefError) as raised:
        database.schema()
    for said in (database.name, repr(database), str(database), repr(failure), repr(raised.value)):
        assert SECRET not in said
        assert USER not in said
    assert database.name == "mysql://127.0.0.1:1/x"


def test_nothing_is_left_open(engine: Engines) -> None:
    """After `close` no file, socket or thread is held, whatever the queries came to."""
    before, threads = _descriptors(), set(threading.enumerate())
    database = open_database(engine.url)
    with ThreadPoolExecutor(4) as pool:
        for sql in ("SELECT 1", "SELECT nope", "SELECT * FROM customer, purchase", "DROP TABLE customer"):
            list(pool.map(database.run, [sql] * 3, [Limits(), Limits(rows=1), Limits(cells=1)]))
    database.schema()
    database.close()
    assert _descriptors() <= before
    left = [thread for thread in threading.enumerate() if thread not in threads and not thread.daemon]
    assert not left


def _descriptors() -> set[str]:
    """What this process holds open of files and sockets; pipes are the test runner's."""
    found = set()
    for link in Path("/proc/self/fd").iterdir():
        try:
            target = str(link.readlink())
        except OSError:
            continue
        if target.startswith(("/", "socket:")) and not target.startswith(("/dev", "/proc")):
            found.add(target)
    return found


def test_threads_share_a_database(engine: Engines, database: Database) -> None:
    """Queries of several threads, one of which overruns, do not disturb each other."""
    endless = {
        "sqlite": "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT sum(x) FROM a",
        "duckdb": "SELECT max(a.range::VARCHAR || b.range) FROM range(1000000) AS a, range(1000000) AS b",
        "postgres": "SELECT count(*) FROM generate_series(1, 1000000000) AS a",
        "mysql": "SELECT count(*) FROM {0} AS a, {0} AS b, {0} AS c".format("information_schema.columns"),
    }[engine.name]

    def ask(number: int) -> object:
        if number % 10 == 0:
            failed = database.run(endless, Limits(timeout=0.05))
            return failed.kind if isinstance(failed, Failure) else failed
        found = database.run(f"SELECT {number}, count(*) FROM customer")
        return tuple(column[0] for column in found.columns) if isinstance(found, Result) else found

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(ask, range(60)))
    expected = [FailureKind.TIMEOUT if number % 10 == 0 else (number, 3) for number in range(60)]
    assert answers == expected


def test_a_connection_that_went_away_while_idle_is_replaced(engine: Engines, database: Database) -> None:
    """A server that closed the connection between two queries is asked again."""
    if not isinstance(database, ServerDatabase):
        pytest.skip("has no server")
    whose = {"postgres": "SELECT pg_backend_pid()", "mysql": "SELECT CONNECTION_ID()"}[engine.name]
    end = {"postgres": "SELECT pg_terminate_backend({})", "mysql": "KILL {}"}[engine.name]
    own = database.run(whose)
    assert isinstance(own, Result)
    engine.execute(end.format(own.columns[0][0]))
    time.sleep(0.2)
    again = database.run(whose)
    assert isinstance(again, Result), again
    assert again.columns != own.columns


def test_many_databases_come_from_one_url(tmp_path: Path) -> None:
    """`{database}` in the URL is the case's database; few stay open, and all are closed at the end."""
    import sqlite3

    for name in ("a", "b c", "d-1"):
        with sqlite3.connect(tmp_path / f"{name}.sqlite") as connection:
            connection.execute("CREATE TABLE t (x)")
            connection.execute("INSERT INTO t VALUES (?)", (name,))
        connection.close()
    before = _descriptors()
    with Databases(f"sqlite:///{tmp_path}/{{database}}.sqlite", most_open=2) as databases:
        for name in ("a", "b c", "d-1", "a"):
            found = databases.get(name).run("SELECT x FROM t")
            assert isinstance(found, Result)
            assert found.columns == ((name,),)
        assert databases.get("a") is databases.get("a")
        with pytest.raises(UserError, match="no such file"):
            databases.get("e")
        with pytest.raises(UserError, match="names no database"):
            databases.get(None)
        for hostile in ("../a", "a/../../etc/passwd", "", "a?mode=rw", "a\x00b"):
            with pytest.raises(UserError):
                databases.get(hostile)
    assert _descriptors() <= before


def test_a_url_without_a_place_serves_every_name(tmp_path: Path) -> None:
    """One database for all cases."""
    with sqlite_engine(tmp_path) as made, Databases(made.url) as databases:
        assert databases.get("x") is databases.get(None)


def test_any_engine_of_sqlalchemys_is_run_the_general_way(tmp_path: Path) -> None:
    """Without a module of its own an engine has the guard, the time limit, the cut and the inspector."""
    from sqlalchemy.engine import make_url

    with sqlite_engine(tmp_path) as made:
        database = ServerDatabase(make_url(made.url.replace("sqlite:", "sqlite+pysqlite:")))
        before = made.content()
        database.reach()
        found = database.run("SELECT name, 'a%sb' FROM customer ORDER BY id", Limits(rows=2))
        assert isinstance(found, Result)
        assert (found.columns, found.cut) == ((["Ada", "Bo"], ["a%sb", "a%sb"]), "row_limit")
        kinds = [database.run(sql, Limits(timeout=0.2)) for sql in _GENERAL]
        assert [one.kind for one in kinds if isinstance(one, Failure)] == list(_GENERAL.values())
        assert database.schema().tables["purchase"].foreign_keys[0].table == "customer"
        assert isinstance(database.run("SELECT 1"), Result)
        database.close()
        assert made.content() == before


_GENERAL = {
    "SELECT nme FROM customer": FailureKind.UNKNOWN_COLUMN,
    "SELECT * FROM custmer": FailureKind.UNKNOWN_TABLE,
    "SELECT * FORM customer c": FailureKind.SYNTAX,
    "DROP TABLE customer": FailureKind.NOT_ONE_QUERY,
    "WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT sum(x) FROM a": FailureKind.TIMEOUT,
    "SELECT abs(-9223372036854775808)": FailureKind.EXECUTION,
}


def test_a_sqlite_file_in_a_folder_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    """A read-only copy is enough, also of a file in WAL mode; run as a user who may write nowhere."""
    import sqlite3

    with sqlite_engine(tmp_path) as made:
        with sqlite3.connect(tmp_path / "small.sqlite") as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.close()
        code = (
            "import os, sys\n"
            "from stef.databases import open_database\n"
            "import stef.databases.sqlite_file\n"
            f"os.chmod({str(tmp_path)!r}, 0o555)\n"
            "if os.getuid() == 0: os.setuid(65534)\n"
            f"database = open_database({made.url!r})\n"
            "print(database.run('SELECT count(*) FROM customer').columns)"
        )
        try:
            for folder in (tmp_path, *tmp_path.parents[:-2]):
                if folder.stat().st_uid == os.getuid():
                    folder.chmod(folder.stat().st_mode | 0o055)
            said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        finally:
            tmp_path.chmod(0o755)
        assert said.stdout.strip() == "((3,),)", said.stderr


@pytest.mark.parametrize("limits", [{"timeout": 0}, {"timeout": float("inf")}, {"rows": -1}, {"cells": -1}])
def test_a_limit_that_is_none_is_refused(limits: dict[str, float]) -> None:
    """No time, endless time, fewer rows than none."""
    with pytest.raises(UserError):
        Limits(**limits)


def test_importing_the_package_loads_no_driver() -> None:
    """Drivers are loaded by the database that needs them."""
    code = (
        "import sys, stef.databases\n"
        "print([name for name in ('duckdb', 'sqlalchemy', 'psycopg', 'pymysql', 'pyarrow') if name in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
