"""The validator's checks, put to an agent's query as they are put to a gold: what the data says of it."""

from collections.abc import Iterator
from types import ModuleType
from typing import Final

from stef.gold.validate import division, fan_out, literals, repeated, sorting, tied, unordered
from stef.gold.validate.remarks import Severity
from stef.records.result import Result
from stef.verify.candidate import Candidate
from stef.verify.records import Sign

CHECKS: Final[tuple[ModuleType, ...]] = (literals, fan_out, repeated, division, sorting, tied, unordered)


def data(candidate: Candidate, _result: Result) -> Iterator[Sign]:
    """What each check says, under its name; `literal_spelling` where a constant differs from a value of the data in
    case, accents or spaces only."""
    for check in CHECKS:
        for remark in check.of_case(candidate.subject):
            code = str(check.NAME)
            if check is literals:
                if remark.severity is Severity.NOTES:
                    code = "literal_among_others"
                elif remark.severity is Severity.FAILS:
                    code = "literal_spelling"
            yield Sign(code, remark.message, way_out=remark.way_out, sql=remark.sql, facts=remark.facts)
