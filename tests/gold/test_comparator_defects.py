"""The defects of public comparators, one by one: none of them is here (`defects.yaml` is the list)."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from gold_results_kit import TypedLoader, result

from stef.databases import open_database
from stef.gold.evaluate import Asked, evaluate
from stef.gold.exact import Order
from stef.gold.output import compare_results
from stef.gold.shapes import Known, answer
from stef.gold.sides import Ran, golds_of, with_ranked
from stef.records.asking import AgentReply
from stef.records.case import Case
from stef.records.gold import CaseReport, Outcome, Output, Share
from stef.records.turn import Turn
from stef.sql.resolve import resolve

DEFECTS: list[dict[str, Any]] = yaml.load((Path(__file__).parent / "defects.yaml").read_text("utf-8"), TypedLoader)
ON_RESULTS = [defect for defect in DEFECTS if "reference" in defect]
ON_QUERIES = [defect for defect in DEFECTS if "database" in defect]


@dataclass(frozen=True)
class Verdict:
    """What is said of two results."""

    output: Output
    correct: bool | None


def compared(defect: Mapping[str, Any]) -> Verdict:
    """Two results of a defect, compared."""
    reference, candidate = (result(defect[side]["rows"], defect[side]["names"]) for side in ("reference", "candidate"))
    order = Order(tuple(defect["ordered"]["by"])) if "ordered" in defect else None
    output = compare_results(reference, candidate, ordered=order or False)
    found = answer(reference, candidate, Case(id="c", question="?"), Known(order=order))
    return Verdict(output, found.correct)


def scored(defect: Mapping[str, Any], folder: Path) -> CaseReport:
    """Both queries run on a database of their own, which must be the same afterwards."""
    path = folder / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(defect["database"])
    before = path.read_bytes()
    case = Case(id="c", question="?", gold_sql=(defect["gold"],))
    database = open_database(f"sqlite:///{path}")
    try:
        gold, candidate = (
            Ran(sql, database.run(sql), resolve(sql, "sqlite", database.schema()))
            for sql in (defect["gold"], defect["sql"])
        )
        turn = Turn(question="?", sql=defect["sql"])
        golds = golds_of(case, [with_ranked(gold, "sqlite", database.run)])
        report = evaluate(case, Asked(AgentReply(turn), Outcome.ANSWERED), golds, candidate)
    finally:
        database.close()
    assert path.read_bytes() == before
    return report


def looked_up(found: Any, path: str) -> Any:
    """The field of a record by its path, as YAML would write it."""
    for part in path.removesuffix("#").split("."):
        found = found[int(part)] if part.isdigit() else getattr(found, part)
    if path.endswith("#"):
        return len(found)
    if isinstance(found, Share):
        return [None if number is None else round(number, 4) for number in (found.precision, found.recall)]
    return list(found) if isinstance(found, tuple) else found


def checked(found: Any, here: Mapping[str, Any]) -> None:
    """All that the list expects."""
    assert {path: looked_up(found, path) for path in here} == dict(here)


@pytest.mark.parametrize("defect", ON_RESULTS, ids=lambda defect: defect["defect"])
def test_on_results(defect: dict[str, Any]) -> None:
    """Two results that some comparator judges wrongly are judged rightly here."""
    checked(compared(defect), defect["here"])


@pytest.mark.parametrize("defect", ON_QUERIES, ids=lambda defect: defect["defect"])
def test_on_queries(defect: dict[str, Any], tmp_path: Path) -> None:
    """Two queries likewise; and the database is untouched."""
    checked(scored(defect, tmp_path), defect["here"])


@pytest.mark.parametrize("defect", ON_RESULTS, ids=lambda defect: defect["defect"])
def test_gold_against_gold_on_results(defect: dict[str, Any]) -> None:
    """The references of the list against themselves are right, and no number is less than 1 but by the guard."""
    found = compared({**defect, "candidate": defect["reference"]})
    assert (found.correct, found.output.exact_match, found.output.bird_ex) == (True, True, True)
    assert found.output.scorer_fault is None


def everything() -> str:
    """All that is said of the list's results, in one text."""
    return json.dumps([repr(compared(defect)) for defect in ON_RESULTS])


def test_nothing_changes_with_the_hash_seed() -> None:
    """Two processes that hash differently say the same of every entry of the list."""
    program = f"import {Path(__file__).stem} as defects; print(defects.everything())"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert json.loads(outputs.pop()) == json.loads(everything())


def test_nothing_changes_with_the_order_of_rows_and_columns() -> None:
    """The reference's rows and columns turned round give the same numbers."""
    for defect in ON_RESULTS:
        if "ordered" in defect:
            continue
        turned = {
            side: {
                "names": " ".join(reversed(defect[side]["names"].split())),
                "rows": [row[::-1] for row in defect[side]["rows"][::-1]],
            }
            for side in ("reference", "candidate")
        }
        one, other = compared(defect), compared(turned)
        kept = ("exact_match", "columns", "cells", "matched_cells")
        assert [getattr(one.output, name) for name in kept] == [getattr(other.output, name) for name in kept]
        assert one.correct is other.correct
