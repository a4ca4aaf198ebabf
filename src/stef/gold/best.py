"""A turn against each acceptable gold, and which of them counts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stef.gold.exact import Order
from stef.gold.output import compare_results
from stef.gold.shapes import Known, answer
from stef.gold.sides import Ran
from stef.gold.watch import Watch
from stef.records.case import Case
from stef.records.gold import Answer, Output
from stef.records.result import Failure, Result
from stef.sql.resolve import Kind, Resolved, matched


@dataclass(frozen=True, slots=True)
class Compared:
    """A turn against one gold, the `index`th of its case."""

    index: int
    gold: Ran
    output: Output | None
    answer: Answer | None


def compare_with(case: Case, gold: Ran, index: int, candidate: Ran, watch: Watch) -> Compared:
    """The output family and the answer of one turn against one gold, which ran; None of what `watch` saw fail."""
    wanted, given = gold.executed, candidate.executed
    if isinstance(wanted, Failure):
        raise ValueError("a gold that failed cannot be compared with")
    known = known_of(gold, wanted, candidate)
    output = watch.over(
        "output",
        lambda: compare_results(
            wanted,
            given,
            reference_origins=known.origins,
            candidate_origins=known.candidate_origins,
            ordered=known.order or False,
            tolerance=case.tolerance,
        ),
    )
    return Compared(index, gold, output, watch.over("answer", lambda: answer(wanted, given, case, known)))


def known_of(gold: Ran, wanted: Result, candidate: Ran) -> Known:
    """What is known of the results of a gold, which gave `wanted`, and of a candidate beside their values."""
    reference, done = gold.resolved, candidate.resolved
    if reference is not None and done is not None:
        done = matched(reference, done)
    known = replace(_known(reference, done), ranked=gold.ranked)
    return _same_query(known, len(wanted.names)) if gold.sql == candidate.sql else known


def _same_query(known: Known, width: int) -> Known:
    """The same text gives the same columns, also where it cannot be read: gold against gold is never less than 1."""
    same = tuple(range(width))
    return replace(known, origins=same, candidate_origins=same)


def _known(reference: Resolved | None, candidate: Resolved | None) -> Known:
    """What the two queries say of their results."""
    if reference is None:
        return Known(candidate_origins=candidate.origins if candidate else ())
    order = Order(reference.order_columns if reference.order_shown else None) if reference.ordered else None
    return Known(
        origins=reference.origins,
        candidate_origins=candidate.origins if candidate else (),
        order=order,
        keys=tuple(place for place, kind in enumerate(reference.kinds) if kind is Kind.KEY),
    )


def best_of(compared: Sequence[Compared]) -> Compared | None:
    """The one that counts, for every family.

    A gold whose answer was given comes before one that was missed; then the highest mean of the four output numbers
    (undefined ones aside), then the first.
    """
    return max(compared, key=lambda one: (_is_right(one), _mean(one.output), -one.index), default=None)


def _is_right(compared: Compared) -> bool:
    return compared.answer is not None and compared.answer.correct is True


def _mean(output: Output | None) -> float:
    if output is None:
        return -1.0
    four = (output.columns.precision, output.columns.recall, output.cells.precision, output.cells.recall)
    defined = [number for number in four if number is not None]
    return sum(defined) / len(defined) if defined else -1.0
