"""Whether two results are one answer, decided without the scorer."""

from decimal import Decimal

import pytest

from stef.records.case import Case
from stef.records.result import Failure, FailureKind, Result
from stef.suites.same import same_answer

TABLE = Case(id="t", question="?", gold_sql=("SELECT 1",))
IDS = Case(id="i", question="?", gold_sql=("SELECT 1",), compare_on="id_set:k")


def result(**columns: list[object]) -> Result:
    return Result(tuple(columns), tuple(columns.values()), len(next(iter(columns.values()))))


GOLD = result(k=[1, 2], v=[0.5, 2])


@pytest.mark.parametrize(
    ("case", "given", "ordered", "same"),
    [
        (TABLE, result(v=[Decimal("0.5"), 2.0], k=[1, 2]), False, True),
        (TABLE, result(v=[2, 0.5 + 1e-12], k=[2, 1]), False, True),
        (TABLE, result(v=[2, 0.5], k=[2, 1]), True, False),
        (TABLE, result(k=[1, 2], v=[2, 0.5]), False, False),
        (TABLE, result(k=[1, 2]), False, False),
        (TABLE, result(k=[1, 2, 2], v=[0.5, 2, 2]), False, False),
        (TABLE, Failure(FailureKind.SYNTAX, "no"), False, False),
        (IDS, result(name=["a", "b", "b"], key=[2, 1, 1]), False, True),
        (IDS, result(k=[1, 3], v=[0, 0]), False, False),
    ],
)
def test_same_answer(case: Case, given: Result, ordered: bool, same: bool) -> None:
    """Rows as a multiset in any order of columns, ids as a set; numbers by value, to seven digits."""
    assert same_answer(case, GOLD, given, ordered=ordered) is same
