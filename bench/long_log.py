"""A long log, made by repeating the turns of others under new ids.

python bench/long_log.py OUT.jsonl TURNS LOG.jsonl… [--distinct]
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any


def repeated(logs: Sequence[Path], turns: int, distinct: bool = False) -> Iterator[dict[str, Any]]:
    """`turns` records of the logs, over and over, each with an id of its own.

    `distinct`: every one has a question of its own, too, so that a judge has to be asked for each.
    """
    records = []
    for path in logs:
        for line in path.read_text("utf-8").splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if record.get("question") and record.get("sql"):
                records.append(record)
    for number, record in enumerate(islice(cycle(records), turns)):
        question = f"{record['question']} (case {number})" if distinct else record["question"]
        yield {**record, "id": f"turn-{number}", "question": question}


def write_log(out: Path, logs: Sequence[Path], turns: int, distinct: bool = False) -> Path:
    """Write them as JSON Lines."""
    with out.open("w", encoding="utf-8") as file:
        for record in repeated(logs, turns, distinct):
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return out


def main() -> None:
    """Write one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("turns", type=int)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--distinct", action="store_true", help="a question of its own for each turn")
    options = parser.parse_args()
    write_log(options.out, options.logs, options.turns, options.distinct)


if __name__ == "__main__":
    main()
