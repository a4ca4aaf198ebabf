"""`stef rules`: check application rules, and print their JSON Schema."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stef.cli.guard import guarded
from stef.cli.screen import harmless, on_terminal, show, show_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from stef.records.assessment import Assessment
    from stef.records.turn import Turn
    from stef.rules import AppRules
    from stef.rules.checking import Checks, FileCheck
    from stef.rules.examples import ExampleResult
    from stef.rules.fragments import Fragment

rules_app = typer.Typer(
    name="rules",
    help="Check application rules, and print their JSON Schema.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_EXIT = {"ok": 0, "failed": 1, "broken": 2}


@rules_app.command("check")
@guarded
def check(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A rules file, or a folder with one for each app.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")] = False,
) -> None:
    """Check rules whole: every key and value, the SQL in them, and their examples, which run as tests.

    Ends with 0 where all is well, 1 where an example fails, 2 where a file is broken.

    \b
    Examples:
      stef rules check rules/example_sales.json
    """
    from stef.rules.checking import check_rules  # noqa: PLC0415, as `stef --help` needs none of it

    results = check_rules(path, _checks())
    if as_json:
        show_json({"files": [_as_json(result) for result in results]})
    elif on_terminal():
        _show(results)
    else:
        for result in results:
            show(harmless("\n".join(_plain(result))))
    raise typer.Exit(max(_EXIT[result.status] for result in results))


@rules_app.command("schema")
@guarded
def schema() -> None:
    """Print the JSON Schema of a rules file, for an editor or another checker.

    \b
    Examples:
      stef rules schema > app-rules.schema.json
    """
    from stef.rules import rules_schema  # noqa: PLC0415, as `stef --help` needs none of it

    show_json(rules_schema())


def _checks() -> "Checks":
    from stef.errors import RulesError, UserError  # noqa: PLC0415, as `stef --help` needs none of it
    from stef.evaluator import Evaluator  # noqa: PLC0415
    from stef.findings import rule_set  # noqa: PLC0415
    from stef.rules.checking import Checks  # noqa: PLC0415
    from stef.rules.fragments import FragmentKind  # noqa: PLC0415
    from stef.sql.dialects import check_dialect  # noqa: PLC0415
    from stef.sql.fragments import FragmentError, read_condition, read_expression  # noqa: PLC0415

    def dialect(name: str) -> str | None:
        try:
            check_dialect(name)
        except UserError as error:
            return str(error)
        return None

    def fragment(piece: "Fragment") -> str | None:
        read = read_condition if piece.kind is FragmentKind.CONDITION else read_expression
        try:
            read(piece.sql, piece.dialect)
        except FragmentError as error:
            return str(error)
        return None

    def assessor(rules: "AppRules") -> "Callable[[Turn], Assessment]":
        return Evaluator(rules=rules, judge="symbolic").assess_sync

    def findings(rules: "AppRules") -> str | None:
        try:
            rule_set(rules.findings)
        except RulesError as error:
            return str(error)
        return None

    return Checks(dialect, fragment, assessor, findings)


def _plain(result: "FileCheck") -> list[str]:
    if result.problems:
        return list(result.problems)
    lines = [f"{result.path}: {_verdict(result)} (hash {result.hash})"]
    for example in result.examples:
        lines.append(f"  {'pass' if example.passed else 'FAIL'}  [{example.index}] {example.example.question}")
        lines += [f"        {line}" for line in _details(example)]
    return lines


def _verdict(result: "FileCheck") -> str:
    count = len(result.examples)
    if not count:
        return "valid, no examples"
    return f"valid, {count - result.failed} of {count} examples pass"


def _details(example: "ExampleResult") -> list[str]:
    if example.passed:
        return []
    why = [f"why it is expected: {example.example.why}"] if example.example.why else []
    return [*example.differences, f"sql: {example.example.sql}", *why]


def _show(results: "tuple[FileCheck, ...]") -> None:
    from rich import box  # noqa: PLC0415, as a pipe needs none of it
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)
    for result in results:
        style = {"ok": "green", "failed": "yellow", "broken": "red"}[result.status]
        if result.problems:
            console.print(Text(harmless("\n".join(result.problems)), style=style))
            continue
        console.print(Text(f"{result.path}: {_verdict(result)} ", style=style) + Text(f"(hash {result.hash})", "dim"))
        if not result.examples:
            continue
        headers = ("", "#", "question", "what differs") if result.failed else ("", "#", "question")
        table = Table(*headers, box=box.SIMPLE_HEAD)
        for example in result.examples:
            mark = Text("pass", "green") if example.passed else Text("FAIL", "bold red")
            cells = (mark, str(example.index), Text(harmless(example.example.question)))
            details = (Text(harmless("\n".join(_details(example)))),) if result.failed else ()
            table.add_row(*cells, *details)
        console.print(table)


def _as_json(result: "FileCheck") -> dict[str, Any]:
    return {
        "path": result.path,
        "status": result.status,
        "problems": list(result.problems),
        "rules_hash": result.hash,
        "examples": [
            {
                "index": one.index,
                "question": one.example.question,
                "sql": one.example.sql,
                "passed": one.passed,
                "differences": list(one.differences),
                "why": one.example.why,
            }
            for one in result.examples
        ],
    }
