"""The gold's answer is empty: no row, nothing but NULL, or a count of nothing."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Subject
from stef.records.gold import Doubt

NAME = "empty"
TITLE = "the answer is empty"
NEEDS = Needs.DATABASE

_WAY_OUT = "mend the query, or say `expect_empty: true` where nothing is the right answer"


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query whose answer says nothing, unless the case expects that."""
    if subject.case.expect_empty:
        return
    for gold, state in zip(subject.golds, subject.states, strict=True):
        result = gold.result
        if result is None:
            continue
        which = subject.which(gold)
        if Doubt.EMPTY in state.doubts:
            yield Remark(NAME, Severity.FAILS, f"{which}returns no row", _WAY_OUT, gold.index)
            continue
        values = [next(iter(column)) for column in result.columns] if result.rows == 1 else []
        if values and all(value is None for value in values):
            yield Remark(NAME, Severity.FAILS, f"{which}returns nothing but NULL", _WAY_OUT, gold.index)
        elif len(values) == 1 and values[0] == 0 and not isinstance(values[0], bool):
            yield Remark(
                NAME,
                Severity.DOUBTS,
                f"{which}returns 0: a query that finds nothing for a wrong reason gives the same",
                _WAY_OUT,
                gold.index,
            )
