"""CPU seconds of `import stef` and of `stef --help`, in processes of their own, beside a bare interpreter.

python bench/startup.py [--rounds N]
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

GOAL = 0.5
COMMANDS = {
    "python -c pass": (sys.executable, "-c", "pass"),
    "import stef": (sys.executable, "-c", "import stef"),
    "stef --help": (str(Path(sys.executable).with_name("stef")), "--help"),
    "stef score --help": (str(Path(sys.executable).with_name("stef")), "score", "--help"),
}


def cpu(command: tuple[str, ...]) -> float:
    """User and system seconds of one run."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Print the least of some rounds for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    for name, command in COMMANDS.items():
        seconds = min(cpu(command) for _ in range(rounds))
        print(f"{name:20} {seconds:5.2f} s CPU{'' if seconds <= GOAL else f'   over the goal of {GOAL} s'}")


if __name__ == "__main__":
    main()
