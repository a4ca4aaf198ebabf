"""Run by `make wheel` with the interpreter that the wheel was installed into, outside the checkout."""

import subprocess
import sys
from pathlib import Path

import stef
from stef import Evaluator, Turn
from stef.records.assessment import Scored

CHECKOUT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Fail loudly where the wheel lacks what the checkout has."""
    home = Path(stef.__file__).resolve()
    if home.is_relative_to(CHECKOUT / "src"):
        raise SystemExit(f"stef was imported from the checkout ({home}), not from the wheel")
    for name in ("prompts", "rules"):
        if not any((home.parent / "_resources" / name).iterdir()):
            raise SystemExit(f"the wheel ships no {name}/")
    _render_a_prompt()
    turn = Turn(
        question="How many customers are in Brazil?", sql="SELECT COUNT(*) FROM customer WHERE country = 'Brazil'"
    )
    outcome = Evaluator().assess_sync(turn).outcome
    if not isinstance(outcome, Scored):
        raise SystemExit(f"a plain turn has no score: {outcome}")
    command = Path(sys.executable).with_name("stef")
    subprocess.run([command, "--help"], check=True, stdout=subprocess.DEVNULL)
    print(f"wheel: {home.parent}: one prompt rendered, one turn scored {outcome.score:g}, the command answers")


def _render_a_prompt() -> None:
    raise NotImplementedError


if __name__ == "__main__":
    main()
