"""Turn raw agent traces (one JSON object a line: a question and what the agent did) into a log for `stef score`.

python examples/intercode/prepare.py TRACES.jsonl > log.jsonl
"""

import json
import sys
from pathlib import Path

QUERY = ("select", "with")


def query_of(action: str) -> str:
    """An action is a query as it is, or `execute[a query]` with remarks after it."""
    inside = action.removeprefix("execute[")
    return (inside.rpartition("]")[0] or inside if inside != action else action).strip()


def main(path: str) -> None:
    """The agent's answer is its last action that is a query; the actions before it are its trace."""
    for line in Path(path).read_text("utf-8").splitlines():
        record = json.loads(line)
        steps = record.get("turns") or record.get("trajectory") or []
        queries = [query for step in steps if (query := query_of(step["action"])).lower().startswith(QUERY)]
        turn = {"id": record["id"], "question": record["question"], "dialect": "mysql", "trace": steps}
        print(json.dumps(turn | ({"sql": queries[-1]} if queries else {"outcome": "failed"})))


if __name__ == "__main__":
    main(sys.argv[1])
