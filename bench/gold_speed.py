"""CPU time of comparing results, in one run: many small pairs, then two large results, beside DuckDB's EXCEPT ALL.

python bench/gold_speed.py [--pairs N] [--rows N…] [--memory] [--json]

A pair's candidate is the reference as it is, with its rows or columns in another order, with noise in its floats, or a
near miss: one cell changed, two cells of a column swapped, a row doubled for another. What must come out is known, so a
wrong verdict is counted and printed. Results are ready: for the large ones the time of fetching is printed apart.
"""

import argparse
import gc
import json
import random
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from stef.gold.exact import exact_match
from stef.gold.output import compare_results
from stef.records.result import Result

Verdict = Callable[[Result, Result], bool | None]

GOAL_PAIRS = {"exact match": 8_700, "output family": 3_000}
GOAL_LARGE = {"exact match": 0.5, "output family": 1.0}  # CPU seconds for 100,000 rows × 6


def output_family(reference: Result, candidate: Result) -> bool | None:
    """Everything that is said of two results; its verdict, unless it contradicts itself."""
    found = compare_results(reference, candidate)
    return None if found.scorer_fault else found.exact_match


FAMILIES: dict[str, Verdict] = {"exact match": exact_match, "output family": output_family}


@dataclass(frozen=True)
class Pair:
    """Two results, how the second was made of the first, and whether they are equal."""

    kind: str
    reference: Result
    candidate: Result
    equal: bool


def result(columns: list[list[Any]], names: list[str]) -> Result:
    """Columns as a result."""
    return Result(tuple(names), tuple(columns), len(columns[0]))


def columns_of(rng: random.Random, rows: int) -> list[list[Any]]:
    """Six columns as queries give them: an id, a name, a category, a flag with NULLs, an amount, a count."""
    return [
        rng.sample(range(10 * rows), rows),
        [f"name {rng.randrange(10 * rows)}" for _ in range(rows)],
        [rng.choice(("north", "south", "east", "west")) for _ in range(rows)],
        [rng.choice((0, 1, None)) for _ in range(rows)],
        [rng.random() * 1000 for _ in range(rows)],
        [rng.randrange(50) for _ in range(rows)],
    ]


def reordered(rng: random.Random, columns: list[list[Any]]) -> list[list[Any]]:
    """The same rows in another order."""
    rows = list(zip(*columns, strict=True))
    rng.shuffle(rows)
    return [list(column) for column in zip(*rows, strict=True)]


def one_changed(rng: random.Random, columns: list[list[Any]]) -> list[list[Any]]:
    """The same rows in another order, one cell changed."""
    found = reordered(rng, columns)
    found[-1][rng.randrange(len(found[-1]))] += 1
    return found


def two_swapped(rng: random.Random, columns: list[list[Any]]) -> list[list[Any]]:
    """The same values in every column, but two of the first column have changed their rows."""
    found = reordered(rng, columns)
    one, other = rng.sample(range(len(found[0])), 2)
    found[0][one], found[0][other] = found[0][other], found[0][one]
    return found


def row_doubled(rng: random.Random, columns: list[list[Any]]) -> list[list[Any]]:
    """One row stands there twice, in place of another."""
    found = reordered(rng, columns)
    for column in found:
        column[0] = column[1]
    return found


def noisy(rng: random.Random, columns: list[list[Any]]) -> list[list[Any]]:
    """The same rows in another order, floats off by what another order of summing does."""
    found = reordered(rng, columns)
    return [[v * (1 + 1e-13 * rng.random()) if type(v) is float else v for v in column] for column in found]


MADE: dict[str, tuple[Callable[[random.Random, list[list[Any]]], list[list[Any]]], bool]] = {
    "same": (lambda _, columns: [list(column) for column in columns], True),
    "rows reordered": (reordered, True),
    "columns permuted": (reordered, True),
    "float noise": (noisy, True),
    "one cell changed": (one_changed, False),
    "two cells swapped": (two_swapped, False),
    "row doubled": (row_doubled, False),
}


def pairs(count: int, seed: int = 7) -> Iterator[Pair]:
    """Pairs of results of 80 to 120 rows and three to six columns, of every kind in turn."""
    rng = random.Random(seed)
    kinds = list(MADE)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        columns = columns_of(rng, rng.randrange(80, 121))
        columns = [columns[0], *rng.sample(columns[1:5], rng.randrange(1, 5)), columns[5]]
        names = [f"c{place}" for place in range(len(columns))]
        make, equal = MADE[kind]
        candidate, other = make(rng, columns), [f"d{place}" for place in range(len(columns))]
        if kind == "columns permuted":
            rng.shuffle(candidate)
        yield Pair(kind, result(columns, names), result(candidate, other), equal or _no_floats(kind, columns))


def _no_floats(kind: str, columns: list[list[Any]]) -> bool:
    return kind == "float noise" and not any(type(column[0]) is float for column in columns)


def cpu(work: Callable[[], Any], rounds: int = 3) -> tuple[float, Any]:
    """The least CPU seconds of `work` over some rounds, and what it gave: what disturbs it only adds."""
    best, got = float("inf"), None
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        got = work()
        best = min(best, time.process_time() - start)
    return best, got


def measure_pairs(count: int) -> dict[str, Any]:
    """Pairs per CPU second of each family, and its wrong verdicts."""
    made = list(pairs(count))
    kinds = list(dict.fromkeys(pair.kind for pair in made))
    found: dict[str, Any] = {}
    for name, verdict in FAMILIES.items():
        seconds, got = cpu(lambda verdict=verdict: [verdict(pair.reference, pair.candidate) for pair in made])
        wrong = sum(one is not pair.equal for one, pair in zip(got, made, strict=True))
        by_kind = {
            kind: 1e6
            * cpu(lambda verdict=verdict, some=some: [verdict(p.reference, p.candidate) for p in some])[0]
            / len(some)
            for kind in kinds
            if (some := [pair for pair in made if pair.kind == kind])
        }
        found[name] = {"pairs_per_second": count / seconds, "wrong": wrong, "microseconds": by_kind}
    return found


def fetch(connection: duckdb.DuckDBPyConnection, sql: str) -> Result:
    """A result as columns of Python values."""
    cursor = connection.execute(sql)
    rows = cursor.fetchall()
    return Result(tuple(one[0] for one in cursor.description), tuple(map(list, zip(*rows, strict=True))), len(rows))


def measure_large(rows: int, memory: bool) -> dict[str, Any]:
    """CPU seconds for two large results with their rows in another order; fetching and EXCEPT ALL beside."""
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute(
        "CREATE TABLE t AS SELECT i AS id, 'name ' || hash(i) % 1000000 AS name, hash(i + 1) % 7 AS kind, "
        "CASE WHEN i % 3 = 0 THEN NULL ELSE i % 2 END AS flag, sqrt(i) AS amount, "
        "DATE '2020-01-01' + (i % 900)::INT AS day "
        f"FROM range({rows}) AS r(i)"
    )
    one, other = "SELECT * FROM t ORDER BY id", "SELECT * FROM t ORDER BY hash(id)"
    both = f"SELECT count(*) FROM ((({one}) EXCEPT ALL ({other})) UNION ALL (({other}) EXCEPT ALL ({one})))"
    fetching, (left, right) = cpu(lambda: (fetch(connection, one), fetch(connection, other)), 1)
    right = replace(right, names=tuple(f"other {name}" for name in right.names))  # names tell nothing
    found: dict[str, Any] = {"rows": rows, "fetching both": fetching}
    for name, verdict in FAMILIES.items():
        found[name], got = cpu(lambda verdict=verdict: verdict(left, right), 2)
        found[f"{name}: wrong"] = got is not True
        if memory:
            tracemalloc.start()
            verdict(left, right)
            found[f"{name}: MB beside the results"] = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
    found["DuckDB EXCEPT ALL both ways"] = cpu(lambda: connection.execute(both).fetchall(), 2)[0]
    return found


def measure_shelf(rows: int = 2_000, width: int = 24) -> dict[str, Any]:
    """CPU seconds for the worst case: about `rows` on one shelf that are nearly equal, hardly any of them equal.

    A second column of the key halves the crowd of rows that share the first, so there are two such shelves.
    """
    rng = random.Random(3)

    def side() -> list[list[Any]]:
        crowd = [[0, *(rng.randrange(2) for _ in range(width - 1))] for _ in range(2 * rows)]
        return [*crowd, *([number, *[0] * (width - 1)] for number in range(1, 2 * rows + 10))]

    origins = [f"t.c{place}" for place in range(width)]
    one, other = (result([list(column) for column in zip(*side(), strict=True)], origins) for _ in range(2))
    seconds, found = cpu(lambda: compare_results(one, other, reference_origins=origins, candidate_origins=origins), 1)
    return {"rows": rows, "output family": seconds, "bounds": found.cells_upper is not None}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--rows", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--memory", action="store_true", help="trace allocations of the large comparison (slow)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    small = measure_pairs(options.pairs)
    large = [measure_large(rows, options.memory) for rows in options.rows]
    shelf = measure_shelf()
    if options.json:
        print(json.dumps({"pairs": small, "large": large, "shelf": shelf}, indent=1))
        return
    for name, one in small.items():
        goal = f" (goal {GOAL_PAIRS[name]:,})" if name in GOAL_PAIRS else ""
        print(f"{name}: {one['pairs_per_second']:,.0f} pairs per CPU second{goal}, wrong verdicts: {one['wrong']}")
        for kind, microseconds in one["microseconds"].items():
            print(f"    {kind:<20} {microseconds:7.0f} µs a pair")
    for one in large:
        print(f"{one.pop('rows'):,} rows × 6, reordered")
        for what, value in one.items():
            print(f"    {what:<40} {value if isinstance(value, bool) else format(value, '.3f')}")
    exact = "bounds" if shelf["bounds"] else "exact"
    print(f"two shelves of {shelf['rows']:,} nearly equal rows: {shelf['output family']:.3f} CPU seconds, {exact}")


if __name__ == "__main__":
    main()
