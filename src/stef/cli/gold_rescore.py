"""`stef gold rescore`: every figure anew from what a gold RUN keeps."""

from pathlib import Path
from typing import Annotated

import typer

from stef.cli.gold_options import Penalty
from stef.cli.options import Json, Rules
from stef.cli.screen import say

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The folder that stef gold run wrote.")]
Out = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="RUN", help="Where to; RUN-rescored unless said. RUN stays.")
]


def rescore(
    run: RunArgument, rules: Rules = None, out: Out = None, penalty: Penalty = 1.0, as_json: Json = False
) -> None:
    """Compute every figure of a gold RUN anew, from the turns and results that it keeps.

    No agent is asked and no database is opened: for a newer stef, or for other rules (`agent_adds`).

    \b
    Examples:
      stef gold rescore run
      stef gold rescore run --rules rules/shop.json -o run-lenient
    """
    from stef.cli.gold_run import report  # noqa: PLC0415
    from stef.rules import RuleBook  # noqa: PLC0415  heavy
    from stef.runs.gold.rescore import rescore_gold  # noqa: PLC0415
    from stef.runs.rescore import hashes_of  # noqa: PLC0415
    from stef.runs.run import open_gold_run  # noqa: PLC0415

    old, book = open_gold_run(run), RuleBook.load(rules)
    if rules is None and old.settings.get("rules") not in (None, hashes_of(book)):
        say("stef: no --rules: under stef's default rules, not those that the RUN was made under")
    target = out or run.resolve().with_name(f"{run.resolve().name}-rescored")
    report(rescore_gold(old, book, target), as_json, penalty=penalty)
