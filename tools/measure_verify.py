"""Measure the ladder's free rungs and the check of wordings on labelled turns; docs/verify.md holds what it prints.

    python tools/measure_verify.py ladder TURNS.jsonl LABELS.jsonl 'sqlite:///dir/{database}.sqlite'
    python tools/measure_verify.py wording GOLD.jsonl 'sqlite:///dir/{database}.sqlite'

`wording` makes sentences about the answers of gold queries: true ones, and the same with a number or a name changed.
"""

import asyncio
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from stef.databases import Databases, Limits
from stef.records.result import Result
from stef.records.turn import Turn
from stef.verify import Means, Places
from stef.verify.candidate import Candidate
from stef.verify.ladder import climb
from stef.verify.wording.check import check_wording
from stef.verify.wording.table import Table, number_of, table_of_result

LIMITS = Limits(20, 100_000)


def _lines(path: str) -> Iterator[dict]:
    with Path(path).open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def ladder(turns: str, labels: str, url: str) -> None:
    """What the free rungs say of labelled turns."""
    right_of = {one["id"]: one["correct"] for one in _lines(labels)}
    by_sign: dict[str, Counter] = defaultdict(Counter)
    questions: dict[str, set] = defaultdict(set)
    outcomes: dict[str, Counter] = defaultdict(Counter)
    total: Counter = Counter()
    start, cpu = time.perf_counter(), time.process_time()
    with Databases(url) as databases:
        places = Places(databases, LIMITS)
        for one in _lines(turns):
            if one["id"] not in right_of:
                continue
            turn = Turn(**{name: value for name, value in one.items() if name in Turn.model_fields})
            found = asyncio.run(climb(Candidate(turn, places.get(turn.database)), Means()))
            right = right_of[one["id"]]
            total[right] += 1
            outcomes[found.outcome.value][right] += 1
            for code in {sign.code for sign in found.signs} or {"(none)"}:
                by_sign[code][right] += 1
                questions[code].add(turn.question)
    n = total.total()
    print(f"{n:,} turns, {total[False]:,} wrong; {(time.process_time() - cpu) / n * 1000:.2f} ms CPU a turn "
          f"({(time.perf_counter() - start) / n * 1000:.2f} ms)")  # fmt: skip
    for name, counts in outcomes.items():
        _line(name, counts, total)
    caught = outcomes["refuted"] + outcomes["doubtful"]
    _line("refuted or doubtful", caught, total)
    print()
    for code, counts in sorted(by_sign.items(), key=lambda item: -item[1][False]):
        _line(code, counts, total, len(questions[code]))


def _line(name: str, counts: Counter, total: Counter, questions: int | None = None) -> None:
    wrong, right = counts[False], counts[True]
    ratio = ((right + 0.5) / (total[True] + 1)) / ((wrong + 0.5) / (total[False] + 1))
    asked = "" if questions is None else f" questions {questions:4,}"
    print(f"{name:26} wrong {wrong:5,} right {right:5,}{asked} of these wrong {wrong / max(1, wrong + right):6.1%} "
          f"of all wrong {wrong / max(1, total[False]):6.1%} ratio {ratio:.2f}")  # fmt: skip


def wording(gold: str, url: str) -> None:
    """How often true sentences pass, and how often changed ones do."""
    lots = random.Random(7)
    passed: dict[tuple[str, str], Counter] = defaultdict(Counter)
    with Databases(url) as databases:
        places = Places(databases, LIMITS)
        for one in _lines(gold):
            sql = one.get("gold_sql") or one.get("sql")
            place = places.get(one.get("database") or one.get("db_id"))
            result = place.run(sql[0] if isinstance(sql, list) else sql) if hasattr(place, "run") else None
            if not isinstance(result, Result) or not result.rows:
                continue
            table = table_of_result(result)
            size = "1 row" if table.rows == 1 else "2-10 rows" if table.rows <= 10 else "more rows"
            for kind, sentence, number in _sentences(table, lots):
                named = f"{kind}, {size}"
                passed[named, "true"][_passes(one["question"], sentence.format(number), table)] += 1
                for wrong in _changed(number, lots):
                    passed[named, "changed"][_passes(one["question"], sentence.format(wrong), table)] += 1
    for truth in ("true", "changed"):
        together = sum((counts for (_, one), counts in passed.items() if one == truth), Counter())
        print(f"all {truth}: {together.total():,} sentences, {together[True] / together.total():.1%} pass")
    for (kind, truth), counts in sorted(passed.items()):
        n = counts.total()
        print(f"{kind:22} {truth:8} {n:5,} sentences, {counts[True] / n:6.1%} pass")


def _passes(question: str, sentence: str, table: Table) -> bool:
    return not check_wording(Turn(question=question, sql="", answer=sentence), table).unsupported


def _sentences(table: Table, lots: random.Random) -> Iterator[tuple[str, str, str]]:
    """Kind, a sentence with a gap, and the number or name that belongs there."""
    labels = [place for place, column in enumerate(table.columns) if _is_label(column)]
    numbers = [place for place, column in enumerate(table.columns) if all(number_of(v) is not None for v in column)]
    yield "rows", "There are {} of them.", f"{table.rows:,}"
    if labels:
        yield "name", "The first one is {}.", str(table.columns[labels[0]][0]).strip()
    for place in numbers[:2]:
        column = [number_of(value) or 0.0 for value in table.columns[place]]
        row = lots.randrange(table.rows)
        label = f"{table.columns[labels[0]][row]}".strip() if labels else "the item"
        yield "cell", f"{label} comes to {{}}.", _n(column[row])
        if table.rows > 1:
            yield "sum", "The total is {}.", _n(sum(column))
            yield "average", "On average it is {}.", f"{sum(column) / len(column):,.1f}"
        if table.rows > 1 and labels and sum(column) > 0:
            other = (row + 1) % table.rows
            second = f"{table.columns[labels[0]][other]}".strip()
            yield "share", f"{label} makes up {{}}% of all.", f"{100 * column[row] / sum(column):.1f}"
            yield "difference", f"{label} has {{}} more than {second}.", _n(abs(column[row] - column[other]))


def _is_label(column: tuple) -> bool:
    texts = [value for value in column if isinstance(value, str) and value[:1].isupper() and value.strip().isalpha()]
    return len(texts) == len(column) and len(set(texts)) == len(texts)


def _changed(said: str, lots: random.Random) -> Iterator[str]:
    plain = said.replace(",", "")
    try:
        value = float(plain)
    except ValueError:
        yield lots.choice(["Brandenburg", "Okonkwo", "Vladivostok", "Zanzibar", "Quetzal"])
        return
    decimals = len(plain.partition(".")[2])
    for wrong in (value * 2 + 1, value + max(1, round(value * 0.07)), value * 10 + 3):
        yield f"{wrong:,.{decimals}f}"


def _n(number: float) -> str:
    return f"{number:,.0f}" if number == int(number) else f"{number:,.2f}"


if __name__ == "__main__":
    {"ladder": ladder, "wording": wording}[sys.argv[1]](*sys.argv[2:])
