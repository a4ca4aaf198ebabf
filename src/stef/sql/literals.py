"""Constants in canonical form: numbers as numbers, text in NFC with folded case and single spaces, dates by value."""

import re
import unicodedata
from datetime import datetime, timedelta
from math import isfinite

from stef.records.expressions import Literal, Span, Value

DAY = timedelta(days=1)

_ISO = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6})\d*)?)?)?(?:Z|\+00(?::?00)?)?"
)
_DATE_LIKE = re.compile(r"\d{1,4}[/.]\d{1,2}[/.]\d{1,4}|\d{1,2}-\d{1,2}-\d{4}|\d{4}-\d{1,2}-\d{1,2}")


def fold_text(text: str) -> str:
    """`text` in NFC, with folded case and single spaces, without spaces at its ends."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def fold_name(name: str) -> str:
    """A name of a table or column as it is compared."""
    return name.lower() if name.isascii() else unicodedata.normalize("NFC", name).casefold()


def text_literal(text: str, span: Span | None = None) -> Literal:
    """A constant that was written in quotes."""
    return Literal(fold_text(text), text, quoted=True, span=span)


def number_literal(text: str, span: Span | None = None) -> Literal:
    """A constant that was written without quotes."""
    return Literal(number(text), text, span=span)


def number(text: str) -> Value:
    """The number that `text` writes (2.0 is 2); the folded text itself where it is none that Python can hold."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value = float(text)
    except ValueError:
        return fold_text(text)
    if not isfinite(value):
        return fold_text(text)
    return int(value) if value.is_integer() and abs(value) < 1e15 else value


def parse_moment(text: str) -> tuple[datetime, bool] | None:
    """The date or timestamp that `text` writes in ISO form, and whether it is a whole day; None where it is none."""
    if not text or len(text) < 10 or text[4] != "-":
        return None
    match = _ISO.fullmatch(text.strip())
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction = match.groups()
    try:
        moment = datetime(
            int(year),
            int(month),
            int(day),
            int(hour or 0),
            int(minute or 0),
            int(second or 0),
            int((fraction or "0").ljust(6, "0")),
        )
    except ValueError:
        return None
    return moment, hour is None


def looks_like_date(text: str) -> bool:
    """Whether `text` writes a date in another form than ISO (3/4/2024, 2024-1-5)."""
    return len(text) <= 19 and _DATE_LIKE.match(text) is not None and parse_moment(text) is None


def month_after(moment: datetime, months: int) -> datetime:
    """The first day of the month that lies `months` after that of `moment`; `datetime.max` past the year 9999."""
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    if not 1 <= year <= 9999:
        return datetime.max
    return datetime(year, month + 1, 1)


def day_after(moment: datetime) -> datetime:
    """The start of the next day; `datetime.max` past the year 9999."""
    try:
        return datetime(moment.year, moment.month, moment.day) + DAY
    except OverflowError:
        return datetime.max
