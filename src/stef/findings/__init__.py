"""Findings: coded, documented observations on a turn. One rule is one module; `stef findings` lists them.

The modules here whose name begins with a code (`s120_ungrounded_literal`) are stef's own rules. Others come from the
same entry point group, `stef.findings`: an entry point names a module that is a rule, or a package of such modules.
"""

from stef.findings.context import Context, context_of
from stef.findings.registry import Rule, RuleSet, all_rules, rule_set
from stef.records.assessment import Finding

__all__ = ["Context", "Finding", "Rule", "RuleSet", "all_rules", "context_of", "rule_set"]
