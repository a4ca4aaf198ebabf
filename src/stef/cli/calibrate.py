"""`stef calibrate`: from labels to a map that makes the judge's probability mean what it says."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stef.cli.agree import Encoding, LabelsArgument, Maps, RunArgument
from stef.cli.guard import guarded
from stef.cli.label_remarks import label_remarks
from stef.cli.options import Json
from stef.cli.screen import count, number, quoted, show, show_json
from stef.errors import UserError

if TYPE_CHECKING:
    from stef.runs.calibrate import Calibrated

Out = Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The calibration to write.")]
Date = Annotated[
    str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The date that the file records [today].")
]
Method = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="platt or isotonic [isotonic from 2,000 labels on, else platt]."),
]


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("calibrate", short_help="Fit a map from the judge's probability to how often it is right.")(
        guarded(calibrate)
    )


def calibrate(  # noqa: PLR0913, PLR0917  the options of a command
    run: RunArgument,
    labels: LabelsArgument,
    out: Out,
    maps: Maps = None,
    method: Method = None,
    day: Date = None,
    encoding: Encoding = None,
    as_json: Json = False,
) -> None:
    """Fit a monotone map from the judge's p_correct to how often turns of that p_correct are right.

    Shows the calibration error before and after, on labels that the map had not seen. The file names the judge
    it was fitted on, and is refused for another one.

    \b
    Examples:
      stef calibrate run labels.csv -o cal.json
      stef score new.jsonl -o run2 --calibration cal.json
      stef rescore run --calibration cal.json -o run-calibrated
    """
    from stef.judge.calibration import calibration_text  # noqa: PLC0415  heavy
    from stef.report.output import check_output  # noqa: PLC0415
    from stef.runs.calibrate import calibrate_run  # noqa: PLC0415
    from stef.runs.labelled import label_run  # noqa: PLC0415
    from stef.runs.labels import read_labels  # noqa: PLC0415
    from stef.runs.run import open_run  # noqa: PLC0415

    when = _date(day)
    check_output(out, "-o", '"stef_calibration"', "calibration")
    opened = open_run(run)
    read = read_labels(labels, tuple(maps or ()), encoding)
    labelled = label_run(opened, read)
    done = calibrate_run(opened, labelled, method, when.isoformat())
    _write(out, calibration_text(done.calibration))
    remarks = list(label_remarks(read, labelled))
    if as_json:
        show_json(_document(out, done, remarks))
        return
    _show(out, done, remarks)


def _date(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"--date {text}: no date; write it as 2025-01-31") from error


def _write(path: Path, text: str) -> None:
    from stef.runs.folder import write_whole  # noqa: PLC0415

    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error


def _show(out: Path, done: "Calibrated", remarks: list[str]) -> None:
    calibration, checked = done.calibration, done.calibration.cross_validation
    fitted = calibration.fitted_on
    show(
        f"{calibration.map.method} map, fitted on {count(fitted.labels, 'label')} ({fitted.right:,} right) of "
        f"{count(fitted.questions, 'question')}, for the judge {fitted.judge}"
    )
    if checked is not None:
        show(
            f"calibration error, on labels that the map had not seen: {checked.before:.3f} before, "
            f"{checked.after:.3f} after ({checked.by_chance:.3f} by chance alone)"
        )
    show("p_correct " + "  ".join(f"{judged:.1f}→{number(mapped, 2)}" for judged, mapped in done.points))
    if done.flipped:
        show(
            f"{count(done.flipped, 'labelled turn')} would be on the other side of 0.5 than the judge's verdict: "
            "the verdict stays, with a confidence below 0.5"
        )
    for warning in (*done.warnings, *remarks):
        show(warning)
    show(f"The calibration lies in {out}; next: stef score LOG -o RUN --calibration {quoted(str(out))}")


def _document(out: Path, done: "Calibrated", remarks: list[str]) -> dict[str, Any]:
    return {
        "file": str(out),
        "hash": done.calibration.hash,
        "calibration": done.calibration.model_dump(mode="json"),
        "points": [list(point) for point in done.points],
        "flipped": done.flipped,
        "warnings": [*done.warnings, *remarks],
    }
