"""The self-check reads what it must, and notices a ruler that does not."""

from pathlib import Path

import pytest

from stef.gold.reading import ReportRow, overview_of
from stef.records.case import CaseKind, Expected
from stef.records.gold import Bucket, CaseReport, Outcome
from stef.suites import tpch64
from stef.suites.mutants import BUCKETS, Mistake, Mutant
from stef.suites.readings import Figures, Reading, Share, mutant_reading, reading_of
from stef.suites.selfcheck import SelfCheck, self_check

RIGHT = CaseReport(case_id="a", outcome=Outcome.ANSWERED, correct=True)
REFUSED = CaseReport(case_id="b", outcome=Outcome.DECLINED, correct=False, bucket=Bucket.OVER_REFUSAL)
DECLINED = CaseReport(case_id="c", outcome=Outcome.DECLINED, correct=True, expected=Expected.DECLINE)
MUST = Figures(Share(3, 4), Share(2, 3), Share(2, 2))


def wrong(bucket: Bucket) -> CaseReport:
    """A report of a wrong answer."""
    return CaseReport(case_id="x", outcome=Outcome.ANSWERED, correct=False, executable=True, bucket=bucket)


@pytest.fixture(scope="module")
def found(tpch: Path, tmp_path_factory: pytest.TempPathFactory) -> SelfCheck:
    """The self-check as it is."""
    return self_check(tpch, tmp_path_factory.mktemp("selfcheck"))


def test_one_rigged_refusal_is_read_as_such(found: SelfCheck) -> None:
    """63 of 64 are right; 8 of 9 refusals were; all 8 that had to be were refused."""
    read = found.right.read
    assert (read.accuracy.value, read.decline_precision.value, read.decline_recall.value) == (63 / 64, 8 / 9, 1.0)
    assert (read.accuracy.n, read.decline_precision.n, read.decline_recall.n) == (64, 9, 8)
    assert found.right.buckets == {Bucket.OVER_REFUSAL: 1}


def test_every_mistake_falls_where_it_must(found: SelfCheck) -> None:
    """Each kind changes most of the answers that it is planted in, and each change falls in its bucket."""
    assert found.straight, [one.bent for one in (*found.agents, *found.mutants)]
    for one in found.mutants:
        assert one.fell_right == one.changed == one.planted - len(one.equivalent)
        assert set(one.buckets) <= BUCKETS[one.mistake]
        assert one.changed > 20


def test_agents_that_only_refuse_or_only_answer(found: SelfCheck) -> None:
    """Refusing all makes 8 of 64 right; answering all 56, and its decline precision is undefined, not 0 or 1."""
    _, refuses, answers = found.agents
    assert (refuses.read.accuracy.count, refuses.read.decline_precision.n) == (8, 64)
    assert (answers.read.accuracy.count, answers.read.decline_precision.value) == (56, None)
    assert answers.read.decline_recall.value == 0.0


def test_a_wrong_right_answer_bends_the_ruler(tpch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were one right answer graded wrong, the check would say which, and how it was read."""
    spoilt = {**tpch64.right_sql(), "jumbo-parts": "SELECT 28"}
    monkeypatch.setattr(tpch64, "right_sql", lambda: spoilt)
    found = self_check(tpch, tmp_path)
    assert not found.straight
    assert found.right.read.accuracy == Share(62, 64)
    assert [line.split(":")[0] for line in found.right.bent] == ["jumbo-parts"]


def read(**changes: CaseReport) -> Reading:
    """What is read of an agent that is right but for one refusal, with changes."""
    reports = {"a": RIGHT, "b": REFUSED, "c": DECLINED, "d": DECLINED, **changes}
    kinds = {"c": CaseKind.UNANSWERABLE, "d": CaseKind.UNANSWERABLE}
    rows = [ReportRow(report, "x", kind=kinds.get(case, CaseKind.ANSWERABLE)) for case, report in reports.items()]
    return reading_of(overview_of(rows).agents[0], reports, MUST, Bucket.OVER_REFUSAL)


def test_a_straight_reading() -> None:
    """All figures as they must be, and the one wrong turn in its bucket."""
    assert read().straight


@pytest.mark.parametrize(
    "changed",
    [
        {"b": RIGHT},
        {"a": wrong(Bucket.WRONG_VALUES)},
        {"b": wrong(Bucket.WRONG_VALUES)},
        {"c": wrong(Bucket.MISSED_REFUSAL)},
    ],
)
def test_a_bent_reading(changed: dict[str, CaseReport]) -> None:
    """A refusal that passes, an answer that does not, another name for it, a refusal that is none: all are noticed."""
    assert not read(**changed).straight


def test_equivalent_mutants_must_be_read_as_right() -> None:
    """A mutant that changes nothing on this data is no failure; that it is read as wrong would be one."""
    mutants = {"a": Mutant("", changed=True), "b": Mutant("", changed=False)}
    many = wrong(Bucket.TOO_MANY_ROWS)
    found = mutant_reading(Mistake.FAN_OUT, mutants, {"a": many, "b": RIGHT})
    assert found.straight
    assert (found.planted, found.changed, found.fell_right, found.equivalent) == (2, 1, 1, ("b",))
    assert mutant_reading(Mistake.FAN_OUT, mutants, {"a": many, "b": many}).bent == (
        "b: too_many_rows, though its answer is right",
    )


def test_a_mutant_in_another_bucket_or_without_a_turn_is_bent() -> None:
    """Passing as right, another bucket, and no report at all: each is said."""
    mutants = {name: Mutant("", changed=True) for name in "abc"}
    found = mutant_reading(Mistake.EARLY_LIMIT, mutants, {"a": RIGHT, "b": wrong(Bucket.WRONG_ORDER)})
    assert found.bent == ("a: right", "b: wrong_order", "c: not read at all")


def test_a_mistake_that_nothing_shows_is_bent() -> None:
    """Where no mutant changes an answer, nothing was tried."""
    assert not mutant_reading(Mistake.FAN_OUT, {"a": Mutant("", changed=False)}, {"a": RIGHT}).straight
