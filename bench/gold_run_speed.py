"""Pairs of queries run and compared on SQLite: python bench/gold_run_speed.py [pairs]. CPU seconds, one process.

Each query gives about 100 rows of five columns. Four lines: the bare floor, both queries run and fetched by sqlite3
alone; both run by stef and the exact match; both run and the whole output family; and all that `stef gold run` does for
a turn (reading and resolving both queries, every family, the record).
"""

import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from stef.databases import Databases, Limits, open_database
from stef.gold.exact import exact_match
from stef.gold.output import compare_results
from stef.records.asking import AgentReply
from stef.records.case import Case
from stef.records.result import Result
from stef.records.turn import Turn
from stef.rules import RuleBook
from stef.runs.gold.asking import Told
from stef.runs.gold.plan import Item
from stef.runs.gold.work import Workbench

GROUPS, ROWS = 50, 5_000
COLUMNS = ("id", "name", "city", "price", "sold")


def database(path: Path) -> Path:
    """Rows in groups of a hundred."""
    draw = random.Random(7)
    rows = [
        (
            number,
            number % GROUPS,
            f"name {number}",
            f"city {draw.randrange(40)}",
            draw.random() * 100,
            draw.randrange(9),
        )
        for number in range(ROWS)
    ]
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TABLE item (id INTEGER PRIMARY KEY, grp INT, name TEXT, city TEXT, price REAL, sold INT)"
        )
        connection.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.execute("CREATE INDEX by_group ON item (grp)")
    return path


def queries(count: int) -> list[tuple[str, str]]:
    """A gold and a candidate: the same rows, in another order, with a column less, a condition more, another price."""
    draw = random.Random(11)
    found = []
    for number in range(count):
        where = f"FROM item WHERE grp = {draw.randrange(GROUPS)}"
        gold = f"SELECT {', '.join(COLUMNS)} {where}"
        shuffled = draw.sample(COLUMNS, len(COLUMNS))
        others = (
            f"SELECT {', '.join(shuffled)} {where}",
            f"SELECT {', '.join(COLUMNS)} {where} ORDER BY price",
            f"SELECT {', '.join(COLUMNS[:4])} {where}",
            f"SELECT {', '.join(COLUMNS)} {where} AND sold < 6",
            f"SELECT id, name, city, price + 1 AS price, sold {where}",
        )
        found.append((gold, others[number % len(others)]))
    return found


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of three rounds."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    """Print pairs per CPU second."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    pairs = queries(count)
    with tempfile.TemporaryDirectory() as folder:
        path = database(Path(folder) / "items.sqlite")
        bare = sqlite3.connect(path)
        live = open_database(f"sqlite:///{path}")

        def floor() -> None:
            for gold, candidate in pairs:
                bare.execute(gold).fetchall()
                bare.execute(candidate).fetchall()

        def exact() -> None:
            for gold, candidate in pairs:
                exact_match(live.run(gold, Limits()), live.run(candidate, Limits()))  # type: ignore[arg-type]

        def output() -> None:
            for gold, candidate in pairs:
                reference = live.run(gold, Limits())
                assert isinstance(reference, Result)
                compare_results(reference, live.run(candidate, Limits()))

        def whole() -> None:
            with Databases(f"sqlite:///{path}") as databases:
                bench = Workbench(databases, Limits(), RuleBook.load(None), None)
                for number, (gold, candidate) in enumerate(pairs):
                    case = Case(id=str(number), question="Which items?", gold_sql=(gold,))
                    reply = AgentReply(Turn(question="Which items?", sql=candidate))
                    bench.done(Item(number, case, 0, _NOBODY), Told(reply, None, ()))

        lines = {"sqlite3 alone": floor, "run and exact match": exact, "run and output family": output}
        for name, work in {**lines, "all of a turn": whole}.items():
            seconds = cpu(work)
            print(f"{name:24} {count / seconds:9,.0f} pairs per CPU second")
        live.close()
        bare.close()


class _Nobody:
    """An agent that is never asked."""

    name, version, can_hide, reads = "nobody", None, True, ()

    def ask(self, request: object) -> AgentReply:
        raise NotImplementedError

    def close(self) -> None:
        """Nothing is held."""


_NOBODY = _Nobody()

if __name__ == "__main__":
    main()
