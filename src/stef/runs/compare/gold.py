"""The comparison of gold runs: cases right and wrong, then the families, each with its n."""

from collections.abc import Sequence
from dataclasses import replace

from stef.records.gold import Ceiling
from stef.runs.compare.changes import gold_changes, same_sql
from stef.runs.compare.comparable import NotComparableError
from stef.runs.compare.figures import corrected, figure, flip, plain, slice_figures
from stef.runs.compare.model import Comparison, LeftOut
from stef.runs.compare.options import CompareOptions
from stef.runs.compare.pairs import Half, Pair, Paired
from stef.runs.compare.rows import CORRECT, FIGURES
from stef.runs.compare.scores import outcome_of, planning_of
from stef.runs.compare.sides import Side, Sides
from stef.runs.state import State

_OF_GOLDS = frozenset({Ceiling.GOLD_FAILED, Ceiling.GOLD_IN_DOUBT, Ceiling.GOLD_CUT, Ceiling.NO_SCHEMA})
"""Ceilings that are the gold's, whoever answers; the others depend on the answer."""

_FEWEST_MOVED_NAMED = 10
_YES = 50.0


def compare_golds(
    base: Comparison, sides: Sides, paired: Paired, names: Sequence[str], options: CompareOptions
) -> Comparison:
    """`base` with everything that the pairs say. Raises NotComparableError where one side may know the golds."""
    drawing = options.drawing
    remarks = [*base.remarks, *_leave_one_out(sides, anyway=options.anyway)]
    moved = [pair for pair in paired.pairs if _moved(pair)]
    gone = set(map(id, moved))
    pairs = [pair for pair in paired.pairs if id(pair) not in gone]
    cases = tuple(sorted({pair.cluster for pair in moved}))
    if moved:
        remarks.insert(0, _moved_in_words(cases))
    decided = [pair for pair in pairs if pair.a.state is pair.b.state is State.SCORED]
    main = figure(CORRECT, decided, plain(CORRECT), drawing)
    left_out = _retrieval_left_out(sides)
    if left_out:
        remarks.append("One side alone has a retriever: the retrieval family is left out")
    found = [figure(n, pairs, plain(n), drawing) for n in FIGURES if not (left_out and n.startswith("retrieval"))]
    executable = flip("not executable", pairs, _not_executable, drawing)
    slices, small = slice_figures(decided, names, CORRECT, drawing)
    regressions, improvements = gold_changes(decided)
    alike = [pair for pair in decided if same_sql(pair)]
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
        regressions=regressions,
        improvements=improvements,
        left_out=_left_out(base, pairs, decided, cases, len(moved)),
        same_sql=len(alike),
        same_sql_moved=sum(1 for pair in alike if pair.difference(CORRECT)),
    )


def _left_out(
    base: Comparison, pairs: Sequence[Pair], decided: Sequence[Pair], cases: tuple[str, ...], moved: int
) -> LeftOut:
    return replace(base.left_out, unknown=len(pairs) - len(decided), moved=moved, moved_cases=cases)


def _moved(pair: Pair) -> bool:
    """Whether a gold's answer, or what limits it, is not the same on both sides."""
    return _gold_of(pair.a) != _gold_of(pair.b)


def _gold_of(half: Half) -> set[tuple[tuple[str | None, ...], frozenset[str], bool]]:
    return {
        (
            tuple(turn.facts["gold_fingerprints"] or ()),
            frozenset(turn.facts["ceilings"] or ()) & _OF_GOLDS,
            bool(turn.facts["held_out"]),
        )
        for turn in half.turns
    }


def _moved_in_words(cases: Sequence[str]) -> str:
    named = ", ".join(cases[:_FEWEST_MOVED_NAMED]) + (", …" if len(cases) > _FEWEST_MOVED_NAMED else "")
    return (
        f"The gold moved between the runs: of {len(cases)} case{'s' if len(cases) != 1 else ''} its answer, or what "
        f"limits it, is another ({named}). They are left out of every figure"
    )


def _not_executable(half: Half) -> bool:
    value = half.value("executable")
    return value is not None and value < _YES


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
    return bool(named & {turn.facts["agent"] for turn in side.turns})


def _retrieval_left_out(sides: Sides) -> bool:
    without = [bool(side.run.about.get("ceilings", {}).get(Ceiling.NO_RETRIEVER.value)) for side in (sides.a, sides.b)]
    return without[0] != without[1]
