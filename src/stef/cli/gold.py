"""`stef gold`: agents against gold queries on a live database."""

import typer

from stef.cli.gold_check import check
from stef.cli.gold_diff import diff
from stef.cli.gold_explain import explain
from stef.cli.gold_rescore import rescore
from stef.cli.gold_run import run
from stef.cli.gold_validate import validate
from stef.cli.guard import guarded

gold_app = typer.Typer(
    name="gold",
    help="Compare agents with gold queries on a live database: where each went wrong, family by family.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)

for _command, _help in (
    (run, "Put cases to agents, run both queries, and print the table of the agents."),
    (check, "Read a gold set, and say what is in it and what is wrong with it."),
    (validate, "Test the gold itself: does it run, does it answer, can it be trusted."),
    (diff, "Compare one query with one gold, at once."),
    (explain, "Show one turn: both results side by side, what pairs, and what is missing."),
    (rescore, "Compute every figure of a gold RUN anew, without agent or database."),
):
    gold_app.command(_command.__name__, short_help=_help)(guarded(_command))
