"""Values that cannot be: less than none, more than all, text where a number is asked."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

from stef.records.expressions import Agg
from stef.records.result import Result
from stef.records.spec import Select
from stef.verify.candidate import Candidate
from stef.verify.records import Sign
from stef.verify.sanity import expecting

_WHOLE, _ROUNDING = 100.0, 1.0 + 1e-9


def ranges(candidate: Candidate, result: Result) -> Iterator[Sign]:
    """Signs of values that are out of their range."""
    yield from _negative(candidate, result)
    yield from _shares(candidate, result)
    yield from _no_number(candidate, result)


def _negative(candidate: Candidate, result: Result) -> Iterator[Sign]:
    """How many of something there are is no less than none."""
    spec = candidate.asked.spec
    if not expecting.one_value(candidate) or not isinstance(spec, Select) or len(result.columns) != 1:
        return
    if "difference_asked" in candidate.notes:
        return
    counted = all(isinstance(one.expr, Agg) and one.expr.name == "COUNT" for one in spec.projections)
    values = _numbers(result.columns[0])
    if counted and values and min(values) < 0:
        yield Sign("negative_count", f"the question asks how many, the query gives {min(values):g}")


def _shares(candidate: Candidate, result: Result) -> Iterator[Sign]:
    if not expecting.share(candidate) or not result.rows:
        return
    columns = [numbers for column in result.columns if (numbers := _numbers(column))]
    # Beside a share there may stand what it is a share of.
    if len(columns) != 1:
        return
    low, high = min(columns[0]), max(columns[0])
    if low < 0 or high > _WHOLE * _ROUNDING:
        wrong = low if low < 0 else high
        yield Sign(
            "share_out_of_range",
            f"the question asks for a share, the query gives {wrong:g}",
            way_out="is it divided by the whole, and multiplied by 100 once?",
            facts={"value": wrong},
        )


def _no_number(candidate: Candidate, result: Result) -> Iterator[Sign]:
    """ "How many" is answered by a number."""
    spec = candidate.asked.spec
    if not expecting.one_value(candidate) or not isinstance(spec, Select) or not result.rows:
        return
    if all(isinstance(one.expr, Agg) and one.expr.name in ("COUNT", "AVG", "SUM") for one in spec.projections):
        texts = [value for column in result.columns for value in column if value is not None]
        if texts and all(isinstance(value, str) and not _looks_numeric(value) for value in texts):
            yield Sign("text_for_number", f"the question asks for a number, the query gives {texts[0][:60]!r}")


def _looks_numeric(text: str) -> bool:
    return any(map(str.isdigit, text))


def _numbers(column: Sequence[Any]) -> list[float]:
    """The numbers of a column; none where it holds anything else."""
    found = []
    for value in column:
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            return []
        number = float(value)
        if isfinite(number):
            found.append(number)
    return found
