"""`stef agree`: how far the scores of a RUN agree with people's labels."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stef.cli.guard import guarded
from stef.cli.options import Json
from stef.cli.screen import say, show_json
from stef.errors import UserError

if TYPE_CHECKING:
    from stef.runs.agree import RunAgreement
    from stef.runs.labelled import LabelledRun
    from stef.runs.labels import Labels
    from stef.runs.run import Run
    from stef.stats.bootstrap import Resampling

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The folder that stef score wrote.")]
LabelsArgument = Annotated[
    str, typer.Argument(metavar="LABELS", help="Each turn's id, and whether it is correct: CSV, TSV, JSONL or Parquet.")
]
Maps = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="FIELD=NAME", help="Where id or correct stands in LABELS: correct=review.verdict"),
]
Encoding = Annotated[str | None, typer.Option(metavar="NAME", help="The encoding of LABELS, where it is not UTF-8.")]
Threshold = Annotated[
    float, typer.Option(min=0.0, max=1.0, metavar="P", help="A turn counts as accepted where p_correct is P or more.")
]
By = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Slices, as in agent,database,finding,dialect,verdict; also fields kept of the log or of LABELS.",
    ),
]
Level = Annotated[int, typer.Option(min=50, max=99, metavar="PERCENT", help="The level of the intervals.")]
Resamples = Annotated[int, typer.Option(min=100, max=10_000, metavar="N", help="Resamples of the bootstrap.")]
Seed = Annotated[int, typer.Option(metavar="N", help="Its seed: the same one gives the same intervals.")]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write one self-contained page with the curves.")]

DEFAULT_BY = ("agent", "finding")


@dataclass(frozen=True, slots=True)
class Compared:
    """A RUN against labels: what was read, what was put together, and what came of it."""

    run: "Run"
    labels: "Labels"
    labelled: "LabelledRun"
    result: "RunAgreement"
    resampling: "Resampling"


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("agree", short_help="Compare a RUN's scores with people's labels.")(guarded(agree))


def agree(  # noqa: PLR0913, PLR0917  the options of a command
    run: RunArgument,
    labels: LabelsArgument,
    maps: Maps = None,
    threshold: Threshold = 0.5,
    by: By = None,
    level: Level = 95,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    encoding: Encoding = None,
    html: Html = None,
    as_json: Json = False,
) -> None:
    """Show how far the scores of a RUN agree with labels: is the judge right, how surely, and where is it not?

    Prints accuracy, κ, AUC, false accepts and rejects, the reliability of the probability, all of it with
    intervals over questions, the same for slices of the turns, and the disagreements to read first.
    A label is true or false, 1 or 0, yes or no, right or wrong, correct or incorrect; an id such as #17
    is the turn's row.

    \b
    Examples:
      stef agree run labels.csv
      stef agree run review.jsonl --map id=turn --map correct=review.ok --by agent,database --html agree.html
      stef agree run labels.csv --threshold 0.8 --json
    """
    from stef.report.output import check_output  # noqa: PLC0415
    from stef.stats.bootstrap import Resampling  # noqa: PLC0415

    if html is not None:
        check_output(html, "--html", 'content="stef agree"', "page")
    names = tuple(dict.fromkeys(name.strip() for name in by.split(",") if name.strip())) if by is not None else None
    resampling = Resampling(resamples, seed, level / 100)
    compared = _compare(run, _Reading(labels, tuple(maps or ()), encoding), names, threshold, resampling)
    if html is not None:
        _write_page(compared, html)
    if as_json:
        from stef.cli.agreement_document import agreement_document  # noqa: PLC0415

        show_json(agreement_document(compared))
        return
    from stef.cli.render_agreement import show_agreement  # noqa: PLC0415

    show_agreement(compared)


@dataclass(frozen=True, slots=True)
class _Reading:
    """How to read the labels."""

    path: str
    maps: tuple[str, ...]
    encoding: str | None


def against_labels(run: Path, labels: str, maps: tuple[str, ...]) -> Compared:
    """A RUN against labels, as `stef agree` compares them unless it is told otherwise."""
    from stef.stats.bootstrap import Resampling  # noqa: PLC0415

    return _compare(run, _Reading(labels, maps, None), None, 0.5, Resampling(1000, 0, 0.95))


def _compare(
    path: Path, reading: _Reading, by: tuple[str, ...] | None, threshold: float, resampling: "Resampling"
) -> Compared:
    from stef.runs.agree import agree as agree_turns  # noqa: PLC0415  heavy
    from stef.runs.labelled import label_run  # noqa: PLC0415
    from stef.runs.labels import read_labels  # noqa: PLC0415
    from stef.runs.run import open_run  # noqa: PLC0415

    run = open_run(path)
    labels = read_labels(reading.path, reading.maps, reading.encoding)
    labelled = label_run(run, labels, DEFAULT_BY if by is None else by)
    if by is None:
        # A single agent's slice would say what the whole says.
        by = tuple(name for name in DEFAULT_BY if len({turn.slices[name] for turn in labelled.turns}) > 1)
    return Compared(run, labels, labelled, agree_turns(labelled.turns, by, threshold, resampling), resampling)


def _write_page(compared: Compared, path: Path) -> None:
    from stef.cli.agreement_document import agreement_document  # noqa: PLC0415
    from stef.report.agreement import agreement_page  # noqa: PLC0415  brings jinja2

    page = agreement_page(agreement_document(compared))
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise UserError(f"--html {path}: cannot be written: {error.strerror}") from error
    say(f"stef: the page lies in {path}")
