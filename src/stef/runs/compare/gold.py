"""The comparison of gold runs: cases right and wrong, then the families, each with its n."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stef.records.gold import Ceiling
from stef.runs.compare.changes import gold_changes
from stef.runs.compare.comparable import NotComparableError
from stef.runs.compare.figures import corrected, figure, flip, slice_figures
from stef.runs.compare.model import Comparison
from stef.runs.compare.options import CompareOptions
from stef.runs.compare.pairs import Half, Paired, Pairs
from stef.runs.compare.rows import CORRECT, FIGURES
from stef.runs.compare.scores import moved, outcome_of, planning_of
from stef.runs.compare.sides import Side, Sides
from stef.runs.numbering import Numbers, Truths, Whole
from stef.runs.state import State

_OF_GOLDS = frozenset({Ceiling.GOLD_FAILED, Ceiling.GOLD_IN_DOUBT, Ceiling.GOLD_CUT, Ceiling.NO_SCHEMA})
"""Ceilings that are the gold's, whoever answers; the others depend on the answer."""

_FEWEST_MOVED_NAMED = 10
_YES = 50.0


def compare_golds(
    base: Comparison, sides: Sides, paired: Paired, names: Sequence[str], options: CompareOptions
) -> Comparison:
    """`base` with everything that the pairs say. Raises NotComparableError where one side may know the golds."""
    drawing, every = options.drawing, paired.pairs
    remarks = [*base.remarks, *_leave_one_out(sides, anyway=options.anyway)]
    gone = _moved(every)
    questions = sides.a.turns.known.questions.all()
    cases = tuple(sorted({questions[number] for number in every.cluster[gone]}))
    pairs = every.where(~gone)
    if cases:
        remarks.insert(0, _moved_in_words(cases))
    decided = pairs.in_states({State.SCORED})
    main = figure(CORRECT, decided, drawing)
    left_out = _retrieval_left_out(sides)
    if left_out:
        remarks.append("One side alone has a retriever: the retrieval family is left out")
    found = [figure(n, pairs, drawing) for n in FIGURES if not (left_out and n.startswith("retrieval"))]
    executable = flip("not executable", pairs, _lower(pairs, "executable"), drawing)
    slices, small = slice_figures(decided, names, CORRECT, drawing)
    regressions, improvements = gold_changes(decided, sides)
    alike = decided.where(decided.same_sql)
    return replace(
        base,
        outcome=outcome_of(main, None, None, options.alpha),
        remarks=tuple(remarks),
        main=main,
        others=corrected([one for one in found if one.difference.pairs]),
        readable=executable,
        planning=planning_of(main, options),
        slices=slices,
        small_slices=small,
        regressions=regressions.named,
        improvements=improvements.named,
        regressed=regressions.total,
        improved=improvements.total,
        left_out=replace(base.left_out, unknown=len(pairs) - len(decided), moved=int(gone.sum()), moved_cases=cases),
        same_sql=len(alike),
        same_sql_moved=moved(alike, CORRECT),
    )


def _moved(pairs: Pairs) -> Truths:
    """Whether a gold's answer, or what limits it, is not the same on both sides."""
    golds = Numbers()
    a, b = (_golds_of(half, golds)[pairs.chosen] for half in (pairs.a, pairs.b))
    return np.asarray(a != b)


def _golds_of(half: Half, golds: Numbers) -> Whole:
    """Of each pair the number of what the golds of its turns are."""
    columns = (half.turns.known.of_each(name) for name in ("gold_fingerprints", "ceilings", "held_out"))
    told = [
        golds.of((prints or (), frozenset(ceilings or ()) & _OF_GOLDS, bool(held_out)))
        for prints, ceilings, held_out in zip(*columns, strict=True)
    ]
    codes = np.array(told, dtype=np.int64)[half.turns.fact]
    found, high = half.reduced(np.minimum, codes), half.reduced(np.maximum, codes)
    for pair in np.flatnonzero(found != high):
        found[pair] = golds.of(frozenset(codes[half.members(int(pair))].tolist()))
    return found


def _moved_in_words(cases: Sequence[str]) -> str:
    named = ", ".join(cases[:_FEWEST_MOVED_NAMED]) + (", …" if len(cases) > _FEWEST_MOVED_NAMED else "")
    return (
        f"The gold moved between the runs: of {len(cases)} case{'s' if len(cases) != 1 else ''} its answer, or what "
        f"limits it, is another ({named}). They are left out of every figure"
    )


def _lower(pairs: Pairs, figure: str) -> tuple[Truths, Truths]:
    """Of both halves whether the figure says no more often than yes; undefined is neither."""
    a, b = pairs.values(figure)
    return np.asarray(a < _YES), np.asarray(b < _YES)


def _leave_one_out(sides: Sides, *, anyway: bool) -> tuple[str, ...]:
    """A remark where only one side could be kept from examples that hold the answer."""
    open_a, open_b = _may_know(sides.a), _may_know(sides.b)
    if open_a == open_b:
        return ()
    side = sides.a if open_a else sides.b
    text = f"{side.name} alone could not be kept from examples that hold the answer (leave_one_out_not_in_force)"
    if not anyway:
        raise NotComparableError(f"not comparable: {text}. Look all the same with --anyway")
    return (f"Not comparable, and shown only because of --anyway: {text}",)


def _may_know(side: Side) -> bool:
    named = set(side.run.about.get("ceilings", {}).get(Ceiling.LEAVE_ONE_OUT_NOT_IN_FORCE.value) or ())
    agents = side.turns.known.of_each("agent")
    return bool(named & {agents[number] for number in np.unique(side.turns.fact)})


def _retrieval_left_out(sides: Sides) -> bool:
    without = [bool(side.run.about.get("ceilings", {}).get(Ceiling.NO_RETRIEVER.value)) for side in (sides.a, sides.b)]
    return without[0] != without[1]
