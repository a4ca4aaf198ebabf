"""The simple steps by which a number may follow from rows, in order: the first that leads there is told.

The more steps are allowed, the more wrong numbers pass by chance. So a step between two values needs both: a word of
the sentence that says the step ("more than", "total", "%"), and values in view, which are those of rows that the
sentence names, or of at most three rows.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from statistics import median
from typing import Final, TypeAlias

from stef.verify.wording.claims import Stated
from stef.verify.wording.view import View, shown

_MOST_SHOWN = 40

_DIFFERENCE = frozenset(
    [
        *("difference", "more", "less", "fewer", "higher", "lower", "larger", "smaller", "greater", "older", "younger"),
        *("longer", "shorter", "than", "gap", "exceeds", "ahead", "behind", "increase", "increased", "decrease"),
        *(
            "decreased",
            "drop",
            "dropped",
            "rose",
            "fell",
            "grew",
            "growth",
            "change",
            "changed",
            "up",
            "down",
            "margin",
        ),
    ]
)
_RATIO = frozenset(["times", "ratio", "double", "twice", "triple", "half", "factor", "per"])
_SUM = frozenset(["total", "together", "combined", "sum", "both", "altogether", "overall", "all", "and"])
_AVERAGE = frozenset(["average", "mean", "averages", "averaging"])
_SHARE = frozenset(["percent", "percentage", "share", "proportion", "fraction"])

_UNITS: Final[dict[str, tuple[float, ...]]] = {
    "minutes": (1 / 60, 1 / 60_000, 60.0),
    "minute": (1 / 60, 1 / 60_000, 60.0),
    "hours": (1 / 3600, 1 / 60, 24.0),
    "hour": (1 / 3600, 1 / 60, 24.0),
    "seconds": (1 / 1000, 60.0),
    "days": (1 / 24, 7.0, 1 / 86_400),
    "weeks": (1 / 7,),
    "months": (12.0,),
    "years": (1 / 12, 1 / 365.25),
    "km": (1 / 1000,),
    "m": (1 / 100, 1000.0),
    "kg": (1 / 1000, 1000.0),
    "gb": (1 / 1024, 1 / 1024**3),
    "mb": (1 / 1024, 1 / 1024**2),
}
"""What a value may be multiplied by to be stated in a unit."""


Step: TypeAlias = Callable[[View], str | None]


def cell(view: View) -> str | None:
    """It stands in a cell; a share of 0.42 is stated as 42 %.

    Where a sentence names one row and states one number, that row is what it speaks of: "Germany has 5".
    """
    claim = view.claim
    for name, numbers in zip(view.table.names, view.table.numbers, strict=True):
        for row, number in numbers:
            if view.only is not None and row != view.only:
                continue
            if claim.fits(number):
                return f"{name}: {shown(number)}"
            if claim.percent and abs(number) <= 1 and claim.fits(number * 100):
                return f"{name}: {shown(number)}, in per cent"
    return None


def in_text(view: View) -> str | None:
    """It stands in a text: "Boeing 737"."""
    return "in a text" if view.claim.value in view.table.numbers_in_texts else None


def in_date(view: View) -> str | None:
    """It is the year, the month or the day of a date."""
    value = view.claim.value
    if not view.claim.exact or view.claim.percent:
        return None
    for name, moment in view.table.dates:
        if value in (moment.year, moment.month, moment.day):
            return f"{name}: {moment.date()}"
    return None


def number_of_rows(view: View) -> str | None:
    """It counts the rows, or the different values of a column of texts."""
    claim, table = view.claim, view.table
    if claim.percent:
        return None
    if not table.cut and claim.fits(table.rows):
        return f"{table.rows:,} rows"
    if table.rows == 1 and claim.fits(len(table.names)):
        return f"{len(table.names):,} values"
    for place, name in enumerate(table.names):
        different = len({text for _, column, text in table.texts if column == place})
        if different and claim.fits(different):
            return f"{different:,} different {name}"
    return None


def rank(view: View) -> str | None:
    """An ordinal is the place of a row."""
    claim = view.claim
    return f"row {claim.value:g}" if claim.ordinal and 1 <= claim.value <= view.table.rows else None


def rows_alike(view: View) -> str | None:
    """It counts the rows that have a value which the sentence names."""
    claim, table = view.claim, view.table
    counts = Counter((column, text) for row, column, text in table.texts if row in view.rows)
    for (column, text), count in counts.items():
        if count > 1 and text in claim.sentence.folded:
            whole = sum(one == column and text == other for _, one, other in table.texts)
            if claim.percent and claim.fits(100.0 * whole / table.rows):
                return f"{whole:,} of {table.rows:,} rows with {text!r}"
            if not claim.percent and claim.fits(whole):
                return f"{whole:,} rows with {text!r}"
    return None


def whole_column(view: View) -> str | None:
    """It is the sum, the average or the median of a column."""
    claim = view.claim
    if view.table.cut:
        return None
    for name, numbers in zip(view.table.names, view.table.numbers, strict=True):
        values = [number for _, number in numbers]
        if len(values) < 2:
            continue
        total = sum(values)
        if claim.fits(total):
            return f"sum of {name}: {shown(total)}"
        if claim.fits(total / len(values)):
            return f"average of {name}: {shown(total / len(values))}"
        if "median" in view.cues and claim.fits(median(values)):
            return f"median of {name}: {shown(median(values))}"
    return None


def share_of_column(view: View) -> str | None:
    """It is the share of a row in view of its column."""
    claim = view.claim
    if view.table.cut or not (claim.percent or _SHARE & view.cues):
        return None
    for name, numbers in zip(view.table.names, view.table.numbers, strict=True):
        total = sum(number for _, number in numbers)
        if len(numbers) < 2 or not total:
            continue
        seen = [number for row, number in numbers if row in view.rows]
        # Several rows may be named together: "the first two make up 60 %".
        for number in [*seen, sum(seen)]:
            if _fits_share(claim, number / total):
                return f"{shown(number)} of {shown(total)}, the sum of {name}"
    return None


def two_values(view: View) -> str | None:
    """It is the difference, the ratio, the change in per cent, the sum or the average of two values in view."""
    formulas = _IN_PER_CENT if view.claim.percent else _PLAIN
    chosen = [(name, compute) for name, words, compute in formulas if not words or words & view.cues]
    for one, other, words in view.pairs if chosen else ():
        for name, compute in chosen:
            for low, high in ((one, other), (other, one)):
                number = compute(low, high)
                if number is not None and view.claim.fits(number):
                    return f"{name} of {words}"
    return None


_Formula: TypeAlias = tuple[str, frozenset[str], Callable[[float, float], float | None]]


def _over(low: float, high: float) -> float | None:
    return high / low if low else None


def _change(low: float, high: float) -> float | None:
    return 100 * (high - low) / low if low else None


def _part(low: float, high: float) -> float | None:
    return 100 * high / low if low else None


_IN_PER_CENT: Final[tuple[_Formula, ...]] = (
    ("share", frozenset(), _part),
    ("change", frozenset(), _change),
    ("difference", _DIFFERENCE | _SHARE, lambda low, high: high - low),
)
_PLAIN: Final[tuple[_Formula, ...]] = (
    ("difference", _DIFFERENCE, lambda low, high: high - low),
    ("ratio", _RATIO | _SHARE, _over),
    ("sum", _SUM, lambda low, high: low + high),
    ("average", _AVERAGE, lambda low, high: (low + high) / 2),
)
"""Name, the words that call for it (none: always), and how it is computed."""


def rows_in_view(view: View) -> str | None:
    """It is the sum or the average of a column over the rows that the sentence names, or how many those are."""
    if not 2 <= len(view.rows) < view.table.rows:
        return None
    if view.claim.fits(len(view.rows)) and view.claim.exact:
        return f"{len(view.rows)} rows that are named"
    for name, numbers in zip(view.table.names, view.table.numbers, strict=True):
        seen = [number for row, number in numbers if row in view.rows]
        if len(seen) < 2:
            continue
        if _SUM & view.cues and view.claim.fits(sum(seen)):
            return f"sum of {name} over the rows that are named"
        if _AVERAGE & view.cues and view.claim.fits(sum(seen) / len(seen)):
            return f"average of {name} over the rows that are named"
    return None


def in_another_unit(view: View) -> str | None:
    """It is a value in view in another unit: minutes of seconds."""
    factors = _UNITS.get(view.claim.unit or "", ())
    for name, number in _in_view(view) if factors else ():
        for factor in factors:
            if view.claim.fits(number * factor):
                return f"{name}: {shown(number)}, in {view.claim.unit}"
    return None


STEPS: Final[tuple[Step, ...]] = (
    number_of_rows,
    in_date,
    in_text,
    rank,
    whole_column,
    rows_alike,
    share_of_column,
    rows_in_view,
    two_values,
    in_another_unit,
)
"""In this order, after `cell`."""

STEPS_OF_TIMES: Final[tuple[Step, ...]] = (two_values,)
"""What "twice" may follow from: it counts no rows."""


def _in_view(view: View) -> Iterator[tuple[str, float]]:
    told = 0
    for name, numbers in zip(view.table.names, view.table.numbers, strict=True):
        for row, number in numbers:
            if row in view.rows and told < _MOST_SHOWN:
                told += 1
                yield name, number


def _fits_share(claim: Stated, share: float) -> bool:
    return claim.fits(share * 100 if claim.percent else share)
