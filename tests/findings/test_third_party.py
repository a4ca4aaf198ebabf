"""A team's own rules come by the entry point group, as stef's do; what cannot work is said with its name."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from stef.errors import RulesError, UserError
from stef.evaluator import Evaluator
from stef.findings import all_rules
from stef.judge.doubles import ScriptedJudge
from stef.records.judgement import Verdict
from stef.rules import AppRules
from stef.runs.calls import CallLog
from stef.runs.score import ScoreJob, score_log
from stef.runs.summary import summarise

RULE = '''"""Every query of ours names its tenant."""

from stef.findings import Finding

CODE = "ACME101"
TITLE = "no tenant"


def find(context):
    if "tenant_id" not in {column.name for column in context.done.columns}:
        yield Finding(CODE, TITLE, "filter by tenant_id")
'''
BROKEN = RULE.replace("if ", "raise LookupError('no luck')\n    if ", 1)
LINE = '{"question": "How many boats are there?", "sql": "SELECT COUNT(*) FROM boats"}\n'

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a distribution with one entry point on the path, as pip would."""

    def put(point: str, **files: str) -> None:
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/', 1)}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        info = tmp_path / "acme_rules-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-rules\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[stef.findings]\nacme = {point}\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        all_rules.cache_clear()

    yield put
    all_rules.cache_clear()
    for name in [name for name in sys.modules if name.startswith("acme")]:
        del sys.modules[name]


def _codes(sql: str = "SELECT COUNT(*) FROM boats") -> list[str]:
    from stef import Turn

    assessment = Evaluator().assess_sync(Turn(question="How many boats are there?", sql=sql))
    return [one.code for one in assessment.findings]


def test_a_module_is_a_rule(install: Install) -> None:
    """It fires beside stef's own, and can be switched off like them."""
    install("acme_tenant", acme_tenant=RULE)
    assert _codes() == ["ACME101"]
    assert _codes("SELECT COUNT(*) FROM boats WHERE tenant_id = 1") != ["ACME101"]
    off = AppRules.model_validate({"findings": {"ACME101": {"enabled": False}}})
    assert "ACME101" not in [rule.code for one in Evaluator(off)._applications.values() for rule in one.findings.rules]


def test_a_package_holds_rules(install: Install) -> None:
    """Those of its modules that are named by a code are rules; the others are not."""
    install("acme_rules", acme_rules____init__="", acme_rules__acme101_tenant=RULE, acme_rules__tools="HELP = 1")
    assert _codes() == ["ACME101"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"""Docs."""\nCODE = "ACME101"\n', "acme_tenant is no rule; it needs a docstring, CODE"),
        (RULE.replace("ACME101", "S101"), "finding S101 is defined twice"),
        ("import acme_that_is_not_there\n", "cannot load acme_tenant: No module named 'acme_that_is_not_there'"),
        ("HELP = 1\n", "acme_tenant holds no rule"),
    ],
)
def test_what_cannot_work_is_named(text: str, message: str, install: Install) -> None:
    """The message names the entry point or the code."""
    install("acme_tenant", acme_tenant=text)
    with pytest.raises(UserError, match=message):
        Evaluator()


def test_a_failing_rule_is_counted_in_the_run(install: Install, tmp_path: Path) -> None:
    """Every turn keeps its score; the summary says on how many a finding failed."""
    install("acme_tenant", acme_tenant=BROKEN)
    log = tmp_path / "log.jsonl"
    log.write_text(LINE * 3)
    evaluator = Evaluator(judge=ScriptedJudge(lambda _: Verdict.CORRECT))
    summary = summarise(score_log(ScoreJob((str(log),), tmp_path / "run"), evaluator, CallLog()).run)
    assert summary.total.scored == 3
    assert summary.finding_faults == 3
    assert summary.findings == ()


def test_an_unknown_code_in_the_rules_is_an_error() -> None:
    """With the nearest code that there is."""
    with pytest.raises(RulesError, match="unknown code 'S1011'; did you mean 'S101'"):
        Evaluator(AppRules.model_validate({"findings": {"S1011": {"enabled": False}}}))
