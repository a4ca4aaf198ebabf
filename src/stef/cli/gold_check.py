"""`stef gold check`: a gold set by itself, without agent and database."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.options import Json
from stef.cli.screen import count, harmless, one_line, show, show_json

if TYPE_CHECKING:
    from stef.gold.cases import CaseCheck

Cases = Annotated[
    list[str], typer.Argument(metavar="CASES…", help="YAML, JSONL, JSON or CSV of cases; a folder, or a glob.")
]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="The shape of the files, where it is not told by their fields."),
]
Dialect = Annotated[str | None, typer.Option(metavar="NAME", help="The dialect of gold SQL that names none itself.")]

_MOST_TWINS = 5
_MOST_VALUES = 8


def check(cases: Cases, format_: Format = None, dialect: Dialect = None, as_json: Json = False) -> None:
    """Read a gold set, and say what is in it and what is wrong with it, with file, line and field.

    Asks no database: whether the golds run is another question. Ends with 0 where all is well, 2 where an entry is
    broken.

    \b
    Examples:
      stef gold check cases.yaml
      stef gold check dev.json --format bird --json
    """
    from stef.gold.cases import check_report, load_cases  # noqa: PLC0415, as `stef --help` needs none of it
    from stef.sql import check_dialect  # noqa: PLC0415

    found = check_report(load_cases(cases, format=format_, dialect=check_dialect(dialect) if dialect else None))
    if as_json:
        show_json(found.to_json())
    else:
        _show(found)
    raise typer.Exit(2 if found.faults else 0)


def _show(found: "CaseCheck") -> None:
    for fault in found.faults:
        show(harmless(str(fault)))
    if found.faults:
        show()
    broken = f", {count(found.broken, 'broken entry', 'broken entries')}" if found.broken else ""
    show(f"{count(found.cases, 'case')}{broken}, {count(found.phrasings, 'phrasing')}")
    readings = {f"{queries}:": cases for queries, cases in found.readings.items()}
    for name, counts in (
        ("kind", found.kinds),
        ("database", found.databases),
        ("category", found.categories),
        ("difficulty", found.difficulties),
        ("acceptable queries of a case", readings),
    ):
        if set(counts) - {None}:
            show(f"  {name}: {_listed(counts)}")
    if found.twins:
        some = ", ".join(f"{one_line(one, 40)} = {one_line(other, 40)}" for one, other in found.twins[:_MOST_TWINS])
        more = ", …" if len(found.twins) > _MOST_TWINS else ""
        show(f"  twins (one answer or one question): {count(len(found.twins), 'pair')}: {some}{more}")
    for path, format_ in found.formats.items():
        show(f"  {harmless(path)}: read as {format_}")
    if found.dropped:
        show(f"  fields without use: {_listed(found.dropped)}")
    if found.skipped:
        show(f"  no cases in: {harmless(', '.join(found.skipped))}")


def _listed(counts: Mapping[str | None, int] | Mapping[str, int]) -> str:
    shown = [f"{one_line(value, 40) if value else 'none'} {cases:,}" for value, cases in counts.items()]
    more = f", and {len(shown) - _MOST_VALUES} more" if len(shown) > _MOST_VALUES else ""
    return ", ".join(shown[:_MOST_VALUES]) + more
