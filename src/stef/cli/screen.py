"""What a command writes: results on standard output, everything else on standard error, hostile text made harmless."""

import json
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\|\x9c|$)"  # OSC, DCS and their like, up to their end
    r"|\x1b[ -/]*[0-~]?"
    r"|\x9b[0-?]*[ -/]*[@-~]",
    re.DOTALL,
)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text: str) -> str:
    """Text without escape sequences, control characters and marks that reorder what is shown; line ends are kept."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n")))


def one_line(text: str, longest: int = 120) -> str:
    """Harmless text on one line, cut at `longest` characters."""
    line = " ".join(harmless(text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def quoted(text: str) -> str:
    """`text` as one word of a shell."""
    import shlex  # noqa: PLC0415

    return shlex.quote(one_line(text, 1_000))


def say(text: str = "") -> None:
    """One message on standard error."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201  this is where messages leave


def show(text: str = "") -> None:
    """One line of a result on standard output."""
    print(text)  # noqa: T201  this is where results leave


def show_json(value: Any) -> None:
    """One JSON document on standard output."""
    show(json.dumps(value, ensure_ascii=False, indent=2, default=str, allow_nan=False))


def on_terminal() -> bool:
    """Whether results go to a terminal."""
    return sys.stdout.isatty()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts; columns named in `left` are flush left, the others flush right.

    With `keys`, a table that is too wide for the terminal is shown in parts, each behind its first `keys` columns.
    """

    headers: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: frozenset[str] = frozenset()
    title: str = ""
    keys: int = 0

    def show(self) -> None:
        """Print it: with lines on a terminal, as aligned text in a pipe."""
        if self.keys and len(self.headers) > self.keys + 1 and not self.fits():
            for part in self.split(self.keys, (len(self.headers) + self.keys + 1) // 2):
                part.show()
        elif on_terminal():
            self._rich()
        else:
            self._plain()

    def fits(self) -> bool:
        """Whether it can be shown without cutting a figure: always in a pipe."""
        return not on_terminal() or sum(self._widths()) + 3 * len(self.headers) <= shutil.get_terminal_size().columns

    def split(self, keys: int, after: int) -> "tuple[Grid, Grid]":
        """Two narrower tables: the columns up to `after`, and the rest behind the first `keys` columns again."""
        first = replace(self, headers=self.headers[:after], rows=[row[:after] for row in self.rows])
        headers = [*self.headers[:keys], *self.headers[after:]]
        return first, replace(self, headers=headers, rows=[[*row[:keys], *row[after:]] for row in self.rows], title="")

    def _widths(self) -> list[int]:
        cells = [self.headers, *self.rows]
        return [max(len(row[index]) for row in cells) for index in range(len(self.headers))]

    def _plain(self) -> None:
        if self.title:
            show(self.title)
        widths = self._widths()
        for row in (self.headers, *self.rows):
            texts = [
                cell.ljust(width) if header in self.left else cell.rjust(width)
                for header, cell, width in zip(self.headers, row, widths, strict=True)
            ]
            show("  ".join(texts).rstrip())

    def _rich(self) -> None:
        from rich import box  # noqa: PLC0415  heavy
        from rich.console import Console  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415
        from rich.text import Text  # noqa: PLC0415

        if self.title:
            show(self.title)
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for header in self.headers:
            is_text = header in self.left
            table.add_column(Text(header), justify="left" if is_text else "right", no_wrap=not is_text, overflow="fold")
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        Console(highlight=False).print(table)


def number(value: float | None, digits: int = 1) -> str:
    """A figure; a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def whole(value: float) -> str:
    """A figure without a needless fraction: 4.0 is 4."""
    return f"{value:g}"


def percent(value: float | None) -> str:
    """A share in per cent; a dash where there is none. Only all is 100 %."""
    if value is None:
        return "–"
    text = f"{value * 100:.1f}"
    return ("99.9" if text == "100.0" and value < 1 else text) + " %"


def count(number_of: int, thing: str, things: str | None = None) -> str:
    """A number with its noun: 1 turn, 2,001 turns."""
    return f"{number_of:,} {thing if number_of == 1 else things or thing + 's'}"
