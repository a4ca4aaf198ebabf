"""`--engine ray`: the same RUN, made on a Ray cluster."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from stef.cli.judges import JudgeChoice
from stef.errors import UserError
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
    limits: Limits

    def __call__(self, calls: "CallLog") -> "Evaluator":
        """The evaluator, in whatever process this is called."""
        from stef.cli.score import calibrated_evaluator  # noqa: PLC0415

        return calibrated_evaluator(self.choice.evaluator(calls), self.calibration, self.force)


def scored_on_ray(job: "ScoreJob", on_ray: OnRay, budget: float | None, quiet: bool) -> "Finished":
    """Score the log of `job` on a cluster, watched by a person. Raises what `score_on_cluster` raises."""
    if on_ray.engine != RAY:
        raise UserError(f"--engine {on_ray.engine}: there are local and {RAY}")
    if budget is not None:
        raise UserError("--budget is for one machine: on a cluster, bound the log, or what the key may spend")
    from stef.cli.watching import watching  # noqa: PLC0415  heavy
    from stef.runs.cluster import Cluster, score_on_cluster  # noqa: PLC0415

    with watching(quiet) as watcher:
        return score_on_cluster(job, on_ray, on_ray.limits, Cluster(on_ray.address), watcher)
