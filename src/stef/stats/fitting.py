"""Fitting a monotone map from a judge's probability to how often it is right."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log

from stef.records.calibration import Isotonic, Platt, logistic, logit
from stef.stats.cells import Cells, Judged, cells_of
from stef.stats.reliability import calibration_error, error_by_chance

ENOUGH_FOR_ISOTONIC = 2_000
"""Labels from which the isotonic map is fitted; below it has too many freedoms, and Platt's two do better."""

FOLDS = 5
_STEPS = 100
_STILL = 1e-10


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """Calibration errors before and after, on turns that the map of their fold had not seen."""

    before: float
    after: float
    by_chance: float


def fit(judged: Sequence[Judged]) -> Isotonic | Platt:
    """The isotonic map where there are `ENOUGH_FOR_ISOTONIC` labels, else Platt's."""
    cells = cells_of(judged)
    return isotonic(cells) if len(judged) >= ENOUGH_FOR_ISOTONIC else platt(cells)


def isotonic(cells: Cells) -> Isotonic:
    """The monotone map nearest to the labels, by pooling adjacent violators; lines join the middles of its blocks.

    (Centred isotonic regression, Oron & Flournoy 2017: it keeps the order of what lies in one block.) No probability
    is nearer to 0 or 1 than 1 / (n + 2), what n labels without a single exception would allow.
    """
    blocks: list[tuple[float, int, int]] = []
    for value, right, wrong in zip(cells.values, cells.right, cells.wrong, strict=True):
        block = (value * (right + wrong), right, right + wrong)
        # right / turns of the last block against this one's, without a division
        while blocks and blocks[-1][1] * block[2] >= block[1] * blocks[-1][2]:
            last = blocks.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        blocks.append(block)
    margin = 1.0 / (sum(turns for _, _, turns in blocks) + 2)
    knots = [(total / turns, min(max(right / turns, margin), 1.0 - margin)) for total, right, turns in blocks]
    return Isotonic(knots=tuple(knots))


def platt(cells: Cells) -> Platt:
    """Platt's map with his targets (Platt 1999): a logistic curve over the judge's log-odds, by Newton's method.

    A slope below 0 (a judge that ranks backwards) is no monotone map: the slope is 0 then, and all turns get one value.
    """
    xs = [logit(value) for value in cells.values]
    rights, wrongs = sum(cells.right), sum(cells.wrong)
    high, low = (rights + 1) / (rights + 2), 1 / (wrongs + 2)
    turns = [right + wrong for right, wrong in zip(cells.right, cells.wrong, strict=True)]
    aims = [right * high + wrong * low for right, wrong in zip(cells.right, cells.wrong, strict=True)]
    slope, intercept = _newton(xs, turns, aims)
    if slope < 0.0:
        share = sum(aims) / sum(turns)
        return Platt(slope=0.0, intercept=log(share / (1.0 - share)))
    return Platt(slope=slope, intercept=intercept)


def _newton(xs: Sequence[float], turns: Sequence[int], aims: Sequence[float]) -> tuple[float, float]:
    """Slope and intercept of least cross-entropy; steps are halved until they do not make it worse."""
    slope, intercept = 0.0, 0.0
    loss = _loss(xs, turns, aims, slope, intercept)
    for _ in range(_STEPS):
        da = db = haa = hab = hbb = 0.0
        for x, n, aim in zip(xs, turns, aims, strict=True):
            p = logistic(slope * x + intercept)
            gap, weight = n * p - aim, n * p * (1.0 - p)
            da, db = da + gap * x, db + gap
            haa, hab, hbb = haa + weight * x * x, hab + weight * x, hbb + weight
        haa, hbb = haa + _STILL, hbb + _STILL  # a single value has no slope of its own
        determinant = haa * hbb - hab * hab
        step_a, step_b = (hbb * da - hab * db) / determinant, (haa * db - hab * da) / determinant
        size = 1.0
        while size > _STILL:
            new = slope - size * step_a, intercept - size * step_b
            new_loss = _loss(xs, turns, aims, *new)
            if new_loss <= loss:
                break
            size /= 2
        else:
            break
        (slope, intercept), gained, loss = new, loss - new_loss, new_loss
        if gained < _STILL:
            break
    return slope, intercept


def _loss(xs: Sequence[float], turns: Sequence[int], aims: Sequence[float], slope: float, intercept: float) -> float:
    total = 0.0
    for x, n, aim in zip(xs, turns, aims, strict=True):
        z = slope * x + intercept
        # n × log(1 + e^z) − aim × z, without overflow
        total += n * (max(z, 0.0) + log(1.0 + exp(-abs(z)))) - aim * z
    return total


def cross_validated(
    judged: Sequence[Judged], fitted: Callable[[Sequence[Judged]], Isotonic | Platt]
) -> CrossValidated | None:
    """What `fitted` is worth on turns it has not seen: turns of one question are all in one of five folds.

    None where all turns are of one fold, or some fold leaves labels of one kind only.
    """
    folds: list[list[Judged]] = [[] for _ in range(FOLDS)]
    for one in judged:
        folds[_fold(one.question)].append(one)
    after: list[Judged] = []
    for number, held_out in enumerate(folds):
        seen = [one for other, fold in enumerate(folds) if other != number for one in fold]
        if len({one.correct for one in seen}) < 2:
            return None
        if held_out:
            map_ = fitted(seen)
            after += [Judged(map_(one.value), one.correct, one.question) for one in held_out]
    cells = cells_of(after)
    before, error, by_chance = calibration_error(cells_of(judged)), calibration_error(cells), error_by_chance(cells)
    if before is None or error is None or by_chance is None:
        return None
    return CrossValidated(before, error, by_chance)


def _fold(question: str) -> int:
    """By the question's own text, so that neither order nor other turns move it."""
    return int.from_bytes(hashlib.sha256(question.encode("utf-8", "replace")).digest()[:4]) % FOLDS
