"""How many bad golds `stef gold validate` finds, and how right it is: tables in Markdown, for docs/validate.md.

python tools/measure_validate.py ../shared/data
python tools/measure_validate.py ../shared/data --copies 4
"""

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from stef.databases import Databases, Limits, open_database
from stef.databases.copies import altered_copies
from stef.evaluator import Evaluator
from stef.gold.cases import CaseSet, load_cases
from stef.gold.coincidence import Speaks, coincidence, constants_of
from stef.gold.validate import CHECKS, Means, Severity, Validation, validate
from stef.records.case import Case

_WRONG_SQL = frozenset({"gold_sql_wrong", "gold_sql_and_text_changed"})
_WRONG_TEXT = frozenset({"text_unclear_or_wrong"})
Label = Callable[[str], bool]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("data", type=Path)
    options.add_argument("--copies", type=int, default=0, help="measure altered copies instead")
    chosen = options.parse_args()
    if chosen.copies:
        _copies(chosen.data, chosen.copies)
        return
    _reviewed(chosen.data)
    _flagged(chosen.data)
    _live(chosen.data)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _validated(found: CaseSet, url: str | None = None) -> Validation:
    databases = Databases(url) if url else None
    means = Means(databases, Limits(timeout=20), "sqlite", Evaluator().assess_sync)
    try:
        return validate(found, CHECKS, means)
    finally:
        if databases is not None:
            databases.close()


def _reviewed(data: Path) -> None:
    """BIRD's golds against the people who reviewed them; their databases are not here, but for one."""
    path = data / "gold/bird_gold_review.jsonl"
    verdict = {str(row["id"]): row["verdict"] for row in _rows(path)}
    found = load_cases(path)
    validation = _validated(found)
    _table(
        f"{len(found.cases)} golds that people reviewed, without their databases",
        validation,
        lambda case: verdict[case] in _WRONG_SQL,
        lambda case: verdict[case] in _WRONG_SQL | _WRONG_TEXT,
    )


def _flagged(data: Path) -> None:
    """BIRD's golds against another list of wrong ones; what is on no list counts as right."""
    flags = {str(row["question_id"]): row for row in _rows(data / "behaviour/bird_flagged_questions.jsonl")}
    rows = {str(row["question_id"]): row for row in _rows(data / "gold/bird.jsonl")}
    wrong = {key for key, row in flags.items() if row["gold_false"]}
    wrong |= {key for key, row in rows.items() if row["sqlexam_gold_false"]}
    unclear = wrong | {key for key, row in flags.items() if row["ambiguous"]}
    unclear |= {key for key, row in rows.items() if row["sqlexam_ambiguous"]}
    cases = tuple(_bird_case(key, row) for key, row in {**rows, **flags}.items())
    _table(
        f"{len(cases)} golds, of which another list calls {len(wrong)} wrong, without their databases",
        _validated(CaseSet(cases)),
        lambda case: case in wrong,
        lambda case: case in unclear,
    )


def _bird_case(key: str, row: dict[str, Any]) -> Case:
    return Case(
        id=key,
        question=row["question"],
        gold_sql=(row["gold_sql"],),
        database=row["db_id"],
        hint=row["evidence"] or None,
    )


def _live(data: Path) -> None:
    """Golds nobody labelled, on their databases: how many each check speaks of."""
    sets = {
        "spider": ("gold/spider.jsonl", "databases/spider/{database}.sqlite"),
        "spider_realistic": ("gold/spider_realistic.jsonl", "databases/spider/{database}.sqlite"),
        "defog": ("gold/defog_rules.jsonl", "databases/defog/{database}.sqlite"),
        "superhero": ("gold/bird_gold_review.jsonl", "databases/bird/{database}.sqlite"),
    }
    counts: dict[str, dict[str, dict[Severity, int]]] = {}
    heads = []
    for name, (cases, database) in sets.items():
        found = load_cases(data / cases)
        if name == "superhero":
            found = CaseSet(tuple(case for case in found.cases if case.database == "superhero"))
        started = time.process_time()
        validation = _validated(found, f"sqlite:///{data / database}")
        per_case = (time.process_time() - started) / len(found.cases) * 1000
        heads.append(f"{name} ({len(found.cases)}, {per_case:.0f} ms a case)")
        counts[name] = validation.counts()
    print("\n### Golds on their databases: fails / doubts / notes\n")
    print("| check | " + " | ".join(heads) + " |\n|---|" + "---|" * len(heads))
    for check in CHECKS:
        by = [counts[name].get(check.name, {}) for name in sets]
        cells = [" / ".join(str(one.get(severity, 0)) for severity in Severity) for one in by]
        if any(cell != "0 / 0 / 0" for cell in cells):
            print(f"| `{check.name}` | " + " | ".join("·" if cell == "0 / 0 / 0" else cell for cell in cells) + " |")


def _table(title: str, validation: Validation, wrong: Label, unclear: Label) -> None:
    """By check and severity: how many cases it speaks of, and how many of them are wrong."""
    ids = [one.case.id for one in validation.cases]
    said: defaultdict[str, set[str]] = defaultdict(set)
    for one in validation.cases:
        checks = {remark.check for remark in one.remarks if remark.severity is not Severity.NOTES}
        for remark in one.remarks:
            said[f"`{remark.check}` {remark.severity.value}"].add(one.case.id)
        if checks:
            said["**any check that fails or doubts**"].add(one.case.id)
        if len(checks) > 1:
            said["**two checks or more that fail or doubt**"].add(one.case.id)
    all_wrong = sum(map(wrong, ids))
    all_unclear = sum(map(unclear, ids))
    print(f"\n### {title}\n\nWrong SQL: {_share(all_wrong, len(ids))}; ", end="")
    print(f"wrong SQL or unclear text: {_share(all_unclear, len(ids))}.\n")
    print("| says | cases | wrong SQL | of all wrong | wrong SQL or text |\n|---|--:|--:|--:|--:|")
    for name in sorted(said, key=lambda name: (name.startswith("**"), name)):
        cases = said[name]
        bad = sum(map(wrong, cases))
        print(
            f"| {name} | {len(cases)} | {_share(bad, len(cases))} | {_share(bad, all_wrong)} "
            f"| {_share(sum(map(unclear, cases)), len(cases))} |"
        )


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.0f} %)" if whole else "–"


def _copies(data: Path, count: int) -> None:
    """Turns that execution calls right, on altered copies."""
    said: Counter[str] = Counter()
    turns: Counter[str] = Counter()
    how: Counter[str] = Counter()
    seconds = made = 0.0
    for database, pairs in _right_pairs(data).items():
        live = open_database(f"sqlite:///{data}/databases/spider/{database}.sqlite")
        queries = {sql for gold, sql in pairs} | {gold for gold, _ in pairs}
        started = time.process_time()
        with altered_copies(live, count, constants=constants_of(sorted(queries), live.schema())) as copies:
            made += time.process_time() - started
            started = time.process_time()
            for (gold, sql), agents in pairs.items():
                case = Case(id="pair", question="", gold_sql=(gold,))
                found = coincidence(case, gold, sql, copies, Speaks(Limits(timeout=10)))
                said[found.apart.value] += 1
                turns[found.apart.value] += agents
                if found.on:
                    how[", ".join(sorted({one.split("(")[1].rstrip(")") for one in found.on}))] += 1
            seconds += time.process_time() - started
        live.close()
    print(f"{count} copies; pairs {dict(said)}; turns {dict(turns)}")
    print(f"{1000 * seconds / said.total():.1f} ms of CPU a pair; all copies {made:.1f} s")
    for name, pairs_of in how.most_common():
        print(f"  {pairs_of:4} {name}")


def _right_pairs(data: Path) -> dict[str, Counter[tuple[str, str]]]:
    """By database, the different pairs of gold and right query, and how many turns gave each."""
    right = {row["id"] for row in _rows(data / "labels/spider_agents.jsonl") if row["correct"]}
    golds = {row["id"]: row for row in _rows(data / "gold/spider.jsonl")}
    pairs: dict[str, Counter[tuple[str, str]]] = {}
    for turn in _given(right, _rows(data / "turns/spider_agents.jsonl")):
        gold = golds.get(turn["id"].split("::")[0])
        if gold is not None:
            pairs.setdefault(gold["db_id"], Counter())[gold["gold_sql"], turn["sql"].strip()] += 1
    return pairs


def _given(right: set[str], turns: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    return (turn for turn in turns if turn["id"] in right and turn.get("sql"))


if __name__ == "__main__":
    main()
