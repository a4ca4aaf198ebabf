"""A run over a Ray cluster: Ray Data carries the parts of a log through actors that run the halves of the kernel.

Part k is what it would be on one machine, byte for byte: it holds the input rows k·N…, and is a function of turns,
judgements and settings alone. Hence what a kill leaves is taken over part by part. The calls of a judge are made in a
pool of actors of their own; a single actor, the ledger, lets each through, and keeps what was paid for.
"""

import asyncio
import logging
import os
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from stef.errors import InputError, StefError, UserError
from stef.evaluator import Evaluator
from stef.evaluator.packing import unpack
from stef.judge.comparing import ComparingJudge
from stef.llm.gate import Gate, Limits, Pass
from stef.runs.calls import CALLS, CallLog, total_calls
from stef.runs.folder import COMPLETE, RunFolder
from stef.runs.job import Finished, Progress, ScoreJob, Watcher
from stef.runs.judging import Judging
from stef.runs.kernel import KernelSpec, turns_table
from stef.runs.keys import JudgeKey
from stef.runs.mapping import FieldMap
from stef.runs.pieces import Part, parts_of, records_of
from stef.runs.private import private_store
from stef.runs.records import BadLine
from stef.runs.run import open_run
from stef.runs.score import settings_of
from stef.runs.sources import find_sources
from stef.runs.turns import Mapper, MappingNotes, Row
from stef.runs.worker import from_ipc, to_ipc
from stef.runs.working import judged_or_fault, together

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

LEDGER: Final = "stef-ledger"
_MOST_BAD_LINES: Final = 100

Make = Callable[[CallLog], Evaluator]
"""Makes the evaluator, with its judge, in another process; what its judge asks goes to the log."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where and how wide. `address`: of a running cluster (None: one on this machine, as wide as it is).

    `readers` actors run the halves (None: as many as there are processors), `askers` make the calls.
    """

    address: str | None = None
    readers: int | None = None
    askers: int = 2


@dataclass(slots=True)
class Receipt:
    """What a part came to."""

    part: int
    turns: int = 0
    bad: list[str] = field(default_factory=list)
    bad_lines: int = 0
    without_rules: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    notes: MappingNotes = field(default_factory=MappingNotes)


def score_on_cluster(
    job: ScoreJob, make: Make, limits: Limits, cluster: Cluster, watcher: Watcher | None = None
) -> Finished:
    """Score the Parquet logs of `job` on a Ray cluster; all its machines see logs and folder under the same paths.

    Raises UserError where ray is not installed, or for a job that only one machine can do; InputError for logs that
    are no Parquet; else as `score_log` does.
    """
    ray = _ray()
    watcher = watcher or Watcher()
    evaluator = make(CallLog())
    _refuse(job, evaluator)
    with find_sources(job.logs) as sources:
        folder = RunFolder(job.out, settings_of(job, evaluator, [source.fingerprint() for source in sources]))
        if folder.complete:
            return Finished(open_run(job.out), already=True)
        parts = list(parts_of(sources, folder.settings["part_rows"]))
        folder.make()
        with folder.locked():
            started = _started(ray, cluster)
            try:
                receipts = _receipts(ray, job, make, limits, cluster, folder, parts, watcher)
            except Exception as error:
                raise _plain(error) from error
            finally:
                if started:
                    ray.shutdown()
            folder.save(COMPLETE, _facts(job, folder, receipts))
    return Finished(open_run(job.out), already=False)


def _ray() -> Any:
    try:
        import ray  # noqa: PLC0415  heavy, and not always there
        import ray.data  # noqa: PLC0415
    except ImportError as error:
        raise UserError(f"--engine ray needs ray ({error}): pip install 'stef[ray]'") from error
    return ray


def _started(ray: Any, cluster: Cluster) -> bool:
    """Whether this call has joined or started a cluster."""
    if ray.is_initialized():
        return False
    # Nothing is sent anywhere but to the judge that was named: ray would report its use.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(address=cluster.address, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    return True


def _refuse(job: ScoreJob, evaluator: Evaluator) -> None:
    one_machine = {
        "--limit": job.limit is not None,
        "--strict": job.strict,
        "--reader": evaluator.reader is not None,
        "replies of a batch": job.replies is not None,
    }
    for name, asked in one_machine.items():
        if asked:
            raise UserError(f"{name} is for one machine; leave it out, or leave out --engine ray")


def _receipts(  # noqa: PLR0913, PLR0917  see score_on_cluster
    ray: Any,
    job: ScoreJob,
    make: Make,
    limits: Limits,
    cluster: Cluster,
    folder: RunFolder,
    parts: Sequence[Part],
    watcher: Watcher,
) -> list[Receipt]:
    """What every part came to, after all of them are written."""
    found = [_taken_over(folder, part) for part in parts if folder.part(part.number).exists()]
    todo = [{"part": pickle.dumps(part)} for part in parts if not folder.part(part.number).exists()]
    progress = Progress(turns=sum(one.turns for one in found), resumed=sum(one.turns for one in found))
    if todo:
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        logging.getLogger("ray.data").setLevel(logging.ERROR)
        stage = ray.data.from_items(todo, override_num_blocks=len(todo))
        with _working(ray, job, make, limits) as ledger:
            stage = _stages(ray, stage, job, make, limits, cluster)
            for row in stage.iter_rows():
                receipt: Receipt = pickle.loads(row["receipt"])  # noqa: S301  from stef's own actors
                found.append(receipt)
                progress.turns += receipt.turns
                progress.bad_lines += receipt.bad_lines
                progress.unscored.update(receipt.reasons)
                watcher.progress(progress)
            if ledger is not None:
                ray.get(ledger.done.remote())
    return sorted(found, key=lambda one: one.part)


def _stages(  # noqa: PLR0913, PLR0917  see score_on_cluster
    ray: Any, stage: Any, job: ScoreJob, make: Make, limits: Limits, cluster: Cluster
) -> Any:
    """The stages that a part goes through; with a judge that answers at once it is one."""
    evaluator = make(CallLog())
    at_once = evaluator.answers_at_once
    key = None if at_once else JudgeKey.of(evaluator.judge)
    readings = not isinstance(evaluator.judge, ComparingJudge)
    spec = KernelSpec(evaluator.book, evaluator.dialect, evaluator.calibration, key, readings)
    given = {"spec": spec, "fields": job.fields, "out": job.out}
    readers = cluster.readers or int(ray.cluster_resources().get("CPU", 1))

    def through(actor: type, most: int, cpus: float, **arguments: Any) -> Any:
        return stage.map_batches(
            actor,
            fn_constructor_kwargs=arguments,
            batch_size=1,
            batch_format="pyarrow",
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=max(1, most)),
            num_cpus=cpus,
        )

    if at_once:
        return through(_Scoring, readers, 1, **given)
    # Three pools share the processors: a part is prepared here, judged there, and finished by a third.
    stage = through(_Preparing, readers // 2, 0.5, **given)
    stage = through(_Asking, cluster.askers, 0, make=make, limits=limits)
    return through(_Finishing, readers // 2, 0.5, **given)


class _Halves:
    """What the actors that run a half have: the kernel, and where parts go."""

    def __init__(self, spec: KernelSpec, fields: FieldMap, out: Path) -> None:
        self.kernel = spec.open()
        self._fields = fields
        self._folder = _Parts(out)

    def read(self, batch: "pa.Table") -> tuple[Receipt, list[Row]]:
        """The turns of a part, and a receipt of what was read."""
        part: Part = pickle.loads(batch["part"][0].as_py())  # noqa: S301  from the driver
        mapper = Mapper(self._fields)
        receipt = Receipt(part.number)
        rows: list[Row] = []
        for item in mapper.rows(records_of(part)):
            if isinstance(item, BadLine):
                receipt.bad_lines += 1
                receipt.bad += [str(item)] if len(receipt.bad) < _MOST_BAD_LINES else []
                continue
            rows.append(item)
            if not self.kernel.evaluator.book.knows(item.turn.app):
                receipt.without_rules[item.turn.app or "(none)"] += 1
        receipt.turns, receipt.notes = len(rows), mapper.notes
        return receipt, rows

    def written(self, receipt: Receipt, table: "pa.Table") -> "pa.Table":
        """Write a part; its receipt as a batch."""
        import pyarrow as pa  # noqa: PLC0415  heavy

        if table.num_rows:
            self._folder.write_table(receipt.part, table)
        receipt.reasons.update(one for one in table["unscored_reason"].to_pylist() if one is not None)
        return pa.table({"receipt": pa.array([pickle.dumps(receipt)], pa.binary())})


class _Parts(RunFolder):
    """The parts of a RUN that the driver has made and holds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parts = path / self.PARTS


class _Scoring(_Halves):
    """Both halves, with a judge that answers at once."""

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        receipt, rows = self.read(batch)
        return self.written(receipt, self.kernel.score(turns_table(rows)))


class _Preparing(_Halves):
    """The first half."""

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        receipt, rows = self.read(batch)
        return _batch(receipt=pickle.dumps(receipt), prepared=to_ipc(self.kernel.prepare(turns_table(rows))))


class _Finishing(_Halves):
    """The second half."""

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        receipt: Receipt = pickle.loads(batch["receipt"][0].as_py())  # noqa: S301  from another actor
        prepared, judgements = (from_ipc(batch[name][0].as_py()) for name in ("prepared", "judgements"))
        return self.written(receipt, self.kernel.finish(prepared, judgements))


def _batch(**columns: bytes) -> "pa.Table":
    import pyarrow as pa  # noqa: PLC0415  heavy

    return pa.table({name: pa.array([value], pa.large_binary()) for name, value in columns.items()})


class _Asking:
    """The calls of a part, after a look at what was paid for before."""

    def __init__(self, make: Make, limits: Limits) -> None:
        self._ledger = _ray().get_actor(LEDGER)
        self._calls = _LedgerCalls(self._ledger, limits)
        self._evaluator = make(self._calls)
        self._limits = limits
        self._runner = asyncio.Runner()

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        columns = {name: batch[name][0].as_py() for name in ("receipt", "prepared")}
        judged = self._runner.run(self._judged(from_ipc(columns["prepared"])))
        return _batch(**columns, judgements=to_ipc(judged))

    async def _judged(self, prepared: "pa.Table") -> "pa.Table":
        import pyarrow as pa  # noqa: PLC0415  heavy

        asked = list(zip(*(prepared[name].to_pylist() for name in ("row", "key", "prepared")), strict=True))
        kept = _Prefetched(self._ledger, await self._ledger.read.remote([key for _, key, _ in asked if key]))
        judging = Judging(self._evaluator, kept, self._calls, self._limits.concurrency)  # type: ignore[arg-type]

        async def one(row: int, key: bytes | None, packed: bytes) -> bytes | None:
            if key is None:
                return None
            return await judged_or_fault(judging, row, key, lambda: unpack(packed, self._evaluator).request)

        judgements = await together([one(*each) for each in asked])
        # What was paid for is on its way to the disk before the part counts as judged.
        await asyncio.gather(*kept.writing)
        return pa.table({"judgement": pa.array(judgements, pa.binary())})


class _Prefetched:
    """Judgements that the ledger keeps: those of one part, read at once."""

    def __init__(self, ledger: Any, found: dict[bytes, bytes]) -> None:
        self._ledger = ledger
        self._found = found
        self.writing: list[Any] = []

    def read(self, key: bytes) -> bytes | None:
        """What is kept under `key`."""
        return self._found.get(key)

    def write(self, key: bytes, value: bytes) -> None:
        """Keep it."""
        self._found[key] = value
        self.writing.append(self._ledger.write.remote(key, value))


class _LedgerGate(Gate):
    """Each attempt goes through the ledger first; pauses and the breaker are this actor's own."""

    def __init__(self, ledger: Any, limits: Limits) -> None:
        super().__init__(Limits(limits.concurrency, patience=limits.patience))
        self._ledger = ledger
        self._tickets: dict[int, int] = {}

    async def enter(self, tokens: float) -> Pass:
        """See Gate."""
        ticket = await self._ledger.enter.remote(tokens)
        try:
            passed = await super().enter(tokens)
        except BaseException:
            self._ledger.leave.remote(ticket, 0.0)
            raise
        self._tickets[id(passed)] = ticket
        return passed

    def well(self, passed: Pass, tokens: float) -> None:
        """See Gate."""
        self._out(passed, tokens)
        super().well(passed, tokens)

    def failed(self, passed: Pass, *arguments: Any, **named: Any) -> Any:
        """See Gate."""
        self._out(passed, 0.0)
        return super().failed(passed, *arguments, **named)

    def leave(self, passed: Pass) -> None:
        """See Gate."""
        self._out(passed, 0.0)
        super().leave(passed)

    def _out(self, passed: Pass, tokens: float) -> None:
        ticket = self._tickets.pop(id(passed), None)
        if ticket is not None:
            self._ledger.leave.remote(ticket, tokens)


class _LedgerCalls(CallLog):
    """Calls that the ledger writes down."""

    def __init__(self, ledger: Any, limits: Limits) -> None:
        super().__init__(gate=_LedgerGate(ledger, limits))
        self._ledger = ledger

    def _write(self, line: dict[str, Any]) -> None:
        self._ledger.call.remote(line)


class _Ledger:
    """The one actor that lets calls through, keeps judgements and writes down calls; it lives where the driver does."""

    def __init__(self, job: ScoreJob, make: Make, limits: Limits) -> None:
        self._gate = Gate(limits)
        self._passes: dict[int, Pass] = {}
        self._last = 0
        self._calls = CallLog()
        self._stack = ExitStack()
        self._kept = self._stack.enter_context(private_store(job, make(CallLog()), job.out))
        self._stack.enter_context(self._calls.writing_to(job.out, self._kept.replies))

    async def enter(self, tokens: float) -> int:
        """Wait until a call may be made; its ticket."""
        passed = await self._gate.enter(tokens)
        self._last += 1
        self._passes[self._last] = passed
        return self._last

    async def leave(self, ticket: int, tokens: float) -> None:
        """The call has ended."""
        passed = self._passes.pop(ticket, None)
        if passed is not None:
            self._gate.well(passed, tokens)

    async def read(self, keys: list[bytes]) -> dict[bytes, bytes]:
        """Those judgements that are kept."""
        found = ((key, self._kept.judgements.read(key)) for key in keys)
        return {key: value for key, value in found if value is not None}

    async def write(self, key: bytes, value: bytes) -> None:
        """Keep a judgement."""
        self._kept.judgements.write(key, value)

    async def call(self, line: dict[str, Any]) -> None:
        """Write down a call."""
        self._calls._write(line)  # noqa: SLF001  the other end of _LedgerCalls

    async def done(self) -> None:
        """The run is complete."""
        self._kept.done()

    async def close(self) -> None:
        """Put all on the disk."""
        self._stack.close()


@contextmanager
def _working(ray: Any, job: ScoreJob, make: Make, limits: Limits) -> Iterator[Any]:
    """The ledger while parts are worked on; None where the judge answers at once."""
    if make(CallLog()).answers_at_once:
        yield None
        return
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy  # noqa: PLC0415  heavy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    actor = ray.remote(_Ledger).options(name=LEDGER, num_cpus=0, max_concurrency=10_000, scheduling_strategy=here)
    ledger = actor.remote(job, make, limits)
    try:
        yield ledger
    finally:
        ray.get(ledger.close.remote())
        ray.kill(ledger)


def _taken_over(folder: RunFolder, part: Part) -> Receipt:
    """A part that an earlier start has written."""
    import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415  heavy

    turns = pq.read_metadata(folder.part(part.number)).num_rows
    return Receipt(part.number, turns=turns, bad_lines=part.rows - turns)


def _facts(job: ScoreJob, folder: RunFolder, receipts: Sequence[Receipt]) -> dict[str, Any]:
    """What run.json says, as on one machine. Of parts that were taken over the notes of mapping are not told again."""
    without: Counter[str] = sum((one.without_rules for one in receipts), Counter())
    notes = MappingNotes()
    for one in receipts:
        notes.aliases = {**one.notes.aliases, **notes.aliases}
        notes.dropped |= one.notes.dropped
        notes.unreadable += one.notes.unreadable
        notes.examples = {**one.notes.examples, **notes.examples}
    turns = sum(one.turns for one in receipts)
    bad = [line for one in receipts for line in one.bad]
    if not turns:
        raise InputError(f"no usable turn in the log{f'; the first broken line: {bad[0]}' if bad else ''}")
    return {
        "logs": [str(Path(log).absolute()) for log in job.logs],
        "counts": {
            "turns": turns,
            "bad_lines": sum(one.bad_lines for one in receipts),
            "without_rules": without.total(),
        },
        "apps_without_rules": [app for app, _ in without.most_common(20)],
        "bad_lines": bad[:_MOST_BAD_LINES],
        "mapping": {
            "aliases": notes.aliases,
            "dropped": list(notes.dropped),
            "unreadable": dict(notes.unreadable),
            "examples": notes.examples,
        },
        "calls": total_calls(folder.path / CALLS),
    }


def _plain(error: BaseException) -> BaseException:
    """stef's own error inside of ray's, where there is one."""
    for one in _inside(error):
        if isinstance(one, StefError) and type(one).__module__ == StefError.__module__:
            return one
    return StefError(f"the cluster failed: {type(error).__name__}: {(str(error).strip().splitlines() or [''])[-1]}")


def _inside(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(20):
        if error is None:
            return
        yield error
        error = getattr(error, "cause", None) or error.__cause__
