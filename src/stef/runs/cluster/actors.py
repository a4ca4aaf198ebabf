"""The actors that run the halves of the kernel over whole parts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from stef.runs.cluster.receipts import Receipt
from stef.runs.cluster.stage import Stage
from stef.runs.folder import RunFolder
from stef.runs.kernel import Kernel, KernelSpec, turns_table
from stef.runs.mapping import FieldMap
from stef.runs.pieces import Part, records_of
from stef.runs.records import BadLine
from stef.runs.turns import Mapper, Row
from stef.runs.usable import check_same_turns
from stef.runs.worker import from_ipc, to_ipc

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]


@dataclass(frozen=True, slots=True)
class PartWork:
    """All that work on a part depends on. `chosen` says of a turn whether it is scored."""

    spec: KernelSpec
    fields: FieldMap
    out: Path
    chosen: Callable[[Row], bool]


class PartFolder(RunFolder):
    """The parts of a RUN that the driver has made and holds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.parts = path / self.PARTS


class _Half(Stage):
    """What the actors that run a half have: the kernel, and where parts go."""

    def __init__(self, work: PartWork) -> None:
        self._work = work
        self._folder = PartFolder(work.out)

    @cached_property
    def kernel(self) -> Kernel:
        """The kernel, opened with the first part."""
        return self._work.spec.open()

    def rows_of(self, part: Part, receipt: Receipt) -> list[Row]:
        """The turns of a part, all of it told on the receipt; none where the RUN holds the part already.

        Raises RunExistsError where it holds it with other turns.
        """
        mapper = Mapper(self._work.fields)
        rows: list[Row] = []
        # Not `Mapper.rows`: a log is probed at its beginning, and a part of it may hold broken lines alone.
        for item in map(mapper.row, records_of(part)):
            if isinstance(item, BadLine):
                receipt.add_bad(item)
            elif self._work.chosen(item):
                rows.append(item)
                if not self.kernel.evaluator.book.knows(item.turn.app):
                    receipt.without_rules[item.turn.app or "(none)"] += 1
            else:
                receipt.left_out += 1
        receipt.turns, receipt.notes = len(rows), mapper.notes
        receipt.resumed = self._folder.part(part.number).exists()
        if receipt.resumed:
            check_same_turns(self._folder, part.number, rows)
        return [] if receipt.resumed else rows

    def write(self, receipt: Receipt, table: "pa.Table") -> None:
        """Write a part."""
        self._folder.write_table(receipt.part, table)
        receipt.reasons.update(one for one in table["unscored_reason"].to_pylist() if one is not None)


class Scoring(_Half):
    """Both halves, with a judge that answers at once."""

    def step(self, receipt: Receipt, held: Part) -> None:
        """A part → its file."""
        rows = self.rows_of(held, receipt)
        if rows:
            self.write(receipt, self.kernel.score(turns_table(rows)))


class Preparing(_Half):
    """The first half."""

    def step(self, receipt: Receipt, held: Part) -> bytes | None:
        """A part → what `prepare` gives."""
        rows = self.rows_of(held, receipt)
        return to_ipc(self.kernel.prepare(turns_table(rows))) if rows else None


class Finishing(_Half):
    """The second half."""

    def step(self, receipt: Receipt, held: tuple[bytes, bytes]) -> None:
        """What `prepare` gave, with its judgements → the file of a part."""
        prepared, judgements = map(from_ipc, held)
        self.write(receipt, self.kernel.finish(prepared, judgements))
