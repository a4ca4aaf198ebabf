"""One explained turn: side by side and in colour on a terminal, plain text in a pipe."""

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from stef.cli.judges import judge_in_words
from stef.cli.screen import harmless, on_terminal, one_line, show
from stef.records.assessment import Assessment, Scored
from stef.report.explanation import (
    LEGEND,
    Line,
    Mark,
    Section,
    Stretch,
    arithmetic,
    headline,
    marked_enriched,
    marked_question,
    marked_sql,
    sections,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_STYLES = {
    Mark.MATCHED: "green",
    Mark.MISSING: "bold red",
    Mark.ALTERED: "magenta",
    Mark.EXTRA: "yellow",
    Mark.EXCUSED: "dim",
    Mark.UNDECIDED: "cyan",
    Mark.PLAIN: "",
}


def show_turn(assessment: Assessment, about: str = "") -> None:
    """Print the whole explanation; `about` says which turn it is."""
    if on_terminal():
        _show_rich(assessment, about)
    else:
        _show_plain(assessment, about)


def _head(assessment: Assessment, about: str) -> list[str]:
    outcome, judgement = assessment.outcome, assessment.judgement
    lines = [about] if about else []
    lines.append(headline(assessment))
    if isinstance(outcome, Scored):
        lines.append(arithmetic(outcome))
    if judgement is not None:
        lines.append(f"judged by: {judge_in_words(judgement.judge)}")
    return [one_line(line, 400) for line in lines]


def _sql_title(assessment: Assessment) -> str:
    return f"SQL ({one_line(assessment.dialect, 40)})" if assessment.dialect else "SQL"


def _show_plain(assessment: Assessment, about: str) -> None:
    for text in _head(assessment, about):
        show(text)
    texts = (
        ("Question", marked_question(assessment)),
        ("Enriched question", marked_enriched(assessment)),
        (_sql_title(assessment), marked_sql(assessment)),
    )
    for title, stretches in texts:
        if stretches:
            show()
            show(title)
            show(textwrap.indent(_marked(stretches), "  "))
    for section in sections(assessment):
        show()
        show(section.title)
        for line in section.lines:
            show(f"  {_plain_line(line)}")
    show()
    show(LEGEND)


def _marked(stretches: Sequence[Stretch]) -> str:
    """The text with each marked stretch as ✓‹…›."""
    return "".join(
        f"{stretch.mark}‹{harmless(stretch.text)}›" if stretch.mark else harmless(stretch.text) for stretch in stretches
    )


def _plain_line(line: Line) -> str:
    text = one_line(line.text, 300)
    return f"{line.mark} {text}   [{one_line(line.why, 400)}]" if line.why else f"{line.mark} {text}"


def _show_rich(assessment: Assessment, about: str) -> None:
    from rich.console import Console  # noqa: PLC0415  heavy
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False)
    for index, line in enumerate(_head(assessment, about)):
        console.print(Text(line, style="bold" if line.startswith(("Score", "Unscored")) else "dim" if index else ""))
    console.print(_side_by_side(assessment))
    for section in sections(assessment):
        console.print(Text(f"\n{section.title}", style="bold"))
        console.print(_rich_section(section))
    console.print(Text(LEGEND, style="dim"))


def _side_by_side(assessment: Assessment) -> "RenderableType":
    from rich import box  # noqa: PLC0415  heavy
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    asked = _coloured(marked_question(assessment))
    enriched = marked_enriched(assessment)
    if enriched:
        asked = Text.assemble(asked, "\n\n", Text("Enriched question\n", style="bold"), _coloured(enriched))
    table = Table(box=box.ROUNDED, expand=True, show_lines=False)
    table.add_column(Text("Question"), ratio=2, overflow="fold")
    table.add_column(Text(_sql_title(assessment)), ratio=3, overflow="fold")
    table.add_row(asked, _coloured(marked_sql(assessment)))
    return table


def _coloured(stretches: Sequence[Stretch]) -> "Text":
    from rich.text import Text  # noqa: PLC0415  heavy

    text = Text()
    for stretch in stretches:
        style = _STYLES[stretch.mark] if stretch.mark else ""
        text.append((stretch.mark or "") + harmless(stretch.text), style=style)
    return text


def _rich_section(section: Section) -> "RenderableType":
    from rich.table import Table  # noqa: PLC0415  heavy
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, show_header=False)
    table.add_column(width=1)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold", style="dim")
    for line in section.lines:
        style = _STYLES[line.mark]
        table.add_row(
            Text(line.mark, style=style), Text(one_line(line.text, 300), style=style), Text(one_line(line.why, 400))
        )
    return table
