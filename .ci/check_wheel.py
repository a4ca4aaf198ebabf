"""Run by `make wheel` with the interpreter that the wheel was installed into, outside the checkout."""

import subprocess
import sys
from pathlib import Path

import stef
from stef import Evaluator, Turn
from stef.judge.llm import LLMJudge
from stef.records.assessment import Scored
from stef.suites import tpch64

CHECKOUT = Path(__file__).resolve().parents[1]


class Silent:
    """A client that is never asked: only the prompt is rendered."""

    model = "none"


def main() -> None:
    """Fail loudly where the wheel lacks what the checkout has."""
    home = Path(stef.__file__).resolve().parent
    if home.is_relative_to(CHECKOUT / "src"):
        raise SystemExit(f"stef was imported from the checkout ({home}), not from the wheel")
    for name in ("prompts", "rules"):
        if not any((home / "_resources" / name).iterdir()):
            raise SystemExit(f"the wheel ships no {name}/")
    sql = "SELECT COUNT(*) FROM customer WHERE country = 'Brazil'"
    turn = Turn(question="How many customers are in Brazil?", sql=sql)
    evaluator = Evaluator()
    request = evaluator.prepare_turn(turn).request
    if request is None or not all(message.content for message in LLMJudge(Silent()).messages(request)):
        raise SystemExit("the prompt is not rendered")
    outcome = evaluator.assess_sync(turn).outcome
    if not isinstance(outcome, Scored):
        raise SystemExit(f"a plain turn has no score: {outcome}")
    if len(tpch64.cases()) != 64 or len(tpch64.right_sql()) != 56:
        raise SystemExit("the wheel ships no tpch64")
    subprocess.run([Path(sys.executable).with_name("stef"), "--help"], check=True, stdout=subprocess.DEVNULL)
    print(f"{home}: one prompt rendered, one turn scored {outcome.score:g}, the command answers")


if __name__ == "__main__":
    main()
