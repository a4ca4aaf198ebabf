"""Run every rule over labelled turns, and write how often the turns on which it fires are wrong.

python tools/measure_findings.py [DATA] [-o FILE] [--show] [--only S410,S420] [--dump CODE]

DATA holds turns/NAME.jsonl and labels/NAME.jsonl ({id, correct}). The interval is Wilson's at 90 %, at the number of
turns that clustering by question leaves: n / deff, with deff from the clustered variance; where all turns are right or
all are wrong, at the number of questions.
"""

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path

from stef import Evaluator, Turn
from stef.findings.measured import FILE, LabelledSet, Precision
from stef.version import VERSION

REPO = Path(__file__).parents[1]
Z = 1.6449
FIELDS = frozenset(Turn.model_fields)


@dataclass(frozen=True, slots=True)
class Judged:
    """One labelled turn that could be read: its question, the codes that fired, and whether its label says wrong."""

    question: str
    codes: frozenset[str]
    wrong: bool
    turn: Turn
    details: tuple[str, ...]


def judged(data: Path, name: str) -> Iterator[Judged]:
    """The labelled turns of a set, judged one by one; a turn without label or readable SQL is left out."""
    labels = {row["id"]: row["correct"] for row in rows(data / "labels" / f"{name}.jsonl")}
    evaluator = Evaluator()
    for row in rows(data / "turns" / f"{name}.jsonl"):
        correct = labels.get(row.get("id"))
        if correct is None or not row.get("sql"):
            continue
        turn = Turn.model_validate({key: value for key, value in row.items() if key in FIELDS})
        (prepared,) = evaluator.prepare([turn])
        if prepared.request is None:
            continue
        found = prepared.request.findings
        if prepared.faults:
            print(f"{name} {turn.id}: {prepared.faults[0].detail}", file=sys.stderr)
        details = tuple(f"{one.code} {one.detail}" for one in found)
        key = " ".join(turn.question.casefold().split())
        yield Judged(key, frozenset(one.code for one in found), not correct, turn, details)


def rows(path: Path) -> Iterator[dict[str, object]]:
    """The objects of a JSON Lines file."""
    for line in path.read_text("utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def measure(code: str, turns: Sequence[Judged]) -> Precision | None:
    """The figures of one rule on one set; None where it never fired."""
    fired = [one for one in turns if code in one.codes]
    if not fired:
        return None
    clusters: dict[str, list[bool]] = defaultdict(list)
    for one in fired:
        clusters[one.question].append(one.wrong)
    share = sum(one.wrong for one in fired) / len(fired)
    low, high = interval(share, list(clusters.values()))
    others: dict[str, list[bool]] = defaultdict(list)
    for one in turns:
        if one.question in clusters and code not in one.codes:
            others[one.question].append(one.wrong)
    beside = [sum(others[one.question]) / len(others[one.question]) for one in fired if others[one.question]]
    same = round(sum(beside) / len(beside), 3) if beside else None
    return Precision(len(fired), len(clusters), round(share, 3), round(low, 3), round(high, 3), same)


def interval(share: float, clusters: Sequence[Sequence[bool]]) -> tuple[float, float]:
    """The 90 % interval of a share of turns, clustered."""
    n, groups = sum(map(len, clusters)), len(clusters)
    if share in (0.0, 1.0) or groups < 2:
        effective = float(groups)
    else:
        clustered = sum((sum(one) - share * len(one)) ** 2 for one in clusters) * groups / (groups - 1) / n**2
        effective = min(float(n), share * (1 - share) / clustered) if clustered else float(groups)
    square = Z * Z
    middle = (share + square / (2 * effective)) / (1 + square / effective)
    half = Z * sqrt(share * (1 - share) / effective + square / (4 * effective**2)) / (1 + square / effective)
    return max(0.0, middle - half), min(1.0, middle + half)


def main() -> None:
    """Measure, show or write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=REPO.parent / "shared" / "data")
    parser.add_argument("-o", "--out", type=Path, default=REPO / "src" / "stef" / "findings" / FILE)
    parser.add_argument("--show", action="store_true", help="print, and write nothing")
    parser.add_argument("--only", default="", help="codes to show, with commas")
    parser.add_argument("--dump", default="", help="print the turns on which this code fires")
    options = parser.parse_args()
    names = sorted(path.stem for path in (options.data / "labels").glob("*.jsonl"))
    sets = {name: list(judged(options.data, name)) for name in names}
    if options.dump:
        dump(sets, options.dump)
        return
    kept = {name: turns for name, turns in sets.items() if turns}
    described = [describe(name, turns) for name, turns in kept.items()]
    codes = sorted({code for turns in kept.values() for one in turns for code in one.codes})
    figures = {code: {name: measure(code, turns) for name, turns in kept.items()} for code in codes}
    show(described, {code: one for code, one in figures.items() if not options.only or code in options.only.split(",")})
    if not options.show:
        write(options.out, options.data, described, figures)


def describe(name: str, turns: Sequence[Judged]) -> LabelledSet:
    """One set in figures."""
    wrong = sum(one.wrong for one in turns) / len(turns)
    return LabelledSet(name, len(turns), len({one.question for one in turns}), round(wrong, 3))


def show(sets: Sequence[LabelledSet], figures: dict[str, dict[str, Precision | None]]) -> None:
    """A table: wrong share, turns, and in brackets the wrong share of the other turns of these questions."""
    print("      " + "".join(f"{one.name[:16]:>22}" for one in sets))
    print("base  " + "".join(f"{f'{one.wrong_share:.2f} {one.turns:5}       ':>22}" for one in sets))
    for code, by_set in figures.items():
        cells = []
        for one in sets:
            figure = by_set[one.name]
            same = "" if figure is None or figure.same_question is None else f"{figure.same_question:.2f}"
            cells.append("" if figure is None else f"{figure.wrong_share:.2f} {figure.turns:5} ({same:4})")
        print(f"{code:6}" + "".join(f"{cell:>22}" for cell in cells))


def dump(sets: dict[str, list[Judged]], code: str) -> None:
    """The turns on which a code fires, the right ones first."""
    fired = [(name, one) for name, turns in sets.items() for one in turns if code in one.codes]
    for name, one in sorted(fired, key=lambda pair: pair[1].wrong):
        details = "; ".join(detail for detail in one.details if detail.startswith(code))
        print(f"{'WRONG' if one.wrong else 'RIGHT'} {name} | {one.turn.question} | {one.turn.enriched_question or ''}")
        print(f"    {' '.join((one.turn.sql or '').split())}\n    {details}")


def write(out: Path, data: Path, sets: Sequence[LabelledSet], figures: dict[str, dict[str, Precision | None]]) -> None:
    """The data file."""
    hashes = {
        f"{kind}/{one.name}.jsonl": hashlib.sha256((data / kind / f"{one.name}.jsonl").read_bytes()).hexdigest()[:16]
        for one in sets
        for kind in ("turns", "labels")
    }
    rules = {
        code: {name: asdict(one) for name, one in by_set.items() if one is not None} for code, by_set in figures.items()
    }
    provenance = {"command": "python tools/measure_findings.py", "stef_version": VERSION, "sha256": hashes}
    document = {"provenance": provenance, "sets": [asdict(one) for one in sets], "rules": rules}
    out.write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
