"""A RUN as the log of a verification: the logs that it was made from, and its scores to stand beside."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from stef.errors import InputError
from stef.runs.batch import logs_of_run
from stef.runs.run import open_any_run
from stef.runs.verify.folder import VERIFY
from stef.runs.verify.job import VerifyJob


def job_of_run(job: VerifyJob, *, mapped: bool) -> tuple[VerifyJob, Mapping[int, float | None]]:
    """The job with the logs, mapping, encoding and limit of the RUN that it names, and Φ by row; else as it is.

    `mapped`: the user says how to read the log, which goes before what the RUN says. A gold run is a log itself. Raises
    InputError for a RUN that does not say which log it was made from.
    """
    path = Path(job.logs[0])
    if len(job.logs) > 1 or not (path / "run.json").is_file():
        return job, {}
    run = open_any_run(path)
    if run.settings.get("kind") == VERIFY:
        raise InputError(f"{path}: this RUN was made by stef verify; name the log, or the RUN of stef score")
    if run.gold:
        return job, {}
    logs, fields, encoding, limit = logs_of_run(path)
    job = replace(
        job,
        logs=logs,
        fields=job.fields if mapped else fields,
        encoding=job.encoding or encoding,
        limit=job.limit or limit,
    )
    return job, {row["row"]: row["score"] for row in run.rows(("row", "score"))}
