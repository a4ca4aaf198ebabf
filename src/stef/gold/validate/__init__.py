"""Tests for the gold itself: `validate` puts a set to an ordered tuple of checks, one module each."""

from stef.gold.validate.catalogue import CHECKS, chosen_checks
from stef.gold.validate.checks import Check, Needs
from stef.gold.validate.remarks import CaseRemarks, CheckFault, Remark, Severity, Validation
from stef.gold.validate.validate import Means, validate

__all__ = [
    "CHECKS",
    "CaseRemarks",
    "Check",
    "CheckFault",
    "Means",
    "Needs",
    "Remark",
    "Severity",
    "Validation",
    "chosen_checks",
    "validate",
]
