"""The output family: columns, cells, what is undefined, ceilings, and the test of the scorer."""

import os
import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from gold_results_kit import result

from stef.gold import output as output_module
from stef.gold import verdicts as verdicts_module
from stef.gold.output import FAULT, compare_results
from stef.records.case import Tolerance
from stef.records.gold import Ceiling, Output, Share
from stef.records.result import Cut, Failure, FailureKind, Result

HERE = Path(__file__).parent
CASES = yaml.safe_load((HERE / "output_family.yaml").read_text("utf-8"))
BROKEN = Failure(FailureKind.EXECUTION, "no such thing")


def side(described: dict[str, Any]) -> Result:
    """A result as a case describes it."""
    return result(described["rows"], described["names"])


def compared(case: dict[str, Any]) -> tuple[Output, Result, Result | Failure]:
    """What comes out of a case, and its two sides."""
    reference = side(case["reference"])
    match case["candidate"]:
        case "failed":
            candidate: Result | Failure = BROKEN
        case "same":
            candidate = reference
        case described:
            candidate = side(described)
    origins = case.get("origins", (None, None))
    found = compare_results(
        reference,
        candidate,
        reference_origins=origins[0],
        candidate_origins=origins[1],
        ordered=case.get("ordered", False),
        tolerance=Tolerance(**case.get("tolerance", {})),
        threshold=case.get("threshold", 0.5),
    )
    return found, reference, candidate


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_what_comes_out(case: dict[str, Any]) -> None:
    """Every case of the list comes out as it says."""
    found, reference, candidate = compared(case)
    for name in ("exact", "bird"):
        if name in case:
            assert {"exact": found.exact_match, "bird": found.bird_ex}[name] is case[name]
    for name in ("columns", "cells"):
        if name in case:
            share = getattr(found, name)
            wanted = [None if one is None else pytest.approx(float(Fraction(one))) for one in case[name]]
            assert [share.precision, share.recall] == wanted, name
    if "pairs" in case:
        assert isinstance(candidate, Result)
        pairs = [[candidate.names[one.candidate], reference.names[one.reference], one.by] for one in found.pairs]
        assert pairs == case["pairs"]
    if "key" in case:
        assert [reference.names[found.pairs[place].reference] for place in found.key] == case["key"]
    if "matched" in case:
        assert found.matched_cells == case["matched"]
    assert [one.value for one in found.ceilings] == case.get("ceilings", [])
    assert found.scorer_fault is None


def test_the_worked_example_is_exact() -> None:
    """Not nearly: the four numbers are these floats."""
    found, _, _ = compared(CASES[0])
    assert found.columns == Share(2.5 / 4, 3 / 3)
    assert found.cells == Share(8 / 12, 8 / 12)


def test_types_meet_by_value() -> None:
    """Decimals and floats, dates and timestamps of midnight are one; lists and bytes compare without a crash."""
    reference = result(
        [[1, Decimal("1.50"), date(2024, 1, 1), [1, 2], b"x"], [2, Decimal("2.25"), date(2024, 1, 2), [], b"y"]],
        "a b c d e",
    )
    candidate = result(
        [[1.0, 1.5, datetime(2024, 1, 1), (1, 2), b"x"], [2.0, 2.25, datetime(2024, 1, 2), (), b"y"]], "a b c d e"
    )
    found = compare_results(reference, candidate)
    assert found.exact_match is True
    assert (found.columns, found.cells) == (Share(1.0, 1.0), Share(1.0, 1.0))


def test_a_type_without_equality_leaves_everything_undefined() -> None:
    """Values that equal nothing but themselves are no answer to compare with."""
    found = compare_results(result([[object()]]), result([[object()]]))
    assert found == Output(ceilings=(Ceiling.NOT_COMPARABLE,), reference_size=(1, 1), candidate_size=(1, 1))


def cut(rows: list[tuple[Any, ...]], names: str = "a") -> Result:
    """A result that was cut at its last row."""
    whole = result(rows, names)
    return Result(whole.names, whole.columns, whole.rows, Cut.ROW_LIMIT)


def test_a_gold_that_was_cut_leaves_everything_undefined() -> None:
    """Unless the candidate surely differs: it holds no more rows than the gold had when it was cut."""
    longer = compare_results(cut([(1,), (2,)]), result([[1], [2], [3]], "a"))
    assert (longer.exact_match, longer.columns, longer.cells) == (None, Share(), Share())
    assert longer.ceilings == (Ceiling.GOLD_CUT,)
    shorter = compare_results(cut([(1,), (2,)]), result([[1], [2]], "a"))
    assert (shorter.exact_match, shorter.spider_ex, shorter.bird_ex) == (False, False, None)
    assert compare_results(cut([(1,), (2,)]), result([[1], [3]], "a")).bird_ex is False


def test_of_a_candidate_that_was_cut_what_is_there_is_measured() -> None:
    """An answer that grows without bounds is surely no match, and its cells say so."""
    found = compare_results(result([[1], [2]], "a"), cut([(1,), (1,), (2,), (2,)]))
    assert (found.exact_match, found.bird_ex) == (False, None)
    assert (found.columns, found.cells) == (Share(1.0, 1.0), Share(0.5, 1.0))
    assert found.ceilings == (Ceiling.CANDIDATE_CUT,)
    assert compare_results(cut([(1,)]), cut([(1,)])).exact_match is None
    assert compare_results(cut([(1,)]), BROKEN).ceilings == (Ceiling.GOLD_CUT,)


def test_a_contradiction_is_a_scorer_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both metrics 1.0 while exact match denies it in every order of columns: the scorer is wrong somewhere."""
    one = result([[1, "x"], [2, "y"]], "a b")
    assert compare_results(one, one).scorer_fault is None
    for module in (output_module, verdicts_module):
        monkeypatch.setattr(module, "exact_match", lambda *_, **__: False)
    monkeypatch.setattr(verdicts_module, "sums_alike", lambda *_: False)
    assert compare_results(one, one).scorer_fault == FAULT


def test_swapped_namesakes_are_no_fault() -> None:
    """`lo` and `hi` swapped is no exact match, and yet the rows are equal in another order of the columns."""
    reference, candidate = result([[1, 5], [2, 6], [3, 9]], "lo hi"), result([[5, 1], [6, 2], [9, 3]], "lo hi")
    found = compare_results(reference, candidate)
    assert (found.exact_match, found.columns, found.cells) == (False, Share(1.0, 1.0), Share(1.0, 1.0))
    assert found.scorer_fault is None


SPOKEN = """
from stef.gold.output import compare_results
from stef.records.result import Result
reference = Result(("v", "v", "w"), (["a", "b", "c", "a"], ["b", "a", "c", "a"], ["b", "c", "a", "b"]), 4)
candidate = Result(("v", "v", "x"), (["b", "a", "c", "b"], ["c", "b", "a", "a"], ["a", "c", "b", "b"]), 4)
print(compare_results(reference, candidate))
"""


def test_the_seed_of_hashes_has_no_say() -> None:
    """Columns of one name and the same values are told apart alike in every process."""
    spoken = {
        subprocess.run(
            [sys.executable, "-c", SPOKEN],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(spoken) == 1


def test_origins_may_be_anything_that_hashes() -> None:
    """An origin is compared and nothing else."""
    origins: list[object] = [("SUM", "t.a"), frozenset({1})]
    one = result([[1, 2]], "a b")
    found = compare_results(one, one, reference_origins=origins, candidate_origins=origins[::-1])
    assert [(pair.reference, pair.candidate) for pair in found.pairs] == [(0, 1), (1, 0)]
    assert found.columns == Share(0.0, 0.0)
