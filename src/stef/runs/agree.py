"""A labelled RUN → how far its scores agree with the labels, as a whole and slice by slice."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from stef.runs.labelled import LabelledTurn, sliced
from stef.stats.agreement import Agreement, Estimate, agreement, ranking
from stef.stats.bootstrap import Resampling
from stef.stats.cells import Judged, cells_of, merged
from stef.stats.figures import roc

MOST_SLICES = 30
MOST_DISAGREEMENTS = 20
_SLICE_GRAIN = 100
_SLICE_RESAMPLES = 400
_ROC_POINTS = 300


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Labelled turns without a score, for one reason: how many of them are right and wrong by their labels."""

    reason: str
    right: int
    wrong: int


@dataclass(frozen=True, slots=True)
class Slice:
    """The turns that have one `value` of `by`; `turns` have a label, of which `unscored` no score."""

    by: str
    value: str
    turns: int
    unscored: int
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class RunAgreement:
    """Everything that labels say of a RUN. `by_score`: the AUC where turns are ranked by the coarser score Φ.

    `more_slices` counts, for each name, the smaller slices that were left out. `disagreements` are the turns on which
    the judge was surest and the label says otherwise, surest first.
    """

    overall: Agreement
    by_score: Estimate
    roc: tuple[tuple[float, float], ...]
    left_out: tuple[LeftOut, ...]
    slices: tuple[Slice, ...]
    more_slices: Mapping[str, int]
    disagreements: tuple[LabelledTurn, ...]


def agree(turns: Sequence[LabelledTurn], by: Sequence[str], threshold: float, resampling: Resampling) -> RunAgreement:
    """How far `turns` agree with their labels; `by` names the slices."""
    judged = _judged(turns)
    coarse, _ = merged(cells_of(judged), _ROC_POINTS, threshold) if judged else (cells_of(judged), {})
    few = replace(resampling, resamples=min(resampling.resamples, _SLICE_RESAMPLES))
    slices, more = _slices(turns, by, threshold, few)
    return RunAgreement(
        overall=agreement(judged, threshold, resampling),
        by_score=ranking([Judged(t.score, t.correct, t.question) for t in turns if t.score is not None], resampling),
        roc=roc(coarse),
        left_out=_left_out(turns),
        slices=slices,
        more_slices=more,
        disagreements=_disagreements(turns, threshold),
    )


def _judged(turns: Sequence[LabelledTurn]) -> list[Judged]:
    return [Judged(turn.p_correct, turn.correct, turn.question) for turn in turns if turn.p_correct is not None]


def _slices(
    turns: Sequence[LabelledTurn], by: Sequence[str], threshold: float, resampling: Resampling
) -> tuple[tuple[Slice, ...], dict[str, int]]:
    slices: list[Slice] = []
    more: dict[str, int] = {}
    for name in by:
        groups = sliced(turns, name)
        for value, members in list(groups.items())[:MOST_SLICES]:
            judged = _judged(members)
            figures = agreement(judged, threshold, resampling, _SLICE_GRAIN)
            slices.append(Slice(name, value, len(members), len(members) - len(judged), figures))
        if len(groups) > MOST_SLICES:
            more[name] = len(groups) - MOST_SLICES
    return tuple(slices), more


def _left_out(turns: Sequence[LabelledTurn]) -> tuple[LeftOut, ...]:
    counted = Counter((turn.reason or "unknown", turn.correct) for turn in turns if turn.p_correct is None)
    reasons = Counter(turn.reason or "unknown" for turn in turns if turn.p_correct is None)
    return tuple(LeftOut(reason, counted[reason, True], counted[reason, False]) for reason, _ in reasons.most_common())


def _disagreements(turns: Sequence[LabelledTurn], threshold: float) -> tuple[LabelledTurn, ...]:
    apart = [
        (abs(turn.p_correct - turn.correct), turn)
        for turn in turns
        if turn.p_correct is not None and (turn.p_correct >= threshold) != turn.correct
    ]
    apart.sort(key=lambda pair: (-pair[0], pair[1].row))
    return tuple(turn for _, turn in apart[:MOST_DISAGREEMENTS])
