"""The name of the cause that a turn fell under."""

from stef.records.gold import CaseReport, Outcome, Symptom

OVER_REFUSAL = "over_refusal"
MISSED_REFUSAL = "missed_refusal"
MISSING_COLUMNS = "missing_columns"
TOO_MANY_ROWS = "too_many_rows"
TOO_FEW_ROWS = "too_few_rows"
WRONG_VALUES = "wrong_values"
DISPLAY_CAP = "display_cap"

_OF_SYMPTOM = {Symptom.MISSING_INFORMATION: MISSING_COLUMNS}


def bucket_of(report: CaseReport) -> str | None:
    """The one cause of a wrong turn; None of a right one, and where nothing can be said."""
    if report.correct is not False:
        return None
    named = getattr(report, "bucket", None)
    if named is not None:
        return str(named)
    if report.outcome is Outcome.DECLINED:
        return OVER_REFUSAL
    if report.symptom is None:
        return MISSED_REFUSAL if report.outcome is Outcome.ANSWERED and report.output is None else None
    return _OF_SYMPTOM.get(report.symptom, report.symptom.value)
