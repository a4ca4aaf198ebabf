"""`stef gold validate`: tests for the gold itself."""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.gold_options import CELL_BUDGET, ROW_LIMIT, TIMEOUT, CellBudget, Dialect, RowLimit, Timeout
from stef.cli.options import Json, Quiet, Rules
from stef.cli.render_validation import document, recorded_document, show_recorded, show_validation
from stef.cli.screen import count, say, show_json

if TYPE_CHECKING:
    from stef.gold.validate import Validation
    from stef.gold.validate.subject import Assess

Cases = Annotated[
    list[str], typer.Argument(metavar="CASES…", help="YAML, JSONL, JSON or CSV of cases; a folder, or a glob.")
]
Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="URL",
        help="The database the golds run on; {database} stands for a case's own. Without it, only the text is checked.",
    ),
]
Only = Annotated[
    list[str] | None, typer.Option("--only", metavar="CHECK", help="Make this check only; repeat it for several.")
]
FailOn = Annotated[
    str | None,
    typer.Option("--fail-on", metavar="SEVERITY", help="End with 1 where a case has this or worse: fails, doubts."),
]
Record = Annotated[
    bool, typer.Option("--record", help="Write each gold's answer of today into its case, as recorded_answer.")
]
Perturb = Annotated[
    int,
    typer.Option(
        "--perturb",
        min=0,
        max=100,
        metavar="K",
        help="Compare acceptable golds on K altered copies of the database, too.",
    ),
]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="The shape of the case files, where it is not told by their fields."),
]


def validate(  # noqa: PLR0913, PLR0917  the options of a command
    cases: Cases,
    db: Db = None,
    only: Only = None,
    fail_on: FailOn = None,
    record: Record = False,
    perturb: Perturb = 0,
    rules: Rules = None,
    format_: Format = None,
    dialect: Dialect = None,
    timeout: Timeout = TIMEOUT,
    row_limit: RowLimit = ROW_LIMIT,
    cell_budget: CellBudget = CELL_BUDGET,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Test the gold itself: does it run, does it answer, is it the answer of the question and of nothing else.

    Ends with 0 whatever is found, unless --fail-on sets a gate.

    \b
    Examples:
      stef gold validate cases.yaml --db sqlite:///shop.sqlite
      stef gold validate cases.yaml --db sqlite:///shop.sqlite --only orphans --fail-on fails
      stef gold validate cases.yaml --db sqlite:///shop.sqlite --record
      stef gold validate dev.json --format bird --json
    """
    from stef.cli.gold_validate_watching import watching  # noqa: PLC0415
    from stef.databases import Databases, Limits  # noqa: PLC0415  heavy
    from stef.gold.cases import load_cases  # noqa: PLC0415
    from stef.gold.perturbing import Perturbing  # noqa: PLC0415
    from stef.gold.validate import Means, chosen_checks  # noqa: PLC0415
    from stef.gold.validate import validate as validate_set  # noqa: PLC0415
    from stef.gold.validate.recorder import Recorder  # noqa: PLC0415
    from stef.sql import check_dialect  # noqa: PLC0415

    gate = _gate(fail_on)
    _check_record(record=record, db=db)
    checks = chosen_checks(only or ())
    spoken = check_dialect(dialect) if dialect else None
    found = load_cases(cases, format=format_, dialect=spoken)
    databases = Databases(db) if db else None
    perturbing = Perturbing(perturb) if perturb and db else None
    recorder = Recorder(datetime.now().astimezone().date()) if record else None
    try:
        with watching(len(found.cases), quiet=quiet or as_json, recorder=recorder) as told:
            means = Means(databases, Limits(timeout, row_limit, cell_budget), spoken, _assess(rules), perturbing, told)
            validation = validate_set(found, checks, means)
    finally:
        for one in (perturbing, databases):
            if one is not None:
                one.close()
    written = recorder.write() if recorder is not None else {}
    if as_json:
        show_json({**document(validation), "recorded": recorded_document(recorder, written)})
    else:
        show_validation(validation)
        show_recorded(recorder, written)
    _end(validation, gate)


def _check_record(*, record: bool, db: str | None) -> None:
    from stef.errors import UserError  # noqa: PLC0415

    if record and db is None:
        raise UserError("--record: an answer is recorded of a database; give it with --db")


def _assess(rules: Path | None) -> "Assess":
    from stef.evaluator import Evaluator  # noqa: PLC0415  heavy
    from stef.rules import RuleBook  # noqa: PLC0415

    return Evaluator(RuleBook.load(rules)).assess_sync


def _gate(word: str | None) -> int | None:
    from stef.errors import UserError  # noqa: PLC0415
    from stef.gold.validate import Severity  # noqa: PLC0415

    if word is None:
        return None
    if word.casefold() not in list(Severity):
        raise UserError(f"--fail-on {word}: there are {', '.join(Severity)}")
    return Severity(word.casefold()).rank


def _end(validation: "Validation", gate: int | None) -> None:
    if gate is None:
        return
    failing = sum(n for severity, n in validation.worst_counts().items() if severity.rank <= gate)
    if failing:
        say(f"stef: --fail-on: {count(failing, 'case')}")
        raise typer.Exit(1)
