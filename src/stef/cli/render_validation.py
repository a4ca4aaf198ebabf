"""What validating a gold set says: for people, case by case with file and line, and as plain data."""

from typing import TYPE_CHECKING, Any

from stef.cli.screen import Grid, count, harmless, one_line, show

if TYPE_CHECKING:
    from stef.gold.validate import CaseRemarks, Remark, Validation
    from stef.gold.validate.recorder import Recorder

_MOST_SQL = 1_000
_MOST_SHOWN = 5


def document(validation: "Validation") -> dict[str, Any]:
    """A validation as plain data."""
    return {
        "cases": [
            {
                "id": one.case.id,
                "where": one.case.where,
                "database": one.case.database,
                "question": one.case.question,
                "gold_sql": list(one.case.gold_sql),
                "worst": one.worst,
                "remarks": [remark.to_json() for remark in one.remarks],
            }
            for one in validation.cases
        ],
        "databases": {name: [one.to_json() for one in said] for name, said in validation.databases.items()},
        "broken": [fault.to_json() for fault in validation.broken],
        "counts": {name: {key.value: n for key, n in by.items()} for name, by in validation.counts().items()},
        "worst": {severity.value: n for severity, n in validation.worst_counts().items()},
        "made": list(validation.made),
        "left_out": dict(validation.left_out),
        "faults": [
            {"check": one.check, "case_id": one.case_id, "message": one.message, "traceback": one.traceback}
            for one in validation.faults
        ],
    }


def show_validation(validation: "Validation") -> None:
    """Print what was said, the counts by check, and what was not looked at."""
    for fault in validation.broken:
        show(harmless(str(fault)))
    for one in validation.cases:
        if one.remarks:
            _show_case(one)
    for name, remarks in validation.databases.items():
        show(f"database {one_line(name, 60)}" if name else "the database")
        for remark in remarks:
            _show_remark(remark)
    _show_counts(validation)


def _show_case(one: "CaseRemarks") -> None:
    database = f" · {one_line(one.case.database, 40)}" if one.case.database else ""
    head = f"{harmless(one.case.where or '?')}: {one_line(one.case.id, 60)}{database}"
    show(f"{head} · {one_line(one.case.question, 100)}")
    for remark in one.remarks:
        _show_remark(remark)


def _show_remark(remark: "Remark") -> None:
    show(f"  {remark.severity.value:<6}  {remark.check}: {one_line(remark.message, 400)}")
    if remark.way_out:
        show(f"          {one_line(remark.way_out, 300)}")
    if remark.sql:
        show(f"          proposed: {one_line(remark.sql, _MOST_SQL)}")


def _show_counts(validation: "Validation") -> None:
    from stef.gold.validate import CHECKS, Severity  # noqa: PLC0415

    counts = validation.counts()
    titles = {check.name: check.title for check in CHECKS}
    rows = [
        [name, *(f"{by[severity]:,}" if by[severity] else "·" for severity in Severity), titles.get(name, "")]
        for name, by in counts.items()
        if any(by.values())
    ]
    if rows:
        show()
        Grid(["check", *Severity, "what"], rows, frozenset({"check", "what"})).show()
    quiet = [name for name, by in counts.items() if not any(by.values())]
    if quiet:
        show(f"nothing to say: {', '.join(quiet)}")
    for reason in dict.fromkeys(validation.left_out.values()):
        names = ", ".join(name for name, why in validation.left_out.items() if why == reason)
        show(f"not made ({reason}): {names}")
    worst = validation.worst_counts()
    said = ", ".join(f"{n:,} {severity.value}" for severity, n in worst.items())
    clean = sum(one.worst is None for one in validation.cases)
    show(f"{count(len(validation.cases), 'case')}: {said}, {clean:,} without a remark")
    for fault in validation.faults[:3]:
        show(f"STEF'S OWN FAULT  {fault.check} on {fault.case_id or 'the set'}: {one_line(fault.message)}")


def recorded_document(recorder: "Recorder | None", written: dict[str, int]) -> dict[str, Any] | None:
    """What was recorded, as plain data; None where nothing was to be."""
    if recorder is None:
        return None
    return {"files": written, "kept": recorder.kept, "moved": recorder.moved, "left_out": recorder.left_out}


def show_recorded(recorder: "Recorder | None", written: dict[str, int]) -> None:
    """Print what was recorded."""
    if recorder is None:
        return
    for path, answers in written.items():
        show(f"recorded {count(answers, 'answer')} in {harmless(path)}")
    if recorder.kept:
        show(f"still as recorded: {count(len(recorder.kept), 'answer')}")
    for title, told in (("moved", recorder.moved), ("not recorded", recorder.left_out)):
        for case_id, why in list(told.items())[:_MOST_SHOWN]:
            show(f"{title}: {one_line(case_id, 60)}: {one_line(why, 200)}")
        if len(told) > _MOST_SHOWN:
            show(f"{title}: and {len(told) - _MOST_SHOWN} more (--json lists them)")
