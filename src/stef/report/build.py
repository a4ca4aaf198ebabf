"""RUNs → Report: read them, compare them where that makes sense, say why not where it does not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from stef.errors import InputError, UserError
from stef.report.checks import read_checks
from stef.report.gold import gold_report
from stef.report.model import Report
from stef.report.scored import scored_report
from stef.runs.compare import CompareOptions, Comparison, NotComparableError, compare_runs
from stef.runs.run import Run, open_any_run
from stef.runs.verify.folder import VERIFY


@dataclass(frozen=True, slots=True)
class Asked:
    """What to put into a report. `compare`: two RUNs are compared; `options.by` compares two values within one RUN.

    `checks`: a RUN of `stef verify` over the turns of the last one.
    """

    paths: Sequence[Path]
    title: str | None = None
    options: CompareOptions = field(default_factory=CompareOptions)
    compare: bool = True
    checks: Path | None = None


def build_report(asked: Asked) -> Report:
    """Read the RUNs. Raises InputError for what is no RUN, is empty, is given twice, or is of another kind."""
    runs = [open_any_run(path) for path in asked.paths]
    _check(runs)
    comparison, why = _compared(runs, asked)
    title = asked.title or _title(runs)
    sides = None if comparison is None else (runs[0], runs[-1])
    gold = runs[0].gold
    if gold and asked.checks is not None:
        raise InputError(f"--checks {asked.checks}: checks stand beside scores, and {runs[-1].path} is a gold run")
    return Report(
        title=title,
        scored=() if gold else tuple(scored_report(run) for run in runs),
        gold=tuple(gold_report(run) for run in runs) if gold else (),
        comparison=comparison,
        sides=sides,
        not_compared=why,
        checks=None if asked.checks is None else read_checks(asked.checks, runs[-1]),
    )


def _check(runs: Sequence[Run]) -> None:
    seen: dict[Path, Path] = {}
    for run in runs:
        other = seen.setdefault(run.path.resolve(), run.path)
        if other is not run.path:
            raise InputError(f"{run.path}: this RUN is given twice")
    for run in runs:
        if run.settings.get("kind") == VERIFY:
            raise InputError(
                f"{run.path}: this RUN was made by stef verify; it stands beside the RUN of stef score that it checks: "
                f"stef report RUN --checks {run.path}"
            )
    if len({run.gold for run in runs}) > 1:
        gold = next(run.path for run in runs if run.gold)
        other = next(run.path for run in runs if not run.gold)
        raise InputError(
            f"{gold} is a gold run and {other} is not: their figures do not mean the same. "
            "Make a report of each; stef score RUN scores a gold run's turns without gold"
        )


def _compared(runs: Sequence[Run], asked: Asked) -> tuple[Comparison | None, str | None]:
    """The comparison of two RUNs, or of two values within one; else why there is none, where one could be expected."""
    inside = len(runs) == 1 and asked.options.by is not None
    if not asked.compare or (len(runs) == 1 and not inside):
        return None, None
    if len(runs) > 2:
        return None, f"{len(runs)} RUNs; give two for a comparison"
    unfinished = [str(run.path) for run in runs if not run.complete]
    if unfinished:
        return None, f"not finished: {', '.join(unfinished)}"
    try:
        return compare_runs(runs[0], None if inside else runs[1], asked.options), None
    except NotComparableError as error:
        return None, str(error)
    except UserError as error:
        # What the user said of the comparison is a mistake; that two RUNs need more to be said is none.
        if asked.options.by is not None or asked.options.key is not None:
            raise
        return None, str(error)


def _title(runs: Sequence[Run]) -> str:
    names = [run.path.resolve().name for run in runs]
    return f"Report on {' and '.join(names) if len(names) < 3 else f'{len(names)} RUNs'}"
