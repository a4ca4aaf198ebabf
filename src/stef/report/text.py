"""Text and figures as reports write them: hostile text is shown, never obeyed; what is undefined is a dash."""

import re

# Control characters and marks that turn the direction of text: they would show other text than there is.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
DASH = "–"


def visible(text: str) -> str:
    """Text with a sign in place of each character that would act and not be seen."""
    return _UNSEEN.sub("\ufffd", text)


def one_line(text: str, longest: int = 120) -> str:
    """Visible text on one line, cut at `longest` characters."""
    line = " ".join(visible(text).split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def whole(value: float) -> str:
    """A figure without a needless fraction: 4.0 is 4."""
    return f"{value:g}"


def number(value: float | None, digits: int = 1) -> str:
    """A figure; a dash where there is none."""
    return DASH if value is None else f"{value:,.{digits}f}".replace("-", "−")


def percent(value: float | None, digits: int = 1) -> str:
    """A share in per cent; a dash where there is none. Only all is 100 %."""
    if value is None:
        return DASH
    full = f"{100:.{digits}f}"
    text = f"{value * 100:.{digits}f}"
    return (f"{100 - 10**-digits:.{digits}f}" if text == full and value < 1 else text) + " %"


def count(number_of: int, thing: str, things: str | None = None) -> str:
    """A number with its noun: 1 turn, 2,001 turns."""
    return f"{number_of:,} {thing if number_of == 1 else things or thing + 's'}"


def words(code: str) -> str:
    """The name of a code for people: `not_applied` is "not applied"."""
    return code.replace("_", " ")
