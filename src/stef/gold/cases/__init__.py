"""Gold sets: read from files, checked, and looked at as a whole."""

from stef.gold.cases.faults import CaseFile, CaseSet, EntryFault, FaultKind
from stef.gold.cases.formats import FORMATS
from stef.gold.cases.load import load_cases

__all__ = ["FORMATS", "CaseFile", "CaseSet", "EntryFault", "FaultKind", "load_cases"]
