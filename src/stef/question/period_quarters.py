"""Quarters, halves, fiscal years and centuries as written."""

import re

from stef.question import period_calendar as cal
from stef.question.number_words import ORDINALS
from stef.question.period_types import Page, Periodic, Point
from stef.question.period_years import named, year_after, year_number

QUARTER_CODE = re.compile(r"([qh])([1-4])")
_FISCAL = re.compile(r"fy(\d{4}|\d{2})?")
FISCAL_WORDS = frozenset({"fiscal", "financial"})
ORDINAL_DIGITS = {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": 4, "final": 4}
YEAR_NAMES = frozenset({"year", "years"})
_FILLERS = frozenset({"of", "the", "in", "is", "was", "are", "were", "to", "equal", "equals"})


def fiscal_or_year(page: Page, index: int) -> Point | None:
    """ "fiscal year 2023", "fiscal 2023", "fiscal Q3 2023"; "year 2014", "year is 2014"."""
    fiscal = page.low[index] in FISCAL_WORDS
    after = index + 1
    if fiscal and QUARTER_CODE.fullmatch(page.at(after)):
        return quarter_code(page, after, index, fiscal=True)
    if fiscal and page.at(after) in YEAR_NAMES:
        after += 1
    if not fiscal:
        while page.at(after) in _FILLERS and after < index + 4:
            after += 1
    year = year_number(page.at(after))
    if year is None or page.gap(after - 1) not in {"", "=", "==", ":", ","}:
        return None
    return named(cal.year_of(year, page.calendar.fiscal_year_start_month if fiscal else 1), index, after)


def quarter_code(page: Page, index: int, first: int | None = None, fiscal: bool = False) -> Point | None:
    """ "Q3 2022", "H1 of 2023", "Q3 FY2023", "FY2023", "FY 23"."""
    form = page.low[index]
    first = index if first is None else first
    code = QUARTER_CODE.fullmatch(form)
    if code is None:
        year, last = _fiscal_year(page, index)
        return named(cal.year_of(year, page.calendar.fiscal_year_start_month), first, last) if year else None
    part = int(code[2])
    if code[1] == "h" and part > 2:
        return None
    year, last = year_after(page, index)
    if year is None:
        after = index + 1 + (page.at(index + 1) == "of")
        year, ahead = _fiscal_year(page, after)
        if year is not None:
            fiscal, last = True, ahead
    if year is None and index and year_number(page.at(index - 1)) and page.gap(index - 1) in {"", "-"}:
        year, first = year_number(page.at(index - 1)), index - 1
    return _year_part(page, (code[1], part), year, (first, last), fiscal)


def _fiscal_year(page: Page, index: int) -> tuple[int | None, int]:
    match = _FISCAL.fullmatch(page.at(index))
    if match is None:
        return None, index
    written, last = (match[1], index) if match[1] else (page.at(index + 1), index + 1)
    if not written.isdecimal() or len(written) not in {2, 4}:
        return None, index
    return (2000 + int(written) if len(written) == 2 else int(written)), last


def part_of_year(page: Page, index: int) -> Point | None:
    """ "third quarter of 2022", "1st half of 2023", "second fiscal quarter of 2023", "twentieth century"."""
    form = page.low[index]
    part = ORDINALS.get(form) or ORDINAL_DIGITS[form]
    after = index + 1
    if page.at(after) == "century" and part > 4:
        return named(cal.years(100 * (part - 1) + 1, 100, "century"), index, after)
    fiscal = page.at(after) in FISCAL_WORDS
    after += fiscal
    kind = {"quarter": "q", "half": "h", "semester": "h"}.get(page.at(after))
    if kind is None or part > 4:
        return None
    if kind == "h" and form in {"last", "final"}:
        part = 2
    year, last = year_after(page, after)
    if year is None and page.at(after + 1) in {"of", "in"}:
        more = after + 2 + (page.at(after + 2) == "the")
        if page.at(more) in FISCAL_WORDS and (point := fiscal_or_year(page, more)):
            year, last, fiscal = year_number(page.at(point.last)), point.last, True
    if year is None and form in {"last", "final"}:
        return None
    return _year_part(page, (kind, part), year, (index, last), fiscal) if part <= (4 if kind == "q" else 2) else None


def _year_part(
    page: Page, code: tuple[str, int], year: int | None, words: tuple[int, int], fiscal: bool
) -> Point | None:
    kind, part = code
    if year is None and kind == "h":
        return None
    if year is None:
        return Point(None, "quarter", *words, (Periodic("QUARTER", part, part),), open_year=True)
    start = page.calendar.fiscal_year_start_month if fiscal else 1
    return named(cal.quarter_of(year, part, start) if kind == "q" else cal.half_of(year, part, start), *words)
