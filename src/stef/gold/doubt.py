"""The cheap checks of a gold before anything is measured against it: it runs, answers, and answers as it once did."""

from collections.abc import Iterable, Sequence
from typing import Any

from stef.gold.fingerprint import fingerprint
from stef.gold.near import near
from stef.gold.values import canonical, canonical_value
from stef.records.case import Case, RecordedAnswer, Tolerance
from stef.records.gold import CaseFault, Doubt, GoldState, Whose
from stef.records.result import Executed, Failure, FailureKind, Result

_DOWN = frozenset({FailureKind.DATABASE_DOWN})
_SHOWN = 60


def gold_states(case: Case, executed: Sequence[Executed]) -> tuple[GoldState, ...]:
    """What became of each acceptable gold of the case, in their order."""
    states = [_state(case, one) for one in executed]
    recorded = case.recorded_answer
    if recorded is None:
        return tuple(states)
    moves = [None if isinstance(one, Failure) else moved(case, recorded, one) for one in executed]
    if any(move is None and state.failure is None for move, state in zip(moves, states, strict=True)):
        # One answer is recorded: the golds that give another one are acceptable beside it.
        return tuple(states)
    return tuple(
        state if move is None else _doubted(state, Doubt.MOVED, move) for state, move in zip(states, moves, strict=True)
    )


def _state(case: Case, executed: Executed) -> GoldState:
    if isinstance(executed, Failure):
        whose = Whose.DATABASE if executed.kind in _DOWN else Whose.GOLD
        return GoldState(failure=CaseFault(whose, executed.kind.value, executed.message), seconds=executed.seconds)
    state = GoldState(fingerprint(executed), executed.rows, seconds=executed.seconds)
    if executed.rows == 0 and not case.expect_empty:
        return _doubted(state, Doubt.EMPTY, "returns no row, and the case does not say expect_empty")
    return state


def _doubted(state: GoldState, doubt: Doubt, detail: str) -> GoldState:
    words = f"{state.detail}; {detail}" if state.detail else detail
    return GoldState(state.fingerprint, state.rows, (*state.doubts, doubt), words, state.failure, state.seconds)


def moved(case: Case, recorded: RecordedAnswer, result: Result) -> str | None:
    """What the answer was and is now, where it is not the recorded one; None where it still is."""
    if recorded.rows is not None and recorded.rows != result.rows:
        return f"{recorded.rows} rows were recorded, now there are {result.rows}"
    if "value" in recorded.model_fields_set and recorded.value is not None:
        return _other_value(recorded.value, result, case.tolerance)
    if recorded.ids is not None:
        return _other_ids(case, recorded.ids, result)
    return None


def _other_value(value: Any, result: Result, tolerance: Tolerance) -> str | None:
    now = next(iter(result.columns[0]), None) if result.rows == 1 and len(result.columns) == 1 else None
    if result.rows != 1 or len(result.columns) != 1:
        return f"{_brief(value)} was recorded, now there are {result.rows} rows of {len(result.columns)} columns"
    if _same(value, now, tolerance):
        return None
    return f"{_brief(value)} was recorded, now it is {_brief(now)}"


def _same(value: Any, now: Any, tolerance: Tolerance) -> bool:
    if canonical_value(value) == canonical_value(now) or near(canonical_value(value), canonical_value(now), tolerance):
        return True
    # A file of cases has neither dates nor decimals: there they are text.
    return isinstance(value, str) and str(now) == value


def _other_ids(case: Case, ids: Iterable[Any], result: Result) -> str | None:
    before = {str(canonical_value(one)) for one in ids}
    best: str | None = None
    for column in _id_columns(case, result):
        now = {str(one) for one in canonical(column)}
        if now == before:
            return None
        gone, new = sorted(before - now), sorted(now - before)
        best = (
            best or f"of the {len(before)} ids recorded {len(gone)} are gone and {len(new)} are new{_some(new, gone)}"
        )
    return best or "ids were recorded, now there is no column"


def _id_columns(case: Case, result: Result) -> Sequence[Sequence[Any]]:
    wanted = (case.compare_on or "").partition(":")[2].strip().casefold()
    named = [column for name, column in zip(result.names, result.columns, strict=True) if name.casefold() == wanted]
    return named or result.columns


def _some(new: Sequence[str], gone: Sequence[str]) -> str:
    example = (new or gone)[:1]
    return f", such as {_brief(example[0])}" if example else ""


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
