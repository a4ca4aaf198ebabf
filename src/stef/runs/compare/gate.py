"""Gates that only the user sets: what of a comparison fails them."""

from collections.abc import Iterator
from dataclasses import dataclass

from stef.runs.compare.model import Comparison, Figure, Outcome
from stef.runs.compare.words import between, counted, points


@dataclass(frozen=True, slots=True)
class Gate:
    """`on_regression`: fail where B is shown to be worse in any respect. `most`: points that B may be lower."""

    on_regression: bool = False
    most: float | None = None

    @property
    def asked(self) -> bool:
        """Whether there is a gate at all."""
        return self.on_regression or self.most is not None


def failures(gate: Gate, found: Comparison) -> list[str]:
    """Why the gate fails, in words; nothing where it passes, or where there is none.

    Missing cases, repeated ids and invalid results fail every gate: what was not measured has not passed.
    """
    if not gate.asked:
        return []
    reasons = [*_unsound(found)]
    if gate.on_regression:
        reasons += _shown_worse(found)
    if gate.most is not None:
        reasons += _too_low(found, gate.most)
    return reasons


def _unsound(found: Comparison) -> Iterator[str]:
    left_out = found.left_out
    if found.outcome is Outcome.NOTHING:
        yield "nothing could be compared"
    if found.unpaired is not None and found.outcome is not Outcome.NOTHING:
        yield f"the RUNs share {found.shared} questions only: not compared pair by pair"
    if left_out.only_a:
        noun = "case" if found.gold else "question"
        yield f"missing in B: {counted(left_out.only_a, noun)} of A's, such as {left_out.missing[0]}"
    if found.b.without_turn:
        yield f"{found.b.name}: no turn on {counted(found.b.without_turn, 'case')}"
    if left_out.without_key:
        yield f"without a key: {counted(left_out.without_key, 'turn')}"
    for side in (found.a, found.b):
        if side.repeated_ids:
            yield f"{side.name}: {counted(side.repeated_ids, 'turn')} with an id that an earlier one has"
        if side.invalid:
            yield f"{side.name}: {counted(side.invalid, 'invalid result')} (broken lines, or turns that stef failed on)"
    if left_out.moved:
        yield f"the gold of {counted(left_out.moved, 'pair')} moved between the runs"


def _shown_worse(found: Comparison) -> Iterator[str]:
    alpha = 1 - found.level
    if found.unpaired is not None:
        if found.outcome is Outcome.WORSE:
            yield f"B is worse by {points(-(found.unpaired.mean or 0.0))} points, unpaired"
        return
    for words, figure in _figures(found):
        if figure.difference.sign(alpha) < 0:
            yield f"{words} is lower by {_by(figure)}"
    flips = found.readable
    if flips is not None and flips.p <= alpha and flips.became > flips.ceased:
        yield f"{flips.became:,} queries became {flips.name}, {flips.ceased:,} ceased to be (p = {flips.p:.3g})"


def _too_low(found: Comparison, most: float) -> Iterator[str]:
    if found.unpaired is not None:
        if found.unpaired.mean is not None and found.unpaired.mean < -most:
            yield f"B is lower by {points(-found.unpaired.mean)} points, more than {most:g}"
        return
    for words, figure in _figures(found):
        mean = figure.difference.mean
        if mean is not None and mean < -most:
            yield f"{words} is lower by {_by(figure)}, more than {most:g}"


def _figures(found: Comparison) -> Iterator[tuple[str, Figure]]:
    yield found.figure, found.main
    if found.as_zero is not None:
        yield f"{found.figure} with unreadable queries as 0", found.as_zero
    if found.declined_too is not None:
        yield f"{found.figure} with declined turns as 0", found.declined_too


def _by(figure: Figure) -> str:
    difference = figure.difference
    return f"{points(-(difference.mean or 0.0))} points{between(difference.interval, turned=True)}"
