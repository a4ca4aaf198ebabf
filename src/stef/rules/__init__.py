"""Application rules: one application's conventions, read from JSON."""

from stef.rules.book import RuleBook
from stef.rules.filter_rule import FilterOp, FilterRule
from stef.rules.hashing import rules_hash
from stef.rules.loading import load_default, load_rules, resolve
from stef.rules.model import (
    AgentAdds,
    AppRules,
    Calendar,
    Example,
    Expect,
    FindingRule,
    Normalisation,
    Weekday,
)
from stef.rules.schema import rules_schema
from stef.rules.scoring import Bands, ConfidenceLevels, FilterPoints, Multipliers, Scoring, VerdictPoints

__all__ = [
    "AgentAdds",
    "AppRules",
    "Bands",
    "Calendar",
    "ConfidenceLevels",
    "Example",
    "Expect",
    "FilterOp",
    "FilterPoints",
    "FilterRule",
    "FindingRule",
    "Multipliers",
    "Normalisation",
    "RuleBook",
    "Scoring",
    "VerdictPoints",
    "Weekday",
    "load_default",
    "load_rules",
    "resolve",
    "rules_hash",
    "rules_schema",
]
