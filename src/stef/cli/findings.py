"""`stef findings`: the rules that there are, what each means, and how right it was on labelled turns."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stef.cli.guard import guarded
from stef.cli.options import Json
from stef.cli.screen import Grid, harmless, show, show_json

if TYPE_CHECKING:
    from stef.findings.measured import Measured, Precision
    from stef.findings.registry import Rule

Code = Annotated[str | None, typer.Argument(metavar="CODE", help="A finding's code, such as S120: show what it means.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print the page of all of stef's own findings.")]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("findings", short_help="List the findings, and how right each was on labelled turns.")(
        guarded(findings)
    )


def findings(code: Code = None, as_json: Json = False, markdown: Markdown = False) -> None:
    """List the findings with how right each was: the wrong share of the labelled turns on which it fired, and how many.

    With CODE: what it sees, why that is bad, an example, the right form, and its figures with their intervals.

    \b
    Examples:
      stef findings
      stef findings S120
    """
    from stef.findings.measured import load_measured  # noqa: PLC0415  heavy
    from stef.findings.registry import OWN, all_rules  # noqa: PLC0415

    rules, measured = all_rules(), load_measured()
    if code is not None:
        rules = (_one(rules, code),)
    if as_json:
        show_json(_document(rules, measured))
    elif markdown:
        from stef.findings.page import render_page  # noqa: PLC0415

        show(render_page([rule for rule in rules if rule.module.startswith(f"{OWN}.")], measured).rstrip())
    elif code is not None:
        _show_one(rules[0], measured)
    else:
        _show_all(rules, measured)


def _one(rules: "tuple[Rule, ...]", code: str) -> "Rule":
    from difflib import get_close_matches  # noqa: PLC0415

    from stef.errors import UserError  # noqa: PLC0415

    by_code = {rule.code: rule for rule in rules}
    found = by_code.get(code.upper())
    if found is None:
        near = get_close_matches(code.upper(), by_code, n=1)
        hint = f"did you mean {near[0]}?" if near else "`stef findings` lists them"
        raise UserError(f"unknown finding {harmless(code[:60])!r}; {hint}")
    return found


def _show_all(rules: "tuple[Rule, ...]", measured: "Measured") -> None:
    sets = measured.sets
    headers = ["code", "finding", *(one.name.partition("_")[0] for one in sets)]
    rows = [["", "all turns: wrong share, turns", *(f"{one.wrong_share:.2f} {one.turns:>5}" for one in sets)]]
    for rule in rules:
        figures = measured.of(rule.code)
        rows.append([rule.code, rule.title, *(_cell(figures.get(one.name)) for one in sets)])
    grid = Grid(headers, rows, frozenset({"code", "finding"}))
    parts = [grid] if grid.fits() else grid.split(1, 2 + (len(sets) + 1) // 2)
    for index, part in enumerate(parts):
        if index:
            show()
        part.show()
    show()
    show("Each cell: the wrong share of the turns on which the finding fires, and how many these are.")


def _cell(one: "Precision | None") -> str:
    return "" if one is None else f"{one.wrong_share:.2f} {one.turns:>5}"


def _show_one(rule: "Rule", measured: "Measured") -> None:
    show(harmless(f"{rule.code} {rule.title}\n\n{rule.doc}\n"))
    figures = measured.of(rule.code)
    if not figures:
        show("Never seen on the labelled turns.")
        return
    headers = ("labelled turns", "fired on", "wrong", "90 % interval", "base", "same questions")
    rows = [
        [
            one.name,
            f"{figures[one.name].turns:,}",
            f"{figures[one.name].wrong_share:.2f}",
            f"{figures[one.name].low:.2f} to {figures[one.name].high:.2f}",
            f"{one.wrong_share:.2f}",
            _share(figures[one.name].same_question),
        ]
        for one in measured.sets
        if one.name in figures
    ]
    Grid(headers, rows, frozenset({"labelled turns"})).show()


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _document(rules: "tuple[Rule, ...]", measured: "Measured") -> dict[str, Any]:
    from dataclasses import asdict  # noqa: PLC0415

    return {
        "sets": [asdict(one) for one in measured.sets],
        "provenance": measured.provenance,
        "findings": [
            {
                "code": rule.code,
                "title": rule.title,
                "module": rule.module,
                "doc": rule.doc,
                "measured": {name: asdict(one) for name, one in measured.of(rule.code).items()},
            }
            for rule in rules
        ],
    }
