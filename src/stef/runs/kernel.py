"""The two halves of the kernel over Arrow tables, as worker processes and clusters run them.

`prepare(turns) → requests` and `finish(prepared, judgements) → assessments` are pure: they read no file and ask nobody.
"""

import pickle
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stef.errors import StefError
from stef.evaluator import Evaluator, Prepared
from stef.evaluator.packing import pack, unpack
from stef.judge.comparing import ComparingJudge
from stef.records.assessment import Assessment, Unscored
from stef.records.calibration import Calibration
from stef.records.reasons import UnscoredReason
from stef.rules import RuleBook
from stef.runs.columns import assessment_columns, schema, turn_columns
from stef.runs.judgements import from_bytes
from stef.runs.keys import JudgeKey
from stef.runs.turns import Row

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

    from stef.records.judgement import Judgement


@dataclass(frozen=True, slots=True)
class KernelSpec:
    """All that the halves depend on, to be sent to another process.

    `key`: who judges, where that takes calls. `readings`: the judge may look at what was read (see `pack`).
    """

    book: RuleBook
    dialect: str | None = None
    calibration: Calibration | None = None
    key: JudgeKey | None = None
    readings: bool = False

    @classmethod
    def of(cls, evaluator: Evaluator) -> "KernelSpec":
        """That of `evaluator`, for another process to open."""
        key = None if evaluator.answers_at_once else JudgeKey.of(evaluator.judge)
        # stef's own judges look at what their prompts show; another's may look at everything.
        readings = not isinstance(evaluator.judge, ComparingJudge)
        return cls(evaluator.book, evaluator.dialect, evaluator.calibration, key, readings)

    def open(self) -> "Kernel":
        """The kernel of it. Raises as `Evaluator` does."""
        return Kernel(Evaluator(self.book, dialect=self.dialect, calibration=self.calibration), self.key, self.readings)


class Kernel:
    """The halves for one evaluator."""

    def __init__(self, evaluator: Evaluator, key: JudgeKey | None = None, readings: bool = False) -> None:
        self.evaluator = evaluator
        self._key = key
        self._readings = readings

    def score(self, turns: "pa.Table") -> "pa.Table":
        """Both halves, with a judge that answers at once: the columns of a RUN, one row a turn."""
        return table_of(self.scored(row) for row in rows_of(turns))

    def prepare(self, turns: "pa.Table") -> "pa.Table":
        """The first half: `row`, `place`, `key` (NULL where there is nothing to judge), and `prepared`, in bytes."""
        import pyarrow as pa  # noqa: PLC0415  heavy

        rows = list(rows_of(turns))
        prepared = [self.prepared(row) for row in rows]
        return pa.table(
            {
                "row": pa.array([row.row for row in rows], pa.int64()),
                "place": pa.array([row.place for row in rows], pa.string()),
                "key": pa.array([self.key(one) for one in prepared], pa.binary()),
                "prepared": pa.array([pack(one, readings=self._readings) for one in prepared], pa.binary()),
            }
        )

    def finish(self, prepared: "pa.Table", judgements: "pa.Table") -> "pa.Table":
        """The second half: the columns of a RUN. `judgements` has a column `judgement`, row for row with `prepared`."""
        found = zip(*(prepared[name].to_pylist() for name in ("row", "place", "prepared")), strict=True)
        judged = judgements["judgement"].to_pylist()
        return table_of(
            self.finished(Row(row, place, one.turn), one, text)
            for (row, place, one), text in zip(self._unpacked(found), judged, strict=True)
        )

    def scored(self, row: Row) -> dict[str, Any]:
        """The columns of one turn, judged at once. A bug costs the turn its score, and not the run."""

        def all_of_it() -> Assessment:
            prepared = self.evaluator.prepare_turn(row.turn)
            return self.evaluator.finish_one(prepared, self.evaluator.judge_now((prepared,))[0])

        return columns_of(row, _watched(all_of_it, row))

    def prepared(self, row: Row) -> Prepared:
        """One turn, prepared. A bug makes it a harness fault."""
        try:
            return self.evaluator.prepare_turn(row.turn)
        except StefError:
            raise
        except Exception as error:  # a bug must cost one turn, counted as stef's own, and not the run
            return self.lost(row, bug(error))

    def lost(self, row: Row, detail: str) -> Prepared:
        """A turn that stef itself could not prepare."""
        unscored = Unscored(UnscoredReason.HARNESS_FAULT, detail)
        return Prepared(row.turn, self.evaluator.application(row.turn), unscored=unscored)

    def key(self, prepared: Prepared) -> bytes | None:
        """What the judgement of a prepared turn is known by; None where there is nothing to judge."""
        return None if prepared.request is None or self._key is None else self._key.key(prepared.request)

    def finished(self, row: Row, prepared: Prepared, judged: bytes | None) -> dict[str, Any]:
        """The columns of one turn. `judged` is what `to_bytes` gave."""

        def compose() -> Assessment:
            judgement: Judgement | Unscored | None = None if judged is None else from_bytes(judged)
            return self.evaluator.finish_one(prepared, judgement)

        return columns_of(row, _watched(compose, row))

    def _unpacked(self, found: Iterable[tuple[int, str, bytes]]) -> Iterable[tuple[int, str, Prepared]]:
        return ((row, place, unpack(packed, self.evaluator)) for row, place, packed in found)


def turns_table(rows: Sequence[Row]) -> "pa.Table":
    """Turns as the halves take them: `row`, `place`, `turn` (in bytes, for stef's own processes)."""
    import pyarrow as pa  # noqa: PLC0415  heavy

    return pa.table(
        {
            "row": pa.array([row.row for row in rows], pa.int64()),
            "place": pa.array([row.place for row in rows], pa.string()),
            "turn": pa.array([pickle.dumps(row.turn, pickle.HIGHEST_PROTOCOL) for row in rows], pa.binary()),
        }
    )


def rows_of(turns: "pa.Table") -> Iterable[Row]:
    """The turns of a table that `turns_table` made."""
    for row, place, turn in zip(*(turns[name].to_pylist() for name in ("row", "place", "turn")), strict=True):
        yield Row(row, place, pickle.loads(turn))  # noqa: S301  from stef's own process


def columns_of(row: Row, assessment: Assessment) -> dict[str, Any]:
    """All columns of one turn."""
    return {**turn_columns(row.row, row.place, row.turn), **assessment_columns(assessment)}


def table_of(columns: Iterable[dict[str, Any]]) -> "pa.Table":
    """Rows of columns by name as a table of a RUN; what a row lacks is NULL."""
    import pyarrow as pa  # noqa: PLC0415  heavy

    return pa.Table.from_pylist(list(columns), schema=schema())


def bug(error: Exception) -> str:
    """A bug in the words of a reason."""
    return f"a bug in stef: {type(error).__name__}: {error}"


def _watched(work: Callable[[], Assessment], row: Row) -> Assessment:
    try:
        return work()
    except StefError:
        raise
    except Exception as error:  # as in `prepared`
        turn = row.turn
        reason = Unscored(UnscoredReason.HARNESS_FAULT, bug(error))
        return Assessment(turn.question, turn.enriched_question, turn.sql or "", None, reason)
