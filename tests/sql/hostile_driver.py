"""Run in a process of its own by test_hostile.py: reads each hostile text and prints a line of JSON for it."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import yaml

from stef.records.reading import Unreadable
from stef.sql.parse import parse


def build(case: dict[str, Any]) -> str:
    """The text that a case describes."""
    tail = case.get("tail", "")
    if "unit" in case:
        units = (case["unit"].replace("{i}", str(number)) for number in range(case["count"]))
        return case["head"] + case["joiner"].join(units) + tail
    text = case["head"] + case["open"] * case["depth"] + case["core"] + case["close"] * case["depth"] + tail
    return text.replace("\\ud800", "\ud800")


def main() -> None:
    """Print name, reason and seconds of each case, as they come: after a crash the last line tells which was next."""
    for case in yaml.safe_load(Path(__file__).with_name("hostile.yaml").read_text(encoding="utf-8")):
        text = build(case)
        started = time.process_time()
        result = parse(text, case.get("dialect"))
        reason = result.reason.value if isinstance(result, Unreadable) else None
        detail = result.detail if isinstance(result, Unreadable) else ""
        seconds = round(time.process_time() - started, 2)
        del result
        line = {"name": case["name"], "reason": reason, "detail": detail[:200], "seconds": seconds}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
