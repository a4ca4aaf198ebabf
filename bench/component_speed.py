"""Pairs of queries per CPU-second that the component family compares, against bare parses of the same SQL, in one run.

python bench/component_speed.py [--tables N] [--pairs N] [--rounds N] [--json]

A pair is a reference and a candidate, both read anew with the live schema: resolved, then compared. The queries are
joins, groups, subqueries, CTEs, set operations and self-joins over a schema of `--tables` tables with 12 columns each.
The goal is 300 pairs per CPU-second with 100 tables.
"""

import argparse
import gc
import json
import time
from collections.abc import Callable

import sqlglot

from stef.gold.components import compare_components
from stef.records.live import LiveColumn, LiveSchema, LiveTable
from stef.sql.resolve import resolve

GOAL = 300

TEMPLATES = (
    "SELECT name, amount FROM t{a} WHERE status = 'open' AND amount > {n} ORDER BY amount DESC LIMIT 10",
    "SELECT x.name, SUM(y.amount) AS total FROM t{a} AS x JOIN t{b} AS y ON x.id = y.parent_id WHERE y.created >= "
    "'2024-01-01' AND y.created < '2025-01-01' GROUP BY x.name HAVING SUM(y.amount) > {n} ORDER BY total DESC",
    "SELECT name FROM t{a} WHERE id NOT IN (SELECT parent_id FROM t{b} WHERE status IN ('done', 'late')) AND size > "
    "(SELECT AVG(size) FROM t{a})",
    "WITH big AS (SELECT parent_id, COUNT(*) AS n FROM t{b} WHERE amount > {n} GROUP BY parent_id), top AS (SELECT * "
    "FROM big WHERE n > 3) SELECT t{a}.name, top.n FROM t{a} JOIN top ON top.parent_id = t{a}.id",
    "SELECT c.name, p.name FROM t{a} c JOIN t{a} p ON c.parent_id = p.id WHERE p.status = 'open' AND c.amount > 9",
    "SELECT id FROM t{a} WHERE status = 'open' UNION SELECT parent_id FROM t{b} WHERE amount BETWEEN {n} AND 100",
    "SELECT * FROM t{a} JOIN t{b} USING (id) WHERE t{b}.kind = 'x' OR (t{a}.kind = 'y' AND t{a}.size < {n})",
    "SELECT kind, COUNT(DISTINCT parent_id), AVG(CASE WHEN status = 'open' THEN amount END) FROM t{a} GROUP BY 1",
)


def pairs_of(count: int, tables: int) -> list[tuple[str, str]]:
    """References and candidates; every other candidate differs from its reference in a table and a constant."""
    found = []
    for index in range(count):
        template = TEMPLATES[index % len(TEMPLATES)]
        a, b = index * 7 % tables, (index * 13 + 1) % tables
        other = (a, b, index % 50) if index % 2 else (b, a, index % 50 + 1)
        found.append(
            (template.format(a=a, b=b, n=index % 50), template.format(a=other[0], b=other[1], n=other[2]).lower())
        )
    return found


def schema_of(tables: int) -> LiveSchema:
    """Tables `t0`, `t1`, … of one shape."""
    names = ("id", "parent_id", "name", "status", "kind", "amount", "size", "created", "city", "note", "code", "rank")
    columns = tuple(LiveColumn(name, "TEXT" if name in ("name", "status") else "INTEGER") for name in names)
    return LiveSchema("sqlite", {f"t{index}": LiveTable(f"t{index}", columns) for index in range(tables)})


def best(rounds: int, work: Callable[[], None]) -> float:
    """The least CPU time of `rounds`."""
    found = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    pairs, schema = pairs_of(args.pairs, args.tables), schema_of(args.tables)

    def compare() -> None:
        for reference, candidate in pairs:
            known, done = resolve(reference, "sqlite", schema), resolve(candidate, "sqlite", schema)
            if known is None or done is None:
                raise SystemExit(f"not resolved: {reference}")
            compare_components(known, done)

    def parse() -> None:
        for pair in pairs:
            for sql in pair:
                sqlglot.parse_one(sql, dialect="sqlite")

    whole, bare = best(args.rounds, compare), best(args.rounds, parse)
    found = {
        "pairs_per_cpu_second": round(args.pairs / whole),
        "goal": GOAL,
        "bare_parses_per_pair": round(2 * whole / bare, 2),
        "tables": args.tables,
        "pairs": args.pairs,
    }
    if args.json:
        print(json.dumps(found))
        return
    print(f"{found['pairs_per_cpu_second']} pairs per CPU-second with {args.tables} tables (goal {GOAL})")
    print(f"one pair takes the time of {found['bare_parses_per_pair']} bare parses of one query")


if __name__ == "__main__":
    main()
