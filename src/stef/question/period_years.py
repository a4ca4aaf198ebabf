"""Years as written, and what they belong to."""

import re

from stef.question.number_words import CURRENCY_WORDS, UNITS
from stef.question.period_calendar import Stretch
from stef.question.period_types import Page, Point

_YEAR = re.compile(r"(?:1\d|2[01])\d\d")
PEOPLE = frozenset(
    {"people", "persons", "employees", "users", "customers", "students", "members", "seats", "inhabitants"}
)


def year_number(form: str) -> int | None:
    """The year that four digits can be, 1000 to 2199."""
    return int(form) if _YEAR.fullmatch(form) else None


def counts(page: Page, index: int) -> bool:
    """Whether the number at `index` counts what follows it: "2000 dollars", "2000 people"."""
    after = page.at(index + 1)
    return page.gap(index) == "" and (after in CURRENCY_WORDS or after in PEOPLE or after in UNITS)


def year_after(page: Page, index: int) -> tuple[int | None, int]:
    """The year that follows word `index` ("2021", ", 2021", "of 2021", "'21"), and its place."""
    after = index + 1
    if page.at(after) in {"of", "in"} and page.gap(index) in {"", "."}:
        after += 1
        after += page.at(after) == "the" and page.at(after + 1) == "year"
        after += page.at(after) == "year"
    elif page.gap(index) not in {"", ",", ".", "-", "/", "'", "’", ".,"}:
        return None, index
    year = year_number(page.at(after))
    if year is not None and not counts(page, after):
        return year, after
    start = page.words[after].span[0] if after < len(page.words) else 0
    if start and page.text[start - 1] in "'’" and page.low[after].isdecimal() and len(page.low[after]) == 2:
        short = int(page.low[after])
        return (1900 if short >= 70 else 2000) + short, after
    return None, index


def named(stretch: Stretch | None, first: int, last: int) -> Point | None:
    """The point that the words `first` to `last` name, if there is such a stretch of time."""
    return Point(stretch, stretch.grain, first, last) if stretch else None
