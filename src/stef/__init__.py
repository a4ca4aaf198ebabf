"""stef tells the people who run a text-to-SQL agent whether its SQL is right.

from stef import Evaluator, Turn

assessment = Evaluator().assess_sync(Turn(question="How many orders in 2024?", sql="SELECT COUNT(*) FROM orders"))
print(assessment.outcome)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stef.errors import StefError, UserError
    from stef.evaluator import Evaluator
    from stef.judge.doubles import RecordedJudge, RecordingJudge, ScriptedJudge
    from stef.judge.protocol import Judge
    from stef.records.assessment import Assessment, Band, Scored, Unscored
    from stef.records.judgement import Judgement, Verdict
    from stef.records.request import JudgeRequest
    from stef.records.turn import Turn
    from stef.rules import AppRules, RuleBook, load_rules
    from stef.version import VERSION as __version__  # noqa: N811  # the name that Python looks for

_HOMES = {
    "AppRules": "stef.rules",
    "Assessment": "stef.records.assessment",
    "Band": "stef.records.assessment",
    "Evaluator": "stef.evaluator",
    "Judge": "stef.judge.protocol",
    "JudgeRequest": "stef.records.request",
    "Judgement": "stef.records.judgement",
    "RecordedJudge": "stef.judge.doubles",
    "RecordingJudge": "stef.judge.doubles",
    "RuleBook": "stef.rules",
    "Scored": "stef.records.assessment",
    "ScriptedJudge": "stef.judge.doubles",
    "StefError": "stef.errors",
    "Turn": "stef.records.turn",
    "Unscored": "stef.records.assessment",
    "UserError": "stef.errors",
    "Verdict": "stef.records.judgement",
    "load_rules": "stef.rules",
}

__all__ = [
    "AppRules",
    "Assessment",
    "Band",
    "Evaluator",
    "Judge",
    "JudgeRequest",
    "Judgement",
    "RecordedJudge",
    "RecordingJudge",
    "RuleBook",
    "Scored",
    "ScriptedJudge",
    "StefError",
    "Turn",
    "Unscored",
    "UserError",
    "Verdict",
    "__version__",
    "load_rules",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used: `import stef` alone stays quick."""
    if name == "__version__":
        value: object = import_module("stef.version").VERSION
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'stef' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
