"""`stef gold explain`: one turn of a gold RUN, both results side by side."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.options import Json
from stef.cli.screen import one_line, say, show, show_json

if TYPE_CHECKING:
    from stef.runs.gold.pair import StoredPair

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The folder that stef gold run wrote.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The turn's id, or its row: 17 or '#17'.")]


def explain(run: RunArgument, turn_id: Id, as_json: Json = False) -> None:
    """Show one turn of a gold RUN: both queries, both results side by side, what pairs, what is missing, and why.

    Nothing is run again: the results are those that the RUN keeps.

    \b
    Examples:
      stef gold explain run q17::bot
      stef gold explain run '#17' --json
    """
    from stef.cli.pair_document import pair_document  # noqa: PLC0415  heavy
    from stef.cli.render_behaviour import behaviour_lines  # noqa: PLC0415
    from stef.cli.render_pair import show_pair, verdict_lines  # noqa: PLC0415
    from stef.runs.gold.pair import stored_pair  # noqa: PLC0415
    from stef.runs.gold.record import record_to_json  # noqa: PLC0415
    from stef.runs.run import open_gold_run  # noqa: PLC0415

    stored, alike = stored_pair(open_gold_run(run), turn_id)
    if alike > 1:
        say(f"stef: {alike} turns have the id {one_line(turn_id, 60)}; the first is shown; '#ROW' names another")
    tolerance = stored.case.tolerance
    if as_json:
        document = json.loads(record_to_json(stored.record))
        case = stored.case.model_dump(mode="json", exclude_defaults=True)
        show_json({"case": case, **document, **pair_document(stored.pair, tolerance)})
        return
    _show_head(stored)
    for line in (*verdict_lines(stored.record.report), *behaviour_lines(stored.record.report)):
        show(line)
    show()
    show("Question")
    show(f"  {one_line(stored.record.question, 2_000)}")
    show_pair(stored.pair, tolerance)


def _show_head(stored: "StoredPair") -> None:
    record, case = stored.record, stored.case
    named = [f"turn {record.id}", f"row {record.row}", f"case {record.case_id}", f"agent {record.agent}"]
    named += [f"phrasing {record.phrasing}"] if record.phrasing else []
    named += [f"database {record.database}"] if record.database else []
    named += [text for text in (case.category, case.difficulty) if text]
    show(one_line(" · ".join(named), 400))
