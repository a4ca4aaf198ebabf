"""Each rule fires where its cases say so, and nowhere else; a rule that raises costs nothing but its own finding.

A YAML beside this file has the name of its rule's module: under `fires` and `quiet` at least three turns each, with
`question`, `sql`, and where needed `enriched`, `dialect`, `ddl`, `now`; `at` is the SQL, `word` the words, that the
finding rests on.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from stef import Evaluator, Turn
from stef.errors import RulesError, UserError
from stef.findings import Context, Finding, all_rules, rule_set
from stef.findings.registry import FAULT, OWN, RuleSet, rule_of
from stef.records.assessment import Assessment, Scored
from stef.rules import FindingRule

HERE = Path(__file__).parent
OWN_RULES = [rule for rule in all_rules() if rule.module.startswith(f"{OWN}.")]
EVALUATOR = Evaluator()


def _cases() -> Iterator[Any]:
    for rule in OWN_RULES:
        path = HERE / f"{rule.module.rsplit('.', 1)[-1]}.yaml"
        cases = yaml.safe_load(path.read_text("utf-8")) if path.exists() else {}
        for kind in ("fires", "quiet"):
            for case in cases.get(kind, ()):
                yield pytest.param(rule.code, kind, case, id=f"{rule.code}-{kind}-{case['sql'][:50]}")


def _assess(case: dict[str, Any]) -> Assessment:
    return EVALUATOR.assess_sync(_turn(case))


def _turn(case: dict[str, Any]) -> Turn:
    return Turn(
        question=case["question"],
        enriched_question=case.get("enriched"),
        sql=case["sql"],
        dialect=case.get("dialect"),
        timestamp=case.get("now"),
        ddl_offered=(case["ddl"],) if "ddl" in case else None,
    )


@pytest.mark.parametrize(("code", "kind", "case"), list(_cases()))
def test_case(code: str, kind: str, case: dict[str, Any]) -> None:
    """A rule sees what it documents, at the place that it documents."""
    assessment = _assess(case)
    assert isinstance(assessment.outcome, Scored), assessment.outcome
    assert FAULT not in [one.code for one in assessment.findings]
    found = [one for one in assessment.findings if one.code == code]
    assert bool(found) is (kind == "fires"), [f"{one.code} {one.detail}" for one in assessment.findings]
    for key, text, span_of in (("at", assessment.sql, "sql_span"), ("word", assessment.question, "question_span")):
        if key in case:
            spans = [getattr(one, span_of) for one in found]
            assert case[key] in [text[slice(*span)] if span else None for span in spans]


@pytest.mark.parametrize("rule", OWN_RULES, ids=lambda rule: rule.code)
def test_rule_is_documented(rule: Any) -> None:
    """The module is named by its code, has its cases, and its docstring has the four parts."""
    name = rule.module.rsplit(".", 1)[-1]
    assert name.startswith(f"{rule.code.lower()}_")
    for part in ("\nWhat it sees:", "\nWhy it is bad:", "\nExample:", "\nRight:"):
        assert part in rule.doc
    cases = yaml.safe_load((HERE / f"{name}.yaml").read_text("utf-8"))
    assert sorted(cases) == ["fires", "quiet"]
    assert min(len(cases["fires"]), len(cases["quiet"])) >= 3


def test_every_yaml_belongs_to_a_rule() -> None:
    """Cases of a rule that is gone go with it."""
    names = {rule.module.rsplit(".", 1)[-1] for rule in OWN_RULES}
    assert {path.stem for path in HERE.glob("*.yaml")} <= names


CASE = {"question": "Which parcels were sent after 3 March 2024?", "sql": "SELECT id FROM p WHERE day > '03/03/2024'"}


def _raises(_: Context) -> Iterator[Finding]:
    raise ZeroDivisionError("no luck")


def test_a_rule_that_raises_is_a_counted_fault() -> None:
    """The turn keeps its score and the other findings; the judge sees nothing of the fault."""
    evaluator = Evaluator()
    (application,) = evaluator._applications.values()
    broken = replace(OWN_RULES[0], code="T999", find=_raises, needs=frozenset())
    rules = RuleSet((broken, *application.findings.rules))
    evaluator._applications = {key: replace(application, findings=rules) for key in evaluator._applications}
    turn = Turn(**CASE)
    (prepared,) = evaluator.prepare([turn])
    (assessment,) = evaluator.finish([prepared], evaluator.judge_now([prepared]))
    plain = EVALUATOR.assess_sync(turn)
    assert prepared.request is not None
    assert prepared.request.findings == plain.findings
    assert assessment.outcome == plain.outcome
    assert [one.detail for one in assessment.findings if one.code == FAULT] == [
        "T999 raised ZeroDivisionError: no luck"
    ]


def test_rules_switch_and_weigh() -> None:
    """AppRules take a finding away, or change how much it counts."""
    assert "S610" not in [rule.code for rule in rule_set({"S610": FindingRule(enabled=False)}).rules]
    weighed = rule_set({"S610": FindingRule(weight=0.0)})
    assert weighed.weights == {"S610": 0.0}
    with pytest.raises(RulesError, match=r"unknown code 'S61O'.*did you mean"):
        rule_set({"S61O": FindingRule()})


def test_a_module_without_its_parts_is_no_rule() -> None:
    """A third party learns what is missing."""
    with pytest.raises(UserError, match="is no rule; it needs a docstring, CODE"):
        rule_of(pytest)


def test_what_a_rule_needs_hides_nothing() -> None:
    """A rule that is passed over, as the turn has nothing of what it needs, would have found nothing."""
    every = RuleSet(tuple(replace(rule, needs=frozenset()) for rule in all_rules()))
    patient = Evaluator()
    patient._applications = {key: replace(one, findings=every) for key, one in patient._applications.items()}
    for parameter in _cases():
        turn = _turn(parameter.values[2])
        usual, all_asked = (one.assess_sync(turn).findings for one in (EVALUATOR, patient))
        assert usual == all_asked, turn.sql
