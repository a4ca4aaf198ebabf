"""`--engine ray`: the same RUN, made on a Ray cluster."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stef.cli.judges import JudgeChoice, budget_of, gate_of
from stef.errors import StoppedError, UserError
from stef.llm.gate import Limits

if TYPE_CHECKING:
    from stef.evaluator import Evaluator
    from stef.runs.calls import CallLog
    from stef.runs.job import Finished, ScoreJob

RAY = "ray"


@dataclass(frozen=True)
class OnRay:
    """How a run is made on a cluster. It goes to other processes, and makes the evaluator there."""

    engine: str
    address: str | None
    choice: JudgeChoice
    calibration: Path | None
    force: bool

    def __call__(self, calls: "CallLog") -> "Evaluator":
        """The evaluator, in whatever process this is called."""
        from stef.cli.score import calibrated_evaluator  # noqa: PLC0415

        return calibrated_evaluator(self.choice.evaluator(calls), self.calibration, self.force)


def scored_on_ray(job: "ScoreJob", on_ray: OnRay, limits: Limits, budget: float | None, quiet: bool) -> "Finished":
    """Score the log of `job` on a cluster, watched by a person.

    Raises Stopped at Ctrl-C, and what `score_on_cluster` raises.
    """
    if on_ray.engine != RAY:
        raise UserError(f"--engine {on_ray.engine}: there are local and {RAY}")
    gate_of(limits)
    budget_of(budget)
    from stef.cli.score import stopped  # noqa: PLC0415
    from stef.cli.watching import watching  # noqa: PLC0415  heavy
    from stef.runs.cluster import Cluster, Means, score_on_cluster  # noqa: PLC0415

    means = Means(on_ray, limits, budget)
    with watching(quiet) as watcher:
        try:
            return score_on_cluster(job, means, Cluster(on_ray.address, job.workers), watcher)
        except (KeyboardInterrupt, StoppedError) as error:
            raise stopped(job) from error
