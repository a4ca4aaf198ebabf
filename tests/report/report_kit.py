"""What the tests of reports share: RUNs made by the command line, hostile texts, and a real browser."""

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from stef.cli.app import build

HOSTILE = (
    '</script></pre><script>window.pwned=1;alert(1)</script><img src="{url}/img" onerror="alert(2)">'
    '<svg onload="alert(3)"><a href="javascript:alert(4)">x</a><iframe src="{url}/frame"></iframe>'
    "<style>@import '{url}/css';</style><!-- ]]> {{{{ 7 * 7 }}}} ${{alert(5)}} &lt;b&gt; '\"` \u202egnp.exe \x07"
)
CITIES = ("Oslo", "Rome", "Lima", "Bern", "Kyiv", "Baku", "Riga", "Doha")


def stef(*arguments: object) -> Any:
    """Run the command in this process; it must end well."""
    result = CliRunner().invoke(build(), [str(one) for one in arguments])
    assert result.exit_code == 0, result.output
    return result


def turn(name: str, version: str, question: str, sql: str | None, **more: Any) -> dict[str, Any]:
    """A record of a log."""
    return {"id": name, "question": question, "sql": sql, "agent": "bot", "agent_version": version, **more}


def city_turns(version: str, cities: Iterable[str] = CITIES, *, forgets: int = 0) -> list[dict[str, Any]]:
    """One question a city, a day apart; the first `forgets` of the queries forget the city."""
    turns = []
    for number, city in enumerate(cities):
        where = "" if number < forgets else f" WHERE city = '{city}'"
        question, sql = f"How many customers live in {city}?", f"SELECT COUNT(*) FROM customers{where}"
        day = f"2026-03-{number + 1:02}T09:00:00Z"
        turns.append(turn(f"{version}-{city}", version, question, sql, database="shop", timestamp=day))
    return turns


def scored_run(folder: Path, records: Iterable[dict[str, Any]], *options: object) -> Path:
    """A RUN of stef score of these records."""
    log = folder.with_suffix(".jsonl")
    log.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    stef("score", log, "-o", folder, *options)
    return folder


def hostile_turns(url: str) -> list[dict[str, Any]]:
    """Turns whose every text tries to get out; `url` must never be asked for anything."""
    text = HOSTILE.format(url=url)
    quoted = text.replace("'", "''")
    names = {"agent": text, "agent_version": text, "app": text, "database": text, "session": text}
    return [
        {
            **turn(text, "1", f"List the customers named '{text}'", f"SELECT name FROM c WHERE name = '{quoted}'"),
            **names,
        },
        {**turn("enriched", "1", "List the customers", "SELECT a FROM c"), "enriched_question": text, **names},
        turn("no sql " + text, "1", text, text),
        turn("long", "1", "x" * 3000, f"SELECT '{'y' * 3000}' FROM t"),
    ]


def hostile_checks(run: Path, folder: Path, url: str) -> Path:
    """What stef verify finds for a RUN on a database whose table, columns and values try to get out."""
    import sqlite3

    text = HOSTILE.format(url=url).replace("\x07", "")
    quoted = text.replace('"', '""')
    with sqlite3.connect(folder / "hostile.sqlite") as database:
        database.execute(f'CREATE TABLE c (name TEXT, a TEXT, "{quoted}" TEXT)')
        database.executemany("INSERT INTO c VALUES (?, ?, ?)", [(text, text, text), ("a", "b", "c")])
    stef("verify", run, "--db", f"sqlite:///{folder / 'hostile.sqlite'}", "-o", folder / "checks")
    return folder / "checks"


def hostile_gold_run(folder: Path, url: str) -> Path:
    """A gold RUN of two turns whose texts try to get out: one is right, one is wrong."""
    import sqlite3

    text = HOSTILE.format(url=url).replace("\x07", "")
    folder.mkdir()
    with sqlite3.connect(folder / "shop.sqlite") as database:
        database.execute("CREATE TABLE c (name TEXT)")
        database.executemany("INSERT INTO c VALUES (?)", [("a",), ("b",)])
    gold = "SELECT COUNT(*) FROM c"
    cases = [{"id": text, "question": text, "gold_sql": [gold]}, {"id": "q2", "question": "q2", "gold_sql": [gold]}]
    wrong = {"case_id": text, "question": text, "sql": "SELECT COUNT(*) + 1 FROM c", "agent": text}
    turns = [wrong, {"case_id": "q2", "question": "q2", "sql": gold, "agent": text}]
    for name, records in (("cases", cases), ("turns", turns)):
        lines = "".join(json.dumps(record) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    agent, database = f"replay:{folder / 'turns.jsonl'}", f"sqlite:///{folder / 'shop.sqlite'}"
    stef("gold", "run", folder / "cases.jsonl", "--db", database, "--agent", agent, "-o", folder / "run")
    return folder / "run"


def many_turns(run: Path, times: int) -> Path:
    """The RUN with each turn `times` times over, under rows and ids of their own."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    part = next((run / "turns").glob("*.parquet"))
    table = pq.read_table(part)
    copies = []
    for copy in range(times):
        rows = pa.array([copy * len(table) + number for number in range(len(table))], pa.int64())
        ids = pa.array([f"{one}-{copy}" for one in table["id"].to_pylist()])
        whole = table.set_column(table.schema.get_field_index("row"), table.schema.field("row"), rows)
        copies.append(whole.set_column(table.schema.get_field_index("id"), "id", ids))
    pq.write_table(pa.concat_tables([one.cast(table.schema) for one in copies]), part)
    return run


def chromium() -> tuple[str, str] | None:
    """The browser and its driver on this machine; STEF_CHROMIUM and STEF_CHROMEDRIVER name others."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    browser = os.environ.get("STEF_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    driver = os.environ.get("STEF_CHROMEDRIVER") or shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None
