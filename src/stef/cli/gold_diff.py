"""`stef gold diff`: one query against one gold, at once."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stef.cli.gold_options import CELL_BUDGET, ROW_LIMIT, TIMEOUT, CellBudget, Db, Dialect, RowLimit, Timeout
from stef.cli.options import Json
from stef.cli.screen import show, show_json

if TYPE_CHECKING:
    from stef.records.case import Case
    from stef.records.gold import CaseReport, Share
    from stef.runs.gold.pair import Pair

Gold = Annotated[list[str], typer.Option("--gold", metavar="SQL", help="The gold query; repeat it for several.")]
Sql = Annotated[str, typer.Option("--sql", metavar="SQL", help="The query to compare with it; - reads standard input.")]
CompareOn = Annotated[
    str | None,
    typer.Option("--compare-on", metavar="SHAPE", help="scalar, ranking, grouped, table or id_set:COLUMN."),
]
Perturb = Annotated[
    int,
    typer.Option("--perturb", min=0, max=100, metavar="K", help="Run both on K altered copies of the database, too."),
]
ExpectEmpty = Annotated[bool, typer.Option("--expect-empty", help="An empty answer is right.")]


def diff(  # noqa: PLR0913, PLR0917  the options of a command
    db: Db,
    gold: Gold,
    sql: Sql,
    compare_on: CompareOn = None,
    expect_empty: ExpectEmpty = False,
    perturb: Perturb = 0,
    dialect: Dialect = None,
    timeout: Timeout = TIMEOUT,
    row_limit: RowLimit = ROW_LIMIT,
    cell_budget: CellBudget = CELL_BUDGET,
    as_json: Json = False,
) -> None:
    """Run one query and its gold on a live database, and show where they differ.

    \b
    Examples:
      stef gold diff --db sqlite:///shop.sqlite --gold "SELECT COUNT(*) FROM item" --sql "SELECT COUNT(id) FROM item"
      stef gold diff --db sqlite:///shop.sqlite --gold "SELECT id FROM film" --sql - --compare-on id_set:id < query.sql
    """
    from stef.cli.pair_document import pair_document  # noqa: PLC0415  heavy
    from stef.cli.render_coincidence import coincidence_document, show_coincidence  # noqa: PLC0415
    from stef.cli.render_pair import show_pair, verdict_lines  # noqa: PLC0415
    from stef.databases import Limits, open_database  # noqa: PLC0415
    from stef.gold.coincidence import Speaks  # noqa: PLC0415
    from stef.runs.gold.pair import compare_queries  # noqa: PLC0415
    from stef.runs.gold.perturbed_pair import perturbed_pair  # noqa: PLC0415

    text = typer.get_text_stream("stdin").read() if sql == "-" else sql
    case = _case(gold, compare_on, expect_empty)
    database = open_database(db)
    try:
        limits = Limits(timeout, row_limit, cell_budget)
        pair = compare_queries(database, case, text, limits, dialect)
        found = perturbed_pair(database, case, pair, perturb, Speaks(limits, dialect)) if perturb else None
    finally:
        database.close()
    if as_json:
        more = {"coincidence": coincidence_document(found)} if perturb else {}
        show_json({**_document(pair), **pair_document(pair, case.tolerance), **more})
        return
    for line in verdict_lines(pair.report):
        show(line)
    if found is not None:
        show_coincidence(found)
    show_pair(pair, case.tolerance)


def _case(golds: list[str], compare_on: str | None, expect_empty: bool) -> "Case":
    from stef.errors import UserError  # noqa: PLC0415
    from stef.records.case import Case, Shape  # noqa: PLC0415  heavy

    if compare_on is not None and compare_on.partition(":")[0].strip().casefold() not in list(Shape):
        raise UserError(
            f"--compare-on {compare_on}: there are {', '.join(Shape)}; an id set names its column: id_set:id"
        )
    return Case(id="diff", question="", gold_sql=tuple(golds), compare_on=compare_on, expect_empty=expect_empty)


def _document(pair: "Pair") -> dict[str, Any]:
    report = pair.report
    output = report.output
    return {
        "exact_match": output and output.exact_match,
        "exact_match_positional": output and output.exact_match_positional,
        "bird_ex": output and output.bird_ex,
        "spider_ex": output and output.spider_ex,
        "correct": report.correct,
        "answer_shape": report.answer and report.answer.shape,
        "executable": report.executable,
        "columns": _share(output.columns if output else None),
        "cells": _share(output.cells if output else None),
        "components": _components(report),
        "ceilings": [ceiling.value for ceiling in report.ceilings],
        "symptom": report.symptom,
        "gold_index": report.gold_index,
        "scorer_fault": report.scorer_fault,
        "errors": [{"whose": one.whose, "kind": one.kind, "message": one.message} for one in report.faults],
        "pairs": [
            {
                "gold": one.reference,
                "candidate": one.candidate,
                "by": one.by,
                "precision": one.precision,
                "recall": one.recall,
            }
            for one in (output.pairs if output else ())
        ],
        "key": list(output.key) if output else [],
    }


def _share(share: "Share | None") -> dict[str, float | None]:
    return {"precision": share.precision if share else None, "recall": share.recall if share else None}


def _components(report: "CaseReport") -> dict[str, Any] | None:
    found = report.components
    if found is None:
        return None
    names = ("tables", "joins", "projections", "filters", "filters_without_values", "aggregations", "grouping")
    shares: dict[str, Any] = {name: _share(getattr(found, name)) for name in names}
    return {**shares, "order_equal": found.order_equal, "limit_equal": found.limit_equal}
