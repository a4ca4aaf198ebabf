"""`stef gold validate`: tests for the gold itself."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stef.cli.gold_options import CELL_BUDGET, ROW_LIMIT, TIMEOUT, CellBudget, Dialect, RowLimit, Timeout
from stef.cli.options import Json, Quiet
from stef.cli.screen import Grid, count, harmless, one_line, say, show, show_json

if TYPE_CHECKING:
    from stef.gold.validate import CaseRemarks, Remark, Validation
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
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="The shape of the case files, where it is not told by their fields."),
]

_MOST_SQL = 1_000


def validate(  # noqa: PLR0913, PLR0917  the options of a command
    cases: Cases,
    db: Db = None,
    only: Only = None,
    fail_on: FailOn = None,
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
      stef gold validate dev.json --format bird --json
    """
    from stef.databases import Databases, Limits  # noqa: PLC0415  heavy
    from stef.gold.cases import load_cases  # noqa: PLC0415
    from stef.gold.validate import Means, chosen_checks  # noqa: PLC0415
    from stef.gold.validate import validate as validate_set  # noqa: PLC0415
    from stef.sql import check_dialect  # noqa: PLC0415

    gate = _gate(fail_on)
    checks = chosen_checks(only or ())
    spoken = check_dialect(dialect) if dialect else None
    found = load_cases(cases, format=format_, dialect=spoken)
    databases = Databases(db) if db else None
    try:
        means = Means(databases, Limits(timeout, row_limit, cell_budget), spoken, _assess())
        validation = validate_set(found, checks, means)
    finally:
        if databases is not None:
            databases.close()
    if as_json:
        show_json(document(validation))
    else:
        _show(validation)
    _end(validation, gate)


def _assess() -> "Assess":
    from stef.evaluator import Evaluator  # noqa: PLC0415  heavy

    return Evaluator().assess_sync


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


def document(validation: "Validation") -> dict[str, Any]:
    """A validation as plain data."""
    return {
        "cases": [
            {
                "id": one.case.id,
                "where": one.case.where,
                "database": one.case.database,
                "question": one.case.question,
                "gold_sql": list(one.case.gold_sql),
                "worst": one.worst,
                "remarks": [remark.to_json() for remark in one.remarks],
            }
            for one in validation.cases
        ],
        "databases": {name: [one.to_json() for one in said] for name, said in validation.databases.items()},
        "broken": [fault.to_json() for fault in validation.broken],
        "counts": {name: {key.value: n for key, n in by.items()} for name, by in validation.counts().items()},
        "worst": {severity.value: n for severity, n in validation.worst_counts().items()},
        "made": list(validation.made),
        "left_out": dict(validation.left_out),
        "faults": [
            {"check": one.check, "case_id": one.case_id, "message": one.message, "traceback": one.traceback}
            for one in validation.faults
        ],
    }


def _show(validation: "Validation") -> None:
    for fault in validation.broken:
        show(harmless(str(fault)))
    for one in validation.cases:
        if one.remarks:
            _show_case(one)
    for name, remarks in validation.databases.items():
        show(f"database {one_line(name, 60)}" if name else "the database")
        for remark in remarks:
            _show_remark(remark)
    _show_counts(validation)


def _show_case(one: "CaseRemarks") -> None:
    database = f" · {one_line(one.case.database, 40)}" if one.case.database else ""
    head = f"{harmless(one.case.where or '?')}: {one_line(one.case.id, 60)}{database}"
    show(f"{head} · {one_line(one.case.question, 100)}")
    for remark in one.remarks:
        _show_remark(remark)


def _show_remark(remark: "Remark") -> None:
    show(f"  {remark.severity.value:<6}  {remark.check}: {one_line(remark.message, 400)}")
    if remark.way_out:
        show(f"          {one_line(remark.way_out, 300)}")
    if remark.sql:
        show(f"          proposed: {one_line(remark.sql, _MOST_SQL)}")


def _show_counts(validation: "Validation") -> None:
    from stef.gold.validate import CHECKS, Severity  # noqa: PLC0415

    counts = validation.counts()
    titles = {check.name: check.title for check in CHECKS}
    rows = [
        [name, *(f"{by[severity]:,}" if by[severity] else "·" for severity in Severity), titles.get(name, "")]
        for name, by in counts.items()
        if any(by.values())
    ]
    if rows:
        show()
        Grid(["check", *Severity, "what"], rows, frozenset({"check", "what"})).show()
    quiet = [name for name, by in counts.items() if not any(by.values())]
    if quiet:
        show(f"nothing to say: {', '.join(quiet)}")
    for reason in dict.fromkeys(validation.left_out.values()):
        names = ", ".join(name for name, why in validation.left_out.items() if why == reason)
        show(f"not made ({reason}): {names}")
    worst = validation.worst_counts()
    said = ", ".join(f"{n:,} {severity.value}" for severity, n in worst.items())
    clean = sum(one.worst is None for one in validation.cases)
    show(f"{count(len(validation.cases), 'case')}: {said}, {clean:,} without a remark")
    for fault in validation.faults[:3]:
        show(f"STEF'S OWN FAULT  {fault.check} on {fault.case_id or 'the set'}: {one_line(fault.message)}")
