"""Two RUNs compared: how turns become pairs, what counts as a regression, what is not comparable."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from compare_kit import decided, gold_run, scored_run, told

from stef.errors import InputError, UserError
from stef.runs.asked import normalised
from stef.runs.compare import CompareOptions, Comparison, NotComparableError, Outcome, compare_runs, headline
from stef.runs.compare.gate import Gate, failures
from stef.stats.paired import Drawing

QUICK = CompareOptions(drawing=Drawing(resamples=500, flips=500))


def compared(tmp_path: Path, a: list[dict[str, Any]], b: list[dict[str, Any]], **options: Any) -> Comparison:
    """Both sides as RUNs `old` and `new`, compared."""
    return compare_runs(scored_run(tmp_path / "old", a), scored_run(tmp_path / "new", b), replace(QUICK, **options))


def many(lift: float, number: int = 120, start: int = 0) -> list[dict[str, Any]]:
    """Questions with scores in steps; every second one is `lift` higher."""
    scores = [20.0, 35.0, 50.0, 72.0]
    return [
        told(f"Question {n}?", scores[n % 4] + (lift if n % 2 else 0.0) + (n % 3) * lift / 4, database=f"db{n % 2}")
        for n in range(start, start + number)
    ]


def test_says_which_is_better(tmp_path: Path) -> None:
    """The mean difference is that of the pairs, and the sentence names the better side, points, interval, questions."""
    found = compared(tmp_path, many(0.0), many(8.0))
    assert found.outcome is Outcome.BETTER
    assert found.main.difference.mean == pytest.approx(6.0)
    assert re.fullmatch(
        r"new is better than old by 6\.0 points \[\d\.\d, \d\.\d\] on 120 shared questions", headline(found)
    )
    assert (found.main.difference.wins, found.main.difference.losses) == (100, 0)


def test_says_the_same_the_other_way_round(tmp_path: Path) -> None:
    """Where B is worse, A is named as the better one, and points stay positive."""
    found = compared(tmp_path, many(8.0), many(0.0))
    assert found.outcome is Outcome.WORSE
    assert headline(found).startswith("old is better than new by 6.0 points [")


def test_says_what_it_would_take(tmp_path: Path) -> None:
    """Where no difference can be shown, the sentence says how many questions would show one."""
    a = [told(f"q{n}", 50.0 + 20 * (n % 2)) for n in range(60)]
    b = [told(f"q{n}", 50.0 + 20 * (n // 2 % 2)) for n in range(60)]
    found = compared(tmp_path, a, b)
    assert found.outcome is Outcome.NOT_SHOWN
    assert "no difference can be shown on 60 shared questions" in headline(found)
    assert re.search(r"; \d+ questions would show one of 2 points$", headline(found))
    assert "would have shown" in headline(compared(tmp_path / "wide", a, b, aim=50.0))


def test_a_question_is_known_by_its_words(tmp_path: Path) -> None:
    """Case, white space and the mark at the end do not matter; the database does."""
    assert normalised("  How MANY\n orders? ") == normalised("how many orders")
    assert normalised("?") == "?"
    a = [told("How many orders?", 20.0, database="x"), told("Who?", 50.0, database="x")]
    b = [told("how many  ORDERS", 50.0, database="x"), told("Who?", 50.0, database="y")]
    found = compared(tmp_path, a, b)
    assert found.main.difference.pairs == 1
    assert (found.left_out.only_a, found.left_out.only_b) == (1, 1)


def test_turns_of_one_question_are_averaged(tmp_path: Path) -> None:
    """A question that was asked three times is one pair."""
    found = compared(tmp_path, [told("q", 20.0), told("q", 40.0)], [told("q", 80.0), told("q", 60.0), told("q", 40.0)])
    assert (found.main.difference.pairs, found.main.difference.mean) == (1, 30.0)
    assert found.improvements[0].turns == 5


def test_sessions_that_both_hold_are_pairs(tmp_path: Path) -> None:
    """The same follow-up in two sessions is two pairs of one question; what is left on one side has no partner."""
    a = [told("And in 2023?", 20.0, session="s1"), told("And in 2023?", 80.0, session="s2")]
    b = [told("And in 2023?", 30.0, session="s2"), told("And in 2023?", 40.0, session="s1"), told("And in 2023?", 1.0)]
    found = compared(tmp_path, a, b)
    assert (found.main.difference.pairs, found.main.difference.clusters) == (2, 1)
    assert found.main.difference.mean == pytest.approx((20.0 - 50.0) / 2)
    assert found.left_out.only_b == 1


def test_became_unreadable_is_a_regression_by_name(tmp_path: Path) -> None:
    """Such a pair has no difference; it heads the regressions, is tested on its own, and counts as 0 beside."""
    a = [told(f"q{n}", 60.0) for n in range(40)]
    b = [told(f"q{n}", None, "unparsable") if n < 8 else told(f"q{n}", 62.0) for n in range(40)]
    found = compared(tmp_path, a, b)
    assert (found.main.difference.pairs, found.main.difference.mean) == (32, 2.0)
    assert found.as_zero is not None
    assert found.as_zero.difference.mean == pytest.approx((32 * 2 - 8 * 60) / 40)
    assert found.readable is not None
    assert (found.readable.became, found.readable.ceased) == (8, 0)
    assert found.readable.p == pytest.approx(0.5**8)
    assert [change.kind for change in found.regressions] == ["unreadable"] * 8
    assert found.regressions[0].difference is None
    assert found.regressions[0].moved[0].what == "unscored"
    assert found.outcome is not Outcome.BETTER


def test_better_where_readable_but_more_unreadable_is_mixed(tmp_path: Path) -> None:
    """A higher mean that was bought with unreadable queries is not called better."""
    a = [told(f"q{n}", 50.0 + n % 5) for n in range(100)]
    b = [told(f"q{n}", None, "unparsable") if n < 20 else told(f"q{n}", 54.0 + n % 7) for n in range(100)]
    found = compared(tmp_path, a, b)
    assert found.outcome is Outcome.MIXED
    assert "but 20 became unreadable and 0 readable, and with unreadable ones as 0 it is −" in headline(found)


def test_a_difference_that_rests_on_what_was_left_out_is_qualified(tmp_path: Path) -> None:
    """Better where both could be read, but not with unreadable ones as 0: the sentence says both."""
    a = [told(f"q{n}", None, "unparsable") if n < 3 else told(f"q{n}", 50.0 + n % 5) for n in range(100)]
    b = [told(f"q{n}", None, "unparsable") if 3 <= n < 7 else told(f"q{n}", 51.0 + n % 7 / 2) for n in range(100)]
    found = compared(tmp_path, a, b)
    assert found.outcome is Outcome.BETTER
    assert re.search(
        r"^new is better than old by .*; but with unreadable ones as 0 it is .0\.\d points \[−", headline(found)
    )


def test_faults_of_stefs_own_leave_the_pair_out(tmp_path: Path) -> None:
    """An outage of the judge says nothing of the agent: no pair, no regression, counted."""
    found = compared(
        tmp_path, [told("p", 50.0), told("q", 60.0)], [told("p", 50.0), told("q", None, "judge_unavailable")]
    )
    assert (found.main.difference.pairs, found.left_out.unknown, found.regressions) == (1, 1, ())
    assert found.as_zero is None
    assert found.b.invalid == 1


def test_declining_is_told_apart(tmp_path: Path) -> None:
    """Who declines is not unreadable: the pair is counted, listed, and 0 only in a figure that says so."""
    found = compared(tmp_path, [told("p", 50.0), told("q", 60.0)], [told("p", 50.0), told("q", None, "declined")])
    assert found.declined is not None
    assert (found.declined.became, found.left_out.declined, found.as_zero) == (1, 1, None)
    assert found.declined_too is not None
    assert found.declined_too.difference.mean == -30.0
    assert found.regressions[0].kind == "declined"


def test_what_changed_is_named(tmp_path: Path) -> None:
    """A change names the verdict, the class of filters, and the findings and filters that came and went."""
    a = told("q", 80.0, findings=["S201"], missing_filters=[])
    b = told("q", 20.0, findings=["S333"], missing_filters=["city = Oslo"], filter_alignment="not_applied")
    change = compared(tmp_path, [a], [b]).regressions[0]
    assert {(one.what, one.a, one.b) for one in change.moved} == {
        ("verdict", "correct", "incorrect"),
        ("filters", "fully_applied", "not_applied"),
        ("finding", "S201", None),
        ("finding", None, "S333"),
        ("missing filter", None, "city = Oslo"),
    }


def test_findings_are_tested_together(tmp_path: Path) -> None:
    """A finding that came in ten pairs is tested by McNemar; p is corrected for the number of findings."""
    a = [told(f"q{n}", 50.0, findings=["S101"] if n < 5 else []) for n in range(40)]
    b = [told(f"q{n}", 50.0, findings=["S201"] if n >= 30 else []) for n in range(40)]
    found = {one.name: one for one in compared(tmp_path, a, b).findings}
    assert (found["S201"].became, found["S101"].ceased) == (10, 5)
    assert found["S201"].corrected == pytest.approx(2 * found["S201"].p)


def test_slices_are_corrected_and_small_ones_counted(tmp_path: Path) -> None:
    """Slices of 20 pairs and more are shown, corrected by Holm as one family; smaller ones are counted."""
    found = compared(tmp_path, many(0.0, 45), many(8.0, 45), slices=("database",))
    assert [(one.by, one.value, one.figure.difference.pairs) for one in found.slices] == [
        ("database", "db0", 23),
        ("database", "db1", 22),
    ]
    for one in found.slices:
        assert one.figure.corrected is not None
        assert one.figure.difference.p is not None
        assert one.figure.corrected >= one.figure.difference.p
    assert compared(tmp_path / "few", many(0.0, 30), many(8.0, 30)).small_slices == 2


def test_the_same_sql_with_another_score_is_the_judges(tmp_path: Path) -> None:
    """Pairs with one SQL are counted, and those among them whose score moved."""
    a = [told("p", 50.0, sql="SELECT 1"), told("q", 50.0, sql="SELECT 2")]
    b = [told("p", 80.0, sql="SELECT 1"), told("q", 50.0, sql="SELECT 2")]
    found = compared(tmp_path, a, b)
    assert (found.same_sql, found.same_sql_moved) == (2, 1)
    assert found.improvements[0].same_sql


def test_the_judges_own_noise(tmp_path: Path) -> None:
    """With samples, the judge's share of the variance is said, and changes within its noise are marked."""
    settings = {"judge_settings": {"samples": 5}}
    a = scored_run(tmp_path / "a", [told(f"q{n}", 50.0, spread=0.2) for n in range(50)], **settings)
    b = [told(f"q{n}", 52.0 if n % 2 else 90.0, spread=0.2) for n in range(50)]
    found = compare_runs(a, scored_run(tmp_path / "b", b, **settings), QUICK)
    assert found.noise is not None
    assert found.noise.error == pytest.approx((50 * 2 * 20.0**2 / 4) ** 0.5 / 50)
    assert found.noise.share is not None
    assert 0 < found.noise.share < 1
    assert {change.within_noise for change in found.improvements if change.b == 52.0} == {True}
    assert {change.within_noise for change in found.improvements if change.b == 90.0} == {False}
    assert compared(tmp_path / "once", many(0.0), many(1.0)).noise is None


def test_by_version_within_one_run(tmp_path: Path) -> None:
    """One RUN, two versions: the first in natural order is A."""
    rows = [told(f"q{n}", 50.0 + v, agent_version=f"v{v}") for v in (10, 9) for n in range(3)]
    found = compare_runs(scored_run(tmp_path / "run", rows), None, replace(QUICK, by="agent_version"))
    assert (found.a.name, found.b.name, found.main.difference.mean) == ("v9", "v10", 1.0)


def test_by_needs_two_values(tmp_path: Path) -> None:
    """Three versions: the message names them and the way out; a value that is not there names those that are."""
    run = scored_run(tmp_path / "run", [told("q", 1.0, agent_version=v) for v in ("1", "2", "3")])
    with pytest.raises(UserError, match=r"holds 1 \(1\), 2 \(1\), 3 \(1\). Name two: --pick A,B"):
        compare_runs(run, None, replace(QUICK, by="agent_version"))
    with pytest.raises(UserError, match=r"--pick 4: no turn of .* has this agent_version; there are 1, 2, 3"):
        compare_runs(run, None, replace(QUICK, by="agent_version", pick=("1", "4")))
    many = scored_run(tmp_path / "many", [told("q", 1.0, agent=f"team:{v}") for v in range(20)])
    with pytest.raises(UserError, match=r"this agent; there are team:17, and 19 more"):
        compare_runs(many, None, replace(QUICK, by="agent", pick=("17", "team:1")))
    with pytest.raises(UserError, match="name a second one, or compare within it"):
        compare_runs(run, None, QUICK)


def test_several_agents_are_each_compared_with_themselves(tmp_path: Path) -> None:
    """Where both RUNs hold the same agents, no agent is averaged with another; they are slices."""
    a = [told(f"q{n}", score, agent=name) for name, score in (("x", 20.0), ("y", 80.0)) for n in range(30)]
    b = [told(f"q{n}", score, agent=name) for name, score in (("x", 30.0), ("y", 70.0)) for n in range(30)]
    found = compared(tmp_path, a, b)
    assert (found.main.difference.pairs, found.main.difference.clusters) == (60, 30)
    assert {one.value: one.figure.difference.mean for one in found.slices} == {"x": 10.0, "y": -10.0}


def test_other_agents_must_be_named(tmp_path: Path) -> None:
    """Where it is not clear who is compared with whom, nothing is guessed."""
    a = [told("q", 20.0, agent="x"), told("q", 30.0, agent="y")]
    b = [told("q", 20.0, agent="z")]
    with pytest.raises(UserError, match=r"several agents \(x, y\).*--by agent --pick A,B"):
        compared(tmp_path, a, b)
    found = compared(tmp_path / "named", a, b, by="agent", pick=("y", "z"))
    assert (found.a.name, found.b.name, found.main.difference.mean) == ("old y", "new z", -10.0)


def test_a_key_pairs_what_words_do_not(tmp_path: Path) -> None:
    """--key takes a column or a field of the metadata; turns without it are counted."""
    a = [told("first wording", 20.0, metadata='{"ticket": 7}'), told("other", 50.0)]
    b = [told("second wording", 60.0, metadata='{"ticket": 7}')]
    found = compared(tmp_path, a, b, key="ticket")
    assert (found.main.difference.mean, found.left_out.without_key) == (40.0, 1)
    with pytest.raises(UserError, match=r"--key nothing: no turn of .* has it"):
        compared(tmp_path / "none", a, b, key="nothing")


DIFFERENT = {
    "judge": {"judge": "openai:gpt"},
    "judge settings": {"judge_settings": {"model": "3"}},
    "prompts": {"prompts_hash": "p2"},
    "rules": {"rules": {"default": "other"}},
    "calibration": {"calibration": {"hash": "c"}},
    "reader": {"reader": "openai:gpt"},
    "version": {"stef_version": "0.2.0"},
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_other_yardsticks_are_not_comparable(tmp_path: Path, name: str) -> None:
    """Another judge, prompt, rule set, calibration, reader or version is refused; --anyway says it at the top."""
    a = scored_run(tmp_path / "a", many(0.0, 40))
    b = scored_run(tmp_path / "b", many(8.0, 40), **DIFFERENT[name])
    with pytest.raises(NotComparableError, match=r"^not comparable: different judge or rules: "):
        compare_runs(a, b, QUICK)
    found = compare_runs(a, b, replace(QUICK, anyway=True))
    assert found.remarks[0].startswith("Not comparable, and shown only because of --anyway: ")
    assert found.main.difference.mean is not None


def test_what_cannot_be_compared_at_all(tmp_path: Path) -> None:
    """The same RUN twice, an unfinished one, a gold run beside one that is not, an empty one."""
    a = scored_run(tmp_path / "a", [told("q", 1.0)])
    with pytest.raises(InputError, match="are the same RUN"):
        compare_runs(a, a, QUICK)
    with pytest.raises(InputError, match=r"not finished; finish it with the same stef score"):
        compare_runs(a, scored_run(tmp_path / "half", [told("q", 1.0)], state="running"), QUICK)
    with pytest.raises(InputError, match=r"is a gold run, .* is not"):
        compare_runs(a, gold_run(tmp_path / "gold", [decided("c", True)]), QUICK)
    with pytest.raises(InputError, match="holds no turns"):
        compare_runs(a, scored_run(tmp_path / "empty", []), QUICK)
    with pytest.raises(UserError, match="--slice hardness: no turn has it"):
        compared(tmp_path / "slice", [told("q", 1.0)], [told("q", 1.0)], slices=("hardness",))


def test_logs_that_share_nothing(tmp_path: Path) -> None:
    """Without shared questions the means are compared within strata, and the sentence says that this is weaker."""
    found = compared(tmp_path, many(0.0, 80), many(8.0, 80, start=1000))
    assert found.unpaired is not None
    assert found.strata == ("database",)
    assert headline(found).startswith("not paired (0 shared questions), so this is weaker: ")
    assert found.main.difference.pairs == 0


def test_a_mix_of_databases_is_no_difference(tmp_path: Path) -> None:
    """A log with more of the easy database is not better for it."""
    easy = [told(f"e{n}", 80.0 + n % 3, database="easy") for n in range(90)]
    hard = [told(f"h{n}", 20.0 + n % 3, database="hard") for n in range(90)]
    more = [told(f"new e{n}", 80.0 + n % 3, database="easy") for n in range(90)]
    found = compared(
        tmp_path, easy[:20] + hard, more + [told(f"new h{n}", 20.0 + n % 3, database="hard") for n in range(20)]
    )
    assert found.unpaired is not None
    assert found.outcome is Outcome.NOT_SHOWN
    assert found.unpaired.simple == pytest.approx(38, abs=2)


def test_a_gate_asks_for_whole_results(tmp_path: Path) -> None:
    """Missing questions, repeated ids and invalid results fail every gate, and none fails without a gate."""
    a = [told("p", 50.0), told("q", 50.0, id="x"), told("r", 50.0, id="x")]
    b = [told("p", 50.0), told("q", None, "harness_fault")]
    found = compared(tmp_path, a, b)
    assert failures(Gate(), found) == []
    said = " | ".join(failures(Gate(most=50.0), found))
    assert "missing in B: 1 question of A's, such as x" in said
    assert "old: 1 turn with an id that an earlier one has" in said
    assert "new: 1 invalid result (" in said


def test_gates(tmp_path: Path) -> None:
    """--max-regression looks at what was measured, --fail-on-regression at what is shown; unreadable counts in both."""
    worse = compared(tmp_path / "worse", many(8.0), many(0.0))
    assert failures(Gate(most=5.0), worse) == [failures(Gate(most=5.0), worse)[0]]
    assert failures(Gate(most=6.5), worse) == []
    assert failures(Gate(on_regression=True), worse)[0].startswith("score is lower by 6.0 points [")
    better = compared(tmp_path / "better", many(0.0), many(8.0))
    assert failures(Gate(on_regression=True, most=0.0), better) == []
    a = [told(f"q{n}", 60.0) for n in range(40)]
    b = [told(f"q{n}", None, "unparsable") if n < 8 else told(f"q{n}", 60.0) for n in range(40)]
    broken = compared(tmp_path / "broken", a, b)
    assert any("became unreadable" in one for one in failures(Gate(on_regression=True), broken))
    assert any("with unreadable queries as 0 is lower by 12.0" in one for one in failures(Gate(most=2.0), broken))


def test_nothing_in_common_fails_a_gate(tmp_path: Path) -> None:
    """What was not measured has not passed."""
    found = compared(tmp_path, [told("q", None, "judge_unavailable")], [told("q", 50.0)])
    assert found.outcome is Outcome.NOTHING
    assert "nothing can be compared" in headline(found)
    assert "nothing could be compared" in failures(Gate(most=1.0), found)


def goldens(right: int, number: int = 40, **more: Any) -> list[dict[str, Any]]:
    """Cases of which the first `right` are right."""
    return [decided(f"c{n}", n < right, **more) for n in range(number)]


def test_gold_runs_case_by_case(tmp_path: Path) -> None:
    """Right and wrong by McNemar, in points; families with their own n."""
    a = gold_run(tmp_path / "old", goldens(10, columns_recall=0.5))
    b = gold_run(tmp_path / "new", [*goldens(25, 39, columns_recall=1.0), decided("c39", False)])
    found = compare_runs(a, b, QUICK)
    assert (found.figure, found.main.test) == ("correct", "McNemar, mid-p")
    assert found.main.difference.mean == pytest.approx(37.5)
    assert found.main.difference.p == pytest.approx(0.5**15)
    assert headline(found).startswith("new is right more often than old by 37.5 points [")
    recall = next(one for one in found.others if one.name == "columns_recall")
    assert (recall.difference.pairs, recall.difference.mean) == (39, 50.0)
    assert [one.kind for one in found.improvements] == ["right"] * 15


def test_phrasings_of_a_case_are_one_cluster(tmp_path: Path) -> None:
    """Paraphrases are pairs of their own, but not cases of their own: signs flip by case."""
    rows = [decided(f"c{n}", False, phrasing=p) for n in range(10) for p in range(3)]
    a = gold_run(tmp_path / "a", rows)
    b = gold_run(tmp_path / "b", [{**row, "correct": row["case_id"] < "c4"} for row in rows])
    found = compare_runs(a, b, QUICK)
    assert (found.main.difference.pairs, found.main.difference.clusters) == (30, 10)
    assert found.main.test == "sign flip by question"
    assert found.main.difference.p == pytest.approx(2 * 0.5**4)


MOVED = {
    "answer": {"gold_fingerprints": ["another"]},
    "ceiling": {"ceilings": ["gold_cut"]},
    "held out": {"held_out": True, "ceilings": ["gold_in_doubt"]},
}


@pytest.mark.parametrize("name", MOVED)
def test_a_gold_that_moved_is_left_out_and_said(tmp_path: Path, name: str) -> None:
    """A case whose gold gives another answer, or is limited otherwise, is named at the top and enters no figure."""
    a = gold_run(tmp_path / "a", goldens(40))
    b = gold_run(
        tmp_path / "b",
        [{**row, **(MOVED[name] if n < 2 else {}), "correct": n >= 2} for n, row in enumerate(goldens(40))],
    )
    found = compare_runs(a, b, QUICK)
    assert found.left_out.moved_cases == ("c0", "c1")
    assert "of 2 cases its answer, or what limits it, is another (c0, c1)" in found.remarks[0]
    assert (found.main.difference.pairs, found.main.difference.losses) == (38, 0)
    assert any("moved" in one for one in failures(Gate(most=1.0), found))


def test_a_ceiling_of_the_answer_is_no_moved_gold(tmp_path: Path) -> None:
    """What depends on the agent's answer (a column that was not paired) does not take the case out."""
    a = gold_run(tmp_path / "a", goldens(40))
    b = gold_run(tmp_path / "b", [{**row, "ceilings": ["no_column_paired"]} for row in goldens(40)])
    assert compare_runs(a, b, QUICK).left_out.moved == 0


def test_one_side_that_may_know_the_answers(tmp_path: Path) -> None:
    """Where leave-one-out held for one side only, the other may have seen the answers: not comparable."""
    a = gold_run(tmp_path / "a", goldens(20))
    b = gold_run(tmp_path / "b", goldens(40), {"ceilings": {"leave_one_out_not_in_force": ["bot"]}})
    with pytest.raises(NotComparableError, match="b alone could not be kept from examples that hold the answer"):
        compare_runs(a, b, QUICK)
    assert compare_runs(a, b, replace(QUICK, anyway=True)).remarks


def test_a_retriever_on_one_side(tmp_path: Path) -> None:
    """Where one side alone has a retriever, its family is left out and said to be."""
    a = gold_run(tmp_path / "a", goldens(20, retrieval_recall=1.0), {"ceilings": {"no_retriever": True}})
    b = gold_run(tmp_path / "b", goldens(20, retrieval_recall=0.5))
    found = compare_runs(a, b, QUICK)
    assert "retrieval_recall" not in [one.name for one in found.others]
    assert "retrieval family is left out" in found.remarks[-1]


def test_undecided_cases_are_counted(tmp_path: Path) -> None:
    """A case that could not be decided on one side is no pair."""
    a = gold_run(tmp_path / "a", goldens(40))
    b = gold_run(tmp_path / "b", [{**row, "correct": None} if n == 3 else row for n, row in enumerate(goldens(40))])
    found = compare_runs(a, b, QUICK)
    assert (found.left_out.unknown, found.main.difference.pairs) == (1, 39)
    assert headline(found) == "no difference: all of 39 shared cases come out the same"


def test_samples_of_a_case_are_one_pair(tmp_path: Path) -> None:
    """An agent that is asked three times of each case is one pair a case, with the share of its samples that is right;
    the rows of a case are neither taken for each other nor counted as cases of their own."""
    a = [decided(f"c{n}", n < 10, sample=s) for n in range(40) for s in range(3)]
    b = [decided(f"c{n}", n < 10 or (s < 2 and n < 22), sample=s) for n in range(40) for s in range(3)]
    found = compare_runs(gold_run(tmp_path / "a", a, samples=3), gold_run(tmp_path / "b", b, samples=3), QUICK)
    assert (found.main.difference.pairs, found.main.difference.clusters, found.a.repeated_ids) == (40, 40, 0)
    assert found.main.difference.mean == pytest.approx(100 * (12 * 2 / 3) / 40)
    assert found.main.test == "sign flip by question"
    assert (found.improved, found.improvements[0].turns, found.improvements[0].b) == (12, 6, pytest.approx(200 / 3))
    once = compare_runs(
        gold_run(tmp_path / "one", [row for row in a if row["sample"] == 0]),
        gold_run(tmp_path / "three", b, samples=3),
        QUICK,
    )
    assert (once.main.difference.pairs, once.left_out.only_a, once.left_out.only_b) == (40, 0, 0)
    assert once.remarks == ("Beside: samples of each agent 1 and 3",)


VERSIONS = {
    "same": ({}, {}, None),
    "rescored by the other's": ({"stef_version": "0.0.9", "rescored": "0.1.0"}, {}, None),
    "other": ({"stef_version": "0.2.0"}, {}, "version of stef 0.2.0 and 0.1.0"),
    "rescored by another": ({"rescored": "0.2.0"}, {}, "version of stef 0.2.0 and 0.1.0"),
}


@pytest.mark.parametrize("name", VERSIONS)
def test_gold_figures_of_other_versions(tmp_path: Path, name: str) -> None:
    """What counts is the version that made the figures: the one that rescored a RUN, else the one that ran it."""
    one, other, said = VERSIONS[name]
    a, b = gold_run(tmp_path / "a", goldens(20), **one), gold_run(tmp_path / "b", goldens(30), **other)
    if said is None:
        assert compare_runs(a, b, QUICK).remarks == ()
    else:
        with pytest.raises(NotComparableError, match=re.escape(said)):
            compare_runs(a, b, QUICK)


def test_an_unknown_version_is_said_to_be(tmp_path: Path) -> None:
    """A gold RUN of before its version was kept is compared, and the first lines say what is not known."""
    a, b = gold_run(tmp_path / "a", goldens(20), stef_version=None), gold_run(tmp_path / "b", goldens(30))
    found = compare_runs(a, b, QUICK)
    assert found.remarks[0] == f"{a.path} does not say which version of stef made its figures: " + (
        "that it is the other's is not known"
    )
    assert found.main.difference.mean is not None


def test_only_the_first_changes_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All changes are counted; the most telling ones are named one by one, with their texts read back."""
    monkeypatch.setattr("stef.runs.compare.changes.MOST_NAMED", 3)
    a = [told(f"question {n}", 50.0 + n, missing_filters=[]) for n in range(40)]
    b = [told(f"question {n}", 50.0, missing_filters=[f"f = {n}"]) for n in range(40)]
    found = compared(tmp_path, a, b)
    assert (found.regressed, found.improved) == (39, 0)
    assert [one.question for one in found.regressions] == ["question 39", "question 38", "question 37"]
    assert [one.moved[-1].b for one in found.regressions] == ["f = 39", "f = 38", "f = 37"]


def test_sides_that_asked_the_judge_otherwise_often(tmp_path: Path) -> None:
    """Where one side was judged once and the other five times, nothing is said of the judge's share."""
    a = scored_run(tmp_path / "a", [told(f"q{n}", 50.0) for n in range(30)])
    b = [told(f"q{n}", 60.0, spread=0.2) for n in range(30)]
    several = scored_run(tmp_path / "b", b, judge_settings={"samples": 5})
    assert compare_runs(a, several, replace(QUICK, anyway=True)).noise is None


def test_what_a_gold_run_lacks_fails_a_gate(tmp_path: Path) -> None:
    """Cases without a turn, ids said twice in the log, and entries that were no case fail every gate."""
    a = gold_run(tmp_path / "a", goldens(20))
    counts = {"without_turn": {"bot": 2, "another": 5}, "repeated_ids": 1, "case_faults": 3}
    found = compare_runs(a, gold_run(tmp_path / "b", goldens(20), {"counts": counts}), QUICK)
    assert failures(Gate(most=50.0), found) == [
        "b: no turn on 2 cases",
        "b: 1 turn with an id that an earlier one has",
        "b: 3 invalid results (broken lines, or turns that stef failed on)",
    ]


def test_unreadable_ones_are_in_the_sentence(tmp_path: Path) -> None:
    """Where scores do not differ, what became unreadable is said all the same."""
    a = [told(f"q{n}", 60.0) for n in range(20)]
    b = [told(f"q{n}", None, "unparsable") if n < 2 else told(f"q{n}", 60.0) for n in range(20)]
    assert headline(compared(tmp_path, a, b)) == (
        "no difference: all of 18 shared questions come out the same; 2 became unreadable and 0 readable"
    )


def test_checks_are_no_scores(tmp_path: Path) -> None:
    """A RUN of stef verify is named for what it is."""
    a, b = scored_run(tmp_path / "a", [told("q", 1.0)]), scored_run(tmp_path / "b", [told("q", 1.0)])
    verified = replace(b, about={**b.about, "settings": {"kind": "verify"}})
    with pytest.raises(InputError, match="was made by stef verify, and holds no scores"):
        compare_runs(a, verified, QUICK)
