"""Logs → RUN on a cluster."""

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from stef.errors import BudgetError, StoppedError, UserError
from stef.evaluator import Evaluator
from stef.runs.calls import CALLS, total_calls
from stef.runs.cluster.actors import Finishing, PartWork, Preparing, Scoring
from stef.runs.cluster.asking import Asking
from stef.runs.cluster.ledger import ledger_of
from stef.runs.cluster.means import Means
from stef.runs.cluster.receipts import Receipt, facts_of, tell
from stef.runs.cluster.session import Cluster, joined, ray_with_data
from stef.runs.cluster.stage import batch_of, opened
from stef.runs.folder import COMPLETE, RunFolder
from stef.runs.intake import chosen_rows
from stef.runs.job import Finished, Progress, ScoreJob, Watcher
from stef.runs.kernel import KernelSpec
from stef.runs.pieces import Part, first_turns, parts_of
from stef.runs.run import open_run
from stef.runs.score import settings_of
from stef.runs.sources import find_sources, logs_shown
from stef.runs.turns import Row


def score_on_cluster(
    job: ScoreJob, means: Means, cluster: Cluster | None = None, watcher: Watcher | None = None
) -> Finished:
    """Score the Parquet logs and Iceberg tables of `job` on a Ray cluster.

    All its machines see the logs, and the folder, under the same names. Raises UserError where ray is not installed, or
    for a job that only one machine can do; InputError for other logs; else as `score_log` does, and StoppedError after
    a Ctrl-C.
    """
    cluster, watcher = cluster or Cluster(), watcher or Watcher()
    ray_with_data()
    evaluator = means.unasked()
    _refuse(job, evaluator)
    with find_sources(job.logs) as sources:
        folder = RunFolder(job.out, settings_of(job, evaluator, [source.fingerprint() for source in sources]))
        if folder.complete:
            return Finished(open_run(job.out), already=True)
        chosen = chosen_rows(job, evaluator, sources)
        size = folder.settings["part_rows"]
        notes, end = first_turns(parts_of(sources, size), job.fields, chosen, job.limit)
        watcher.mapped(notes)
        parts = list(parts_of(sources, size, end))
        folder.make()
        with folder.locked():
            run = _Run(job, means, cluster, evaluator, chosen, watcher)
            receipts = run.all_parts(parts)
            facts = {"logs": logs_shown(job.logs), **facts_of(job, receipts)}
            folder.save(COMPLETE, {**facts, "calls": total_calls(folder.path / CALLS)})
    return Finished(open_run(job.out), already=False)


def _refuse(job: ScoreJob, evaluator: Evaluator) -> None:
    one_machine = {
        "--strict": job.strict,
        "--reader": evaluator.reader is not None,
        "--follow": job.settle is not None,
        "--from": job.query is not None,
        "replies of a batch": job.replies is not None,
    }
    for name, asked in one_machine.items():
        if asked:
            raise UserError(f"{name} is for one machine; leave it out, or leave out --engine ray")


@dataclass(frozen=True, slots=True)
class _Run:
    """One pass over the parts."""

    job: ScoreJob
    means: Means
    cluster: Cluster
    evaluator: Evaluator
    chosen: Callable[[Row], bool]
    watcher: Watcher

    def all_parts(self, parts: Sequence[Part]) -> list[Receipt]:
        """What every part came to, in their order, after all of them are written."""
        with joined(self.cluster) as ray, ExitStack() as stack:
            ledger = None
            if not self.evaluator.answers_at_once:
                ledger = stack.enter_context(ledger_of(ray, self.job, self.means))
            try:
                receipts = self._through(ray, ledger, parts)
            except KeyboardInterrupt as error:
                raise StoppedError("stopped") from error
            except Exception:
                _close(ray, ledger, complete=False)
                raise
            _close(ray, ledger, complete=True)
        return sorted(receipts, key=lambda one: one.part)

    def _through(self, ray: Any, ledger: Any, parts: Sequence[Part]) -> list[Receipt]:
        """Every part through the actors. Raises what the first one that failed has raised."""
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.CRITICAL)
        batches = [batch_of(Receipt(part.number), part) for part in parts]
        stage = self._stages(ray, ray.data.from_arrow(batches))
        progress = Progress(expected=sum(part.rows for part in parts))
        receipts: list[Receipt] = []
        for batch in stage.iter_batches(batch_size=1, batch_format="pyarrow", prefetch_batches=0):
            receipt, _ = opened(batch)
            if isinstance(receipt.failure, BudgetError):
                # Other calls are under way, and paid for.
                ray.get(ledger.run_out.remote())
            if receipt.failure is not None:
                raise receipt.failure
            receipts.append(receipt)
            tell(self.watcher, progress, receipt)
        return receipts

    def _stages(self, ray: Any, stage: Any) -> Any:
        """The stages that a part goes through; with a judge that answers at once it is one."""
        readers = self.cluster.readers or int(ray.cluster_resources().get("CPU", 1))

        def through(actor: type, most: int, cpus: float, given: PartWork | Means) -> Any:
            return stage.map_batches(
                actor,
                fn_constructor_args=(given,),
                batch_size=1,
                batch_format="pyarrow",
                compute=ray.data.ActorPoolStrategy(min_size=1, max_size=max(1, most)),
                num_cpus=cpus,
            )

        work = self._part_work()
        if self.evaluator.answers_at_once:
            return through(Scoring, readers, 1, work)
        # Three pools share the processors: a part is prepared here, judged there, and finished by a third.
        stage = through(Preparing, readers // 2, 0.5, work)
        stage = through(Asking, self.cluster.askers, 0, self.means)
        return through(Finishing, readers // 2, 0.5, work)

    def _part_work(self) -> PartWork:
        spec = KernelSpec.of(self.evaluator)
        return PartWork(spec, self.job.fields, self.job.out.absolute(), self.chosen)


def _close(ray: Any, ledger: Any, *, complete: bool) -> None:
    if ledger is not None:
        ray.get(ledger.close.remote(complete))
