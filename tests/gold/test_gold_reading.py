"""Symptoms, means, slices and ceilings of a run's reports."""

import json
import random
from math import isclose, sqrt
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.gold.reading import FIGURES, ReportRow, mean_of, overview_of, rate_of, symptom_of
from stef.records.case import Shape
from stef.records.gold import (
    Answer,
    CaseFault,
    CaseReport,
    Ceiling,
    ColumnPair,
    Components,
    Outcome,
    Output,
    Retrieval,
    Share,
    Symptom,
    Whose,
)
from stef.stats.proportion import wilson

SYMPTOMS = yaml.safe_load((Path(__file__).parent / "symptoms.yaml").read_text("utf-8"))


def report_of(case: dict[str, Any]) -> CaseReport:
    sizes = case.get("sizes", (None, None))
    pairs = tuple(ColumnPair(index, index, "values", 1.0, 1.0) for index in range(case.get("pairs", 0)))
    offers = {
        name: Retrieval(missing=tuple(case[key])) if key in case else None
        for name, key in (("retrieval", "missing"), ("agent_retrieval", "agent_missing"))
    }
    return CaseReport(
        case_id="c",
        outcome=Outcome.ANSWERED,
        correct=case.get("correct", False),
        executable=case.get("executable", True),
        held_out=case.get("held_out", False),
        answer=Answer(Shape(case.get("shape", "table")), False, case.get("correct"), set=Share(*case.get("ids", ()))),
        output=Output(
            exact_match=case.get("exact_match"),
            cells=Share(*case.get("cells", (1.0, 1.0))),
            pairs=pairs,
            reference_size=sizes[0] and tuple(sizes[0]),
            candidate_size=sizes[1] and tuple(sizes[1]),
        ),
        components=Components(
            tables=Share(recall=case.get("tables_recall")),
            projections=Share(recall=case.get("projections_recall")),
            aggregations=Share(case.get("aggregations_precision"), case.get("aggregations_recall")),
            order_equal=case.get("order_equal"),
        ),
        **offers,
    )


@pytest.mark.parametrize("case", SYMPTOMS, ids=lambda case: case["name"])
def test_the_first_symptom_that_applies_is_named(case):
    """A wrong turn shows one symptom; a right or undecided one shows none."""
    assert symptom_of(report_of(case)) == case.get("symptom")


def test_every_symptom_has_a_case():
    """No symptom is a word only."""
    assert {case["symptom"] for case in SYMPTOMS if "symptom" in case} == set(Symptom)


def test_a_mean_of_nothing_is_undefined():
    """Undefined values are left out of the mean and of its n; without any value it is None, never 0."""
    assert (mean_of([None, 0.5, 1.0, None]).value, mean_of([None, 0.5, 1.0, None]).n) == (0.75, 2)
    assert (mean_of([None]).value, mean_of([None]).n) == (None, 0)
    empty = rate_of([None, None])
    assert (empty.count, empty.n, empty.share, empty.low, empty.high) == (0, 0, None, None, None)


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(0, 10, 0.0, 0.27753), (10, 10, 0.72247, 1.0), (5, 10, 0.23659, 0.76341), (81, 263, 0.25526, 0.36619)],
)
def test_wilson_interval(right, n, low, high):
    """Published values of the score interval (81 of 263: Newcombe 1998, table I)."""
    found = wilson(right, n)
    assert found is not None
    assert (round(found.low, 5), round(found.high, 5)) == pytest.approx((low, high), abs=2e-4)


def test_wilson_of_what_is_no_share():
    """Nothing of nothing has no interval; more than all, and a level outside (0, 1), are refused."""
    assert wilson(0, 0) is None
    for right, n, level in ((2, 1, 0.95), (-1, 1, 0.95), (1, 2, 1.0), (1, 2, 0.0)):
        with pytest.raises(ValueError, match=r"no share|level"):
            wilson(right, n, level)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_share(counts):
    """The share lies inside, and the mirror image has the mirrored interval."""
    right, n = counts
    found, mirrored = wilson(right, n), wilson(n - right, n)
    assert found is not None
    assert mirrored is not None
    assert 0.0 <= found.low <= right / n <= found.high <= 1.0
    assert isclose(found.low, 1 - mirrored.high, abs_tol=1e-12)


def row(case_id: str, correct: bool | None, agent: str = "v1", **more: Any) -> ReportRow:
    of_row = {key: more.pop(key) for key in list(more) if key in ReportRow.__dataclass_fields__}
    of_report = {"outcome": Outcome.ANSWERED, "executable": True, **more}
    return ReportRow(CaseReport(case_id=case_id, correct=correct, **of_report), agent=agent, **of_row)


ROWS = [
    row(
        "a",
        True,
        category="count",
        tags=("x", "y"),
        database="shop",
        output=Output(exact_match=True, columns=Share(1.0, 1.0)),
        agent_seconds=1.0,
    ),
    row(
        "b",
        False,
        category="count",
        tags=("x",),
        database="shop",
        output=Output(exact_match=False, columns=Share(None, 0.0)),
        symptom=Symptom.TOO_MANY_ROWS,
        agent_seconds=3.0,
    ),
    row(
        "c",
        None,
        database="zoo",
        held_out=True,
        ceilings=(Ceiling.GOLD_FAILED,),
        output=Output(exact_match=True),
        faults=(CaseFault(Whose.GOLD, "syntax", "near FROM"), CaseFault(Whose.GOLD, "syntax", "near WHERE")),
    ),
    row("d", None, ceilings=(Ceiling.GOLD_CUT,), scorer_fault="cells are whole, rows are not", leaks=("e",)),
    row("e", False, executable=False, faults=(CaseFault(Whose.AGENT, "unknown_column", "no such column: x"),)),
    row("a", True, agent="v2", faults=(CaseFault(Whose.DATABASE, "database_down", "refused"),)),
]


def test_what_is_held_out_enters_no_mean():
    """Rates and means are over turns whose gold is sound; undecided ones are counted apart, each figure has its n."""
    figures = overview_of(ROWS).agents[0].whole
    assert (figures.turns, figures.held_out, figures.undecided) == (5, 1, 1)
    assert (figures.correct.count, figures.correct.n) == (1, 3)
    assert (figures.executable.count, figures.executable.n) == (3, 4)
    output = figures.means["output"]
    assert (output["exact_match"].value, output["exact_match"].n) == (0.5, 2)
    assert (output["columns_precision"].value, output["columns_precision"].n) == (1.0, 1)
    assert (output["columns_recall"].value, output["columns_recall"].n) == (0.5, 2)
    assert (output["cells_recall"].value, output["cells_recall"].n) == (None, 0)


def test_faults_of_the_scorer_and_ceilings_stand_first():
    """What is stef's own, and what limits the run, comes before any agent; failures are counted by whose they are."""
    found = overview_of(ROWS)
    assert list(found.to_json())[:6] == [
        "own_bugs",
        "empty_extractor_failures",
        "empty_extractors",
        "scorer_faults",
        "ceilings",
        "held_out",
    ]
    assert [(one.case_id, one.message) for one in found.scorer_faults] == [("d", "cells are whole, rows are not")]
    assert found.ceilings == {Ceiling.GOLD_CUT: 1, Ceiling.GOLD_FAILED: 1}
    assert (found.held_out, found.leaks, found.turns, found.cases) == (("c",), 1, 6, 5)
    assert found.faults == {
        Whose.AGENT: {"unknown_column": 1},
        Whose.GOLD: {"syntax": 1},
        Whose.DATABASE: {"database_down": 1},
    }
    assert found.agents[0].symptoms == {Symptom.TOO_MANY_ROWS: 1}


def test_slices_are_by_field_and_value():
    """A turn counts under each of its tags; turns without a value come last; a field that nobody has is left out."""
    slices = overview_of(ROWS).agents[0].slices
    assert [(one.value, one.figures.turns) for one in slices["tag"]] == [("x", 2), ("y", 1), (None, 3)]
    assert [(one.value, one.figures.correct.count) for one in slices["category"]] == [("count", 1), (None, 0)]
    assert [one.value for one in slices["database"]] == ["shop", "zoo", None]
    assert "difficulty" not in slices


def test_times_are_of_those_that_are_known():
    """Percentiles by linear interpolation; a part that never ran has none."""
    times = overview_of(ROWS).agents[0].times
    assert (times["agent"].n, times["agent"].p50, times["agent"].longest) == (2, 2.0, 3.0)
    assert (times["retrieval"].n, times["retrieval"].p50) == (0, None)


def test_phrasings_of_one_question_are_compared():
    """Per question the share that is right and its standard deviation; undecided phrasings are left out."""
    rows = [
        *(row("a", right, phrasing=number) for number, right in enumerate((True, False, True, False))),
        *(row("b", True, phrasing=number) for number in range(3)),
        row("c", False),
        row("c", None, phrasing=1),
        row("d", False),
        row("d", False, phrasing=1),
    ]
    found = overview_of(rows).agents[0].phrasings
    assert found is not None
    assert (found.always, found.sometimes, found.never) == (1, 1, 1)
    assert [(one.case_id, one.phrasings, one.share, one.spread) for one in found.questions] == [
        ("a", 4, 0.5, 0.5),
        ("b", 3, 1.0, 0.0),
        ("d", 2, 0.0, 0.0),
    ]
    assert (found.share.value, found.share.n) == (0.5, 3)
    assert found.spread.value == pytest.approx(sqrt(0.25) / 3)
    assert overview_of(ROWS).agents[0].phrasings is None


def test_an_overview_does_not_depend_on_the_order_of_turns():
    """Parts may be read in any order."""
    shuffled = list(ROWS)
    random.Random(7).shuffle(shuffled)
    assert overview_of(shuffled).to_json()["agents"] == overview_of(ROWS).to_json()["agents"]


def test_an_overview_is_plain_data():
    """It can be written as JSON, without NaN, and of nothing it is empty."""
    text = json.dumps(overview_of(ROWS).to_json(), allow_nan=False)
    assert json.loads(text)["agents"][0]["slices"]["category"][1]["value"] is None
    assert overview_of([]).to_json()["agents"] == []


def test_figures_have_the_names_of_the_columns():
    """Each family has its own names, and no name stands in two families."""
    names = [name for figures in FIGURES.values() for name in figures]
    assert len(set(names)) == len(names)
    assert {"tables_recall", "retrieval_recall", "cells_precision", "filters_without_values_recall"} <= set(names)
