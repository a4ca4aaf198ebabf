"""Requests for a provider's batch, written from a log; `stef.llm.batch` reads what comes back."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stef.errors import InputError
from stef.evaluator import Evaluator
from stef.llm.batch import batch_line
from stef.llm.features import Features, parameters
from stef.runs.job import ScoreJob
from stef.runs.mapping import FieldMap, field_map
from stef.runs.plan import prepared_rows
from stef.runs.run import open_run


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: requests, from so many turns; `unasked` turns put no question to a judge."""

    path: Path
    requests: int
    turns: int
    unasked: int
    bad_lines: int


def export_requests(job: ScoreJob, evaluator: Evaluator, model: str, path: Path) -> Exported:
    """Write every request of the log of `job` to `path`, in OpenAI's batch format.

    `model` is the provider's name of the model. `custom_id` is what the same judge knows the question by. Turns that
    are the same word for word are written once. The file is there whole, or as it was before. Raises InputError for
    logs that cannot be read.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    requests = turns = unasked = 0
    try:
        with temporary.open("w", encoding="utf-8") as file, prepared_rows(job, evaluator) as (rows, broken):
            for _, prepared, questions in rows:
                turns += 1
                unasked += prepared.request is None
                for question in questions:
                    asked: dict[str, Any] = parameters(Features(), question)
                    file.write(batch_line(question.key or "", model, asked) + "\n")
                    requests += 1
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return Exported(path, requests, turns, unasked, broken.count)


def logs_of_run(path: Path) -> tuple[tuple[str, ...], FieldMap, str | None, int | None]:
    """What a RUN was made from: its logs, mapping, encoding and limit.

    Raises InputError where it does not say, or where a log has gone.
    """
    run = open_run(path)
    logs = run.about.get("logs")
    if not isinstance(logs, list) or not logs or "-" in logs:
        raise InputError(f"{path}: this RUN does not say which file it was made from; name the log instead")
    settings = run.settings
    maps = [f"{target}={one}" for target, paths in settings.get("map", {}).items() for one in paths]
    fields = field_map(maps, preset=settings.get("preset"), keep=settings.get("keep") or ())
    return tuple(map(str, logs)), fields, settings.get("encoding"), settings.get("limit")
