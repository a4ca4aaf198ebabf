"""Nothing came back: no row, nothing but NULL, a column of NULL, a count of nothing."""

from collections.abc import Iterator

from stef.records.result import Result
from stef.verify.candidate import Candidate
from stef.verify.records import Sign
from stef.verify.sanity.expecting import asks_whether


def emptiness(candidate: Candidate, result: Result) -> Iterator[Sign]:
    """At most one sign."""
    if not result.rows:
        # "Is there any …?" may rightly be answered by nothing.
        code = "no_row_for_whether" if asks_whether(candidate) else "empty"
        yield Sign(code, "the query gives no row", way_out="is a condition too strict, or a value not in the data?")
        return
    blank = [name for name, column in zip(result.names, result.columns, strict=True) if _is_blank(column)]
    if blank and len(blank) == len(result.columns):
        yield Sign("nothing_but_null", "the query gives nothing but NULL", way_out="what it computes is over no row")
    elif blank:
        yield Sign(
            "null_column",
            f"{'column' if len(blank) == 1 else 'columns'} {', '.join(blank)}: NULL in every row",
            way_out="is it the right column, and does the join find its rows?",
            facts={"columns": blank},
        )
    elif result.rows == 1 and len(result.columns) == 1 and _is_zero(next(iter(result.columns[0]))):
        yield Sign("counts_nothing", "the query gives 0", way_out="is a condition too strict?")


def _is_blank(column: object) -> bool:
    return all(value is None for value in column)  # type: ignore[attr-defined]


def _is_zero(value: object) -> bool:
    return value == 0 and not isinstance(value, bool)
