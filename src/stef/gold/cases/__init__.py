"""Gold sets: read from files, checked, and looked at as a whole."""

from stef.gold.cases.check import CaseCheck, check_report
from stef.gold.cases.faults import CaseFile, CaseSet, EntryFault, FaultKind
from stef.gold.cases.formats import FORMATS
from stef.gold.cases.load import load_cases
from stef.gold.cases.paraphrases import base_id, expand_paraphrases, paraphrase_id
from stef.gold.cases.twins import hidden_ids, twins

__all__ = [
    "FORMATS",
    "CaseCheck",
    "CaseFile",
    "CaseSet",
    "EntryFault",
    "FaultKind",
    "base_id",
    "check_report",
    "expand_paraphrases",
    "hidden_ids",
    "load_cases",
    "paraphrase_id",
    "twins",
]
