"""A turn against each acceptable gold, and which of them counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from stef.gold.output import compare_results
from stef.gold.shapes import answer
from stef.gold.sides import Ran
from stef.records.case import Case
from stef.records.gold import Answer, Output
from stef.records.result import Failure


@dataclass(frozen=True, slots=True)
class Compared:
    """A turn against one gold, the `index`th of its case."""

    index: int
    gold: Ran
    output: Output
    answer: Answer


def compare_with(case: Case, gold: Ran, index: int, candidate: Ran) -> Compared:
    """The output family and the answer of one turn against one gold, which ran."""
    if isinstance(gold.executed, Failure):
        raise ValueError("a gold that failed cannot be compared with")
    reference, done = gold.resolved, candidate.resolved
    output = compare_results(
        gold.executed,
        candidate.executed,
        reference_origins=reference.origins if reference else None,
        candidate_origins=done.origins if done else None,
        ordered=bool(reference and reference.ordered),
        tolerance=case.tolerance,
    )
    return Compared(index, gold, output, answer(gold.executed, candidate.executed, case))


def best_of(compared: Sequence[Compared]) -> Compared | None:
    """The one that counts, for every family.

    A gold whose answer was given comes before one that was missed; then the highest mean of the four output numbers
    (undefined ones aside), then the first.
    """
    return max(compared, key=lambda one: (one.answer.correct is True, _mean(one.output), -one.index), default=None)


def _mean(output: Output) -> float:
    four = (output.columns.precision, output.columns.recall, output.cells.precision, output.cells.recall)
    defined = [number for number in four if number is not None]
    return sum(defined) / len(defined) if defined else -1.0
