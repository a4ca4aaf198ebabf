"""RUNs → Comparison."""

from collections.abc import Sequence
from dataclasses import replace
from math import fsum

import numpy as np

from stef.errors import UserError
from stef.runs.compare.comparable import refuse_unusable, yardsticks
from stef.runs.compare.figures import figure
from stef.runs.compare.gold import compare_golds
from stef.runs.compare.model import Comparison, LeftOut, Outcome, Planning, SideFacts
from stef.runs.compare.options import CompareOptions
from stef.runs.compare.pairs import Paired, pair_up
from stef.runs.compare.rows import CORRECT, OUTCOMES, SCORE
from stef.runs.compare.scores import compare_scores, moved
from stef.runs.compare.sides import Side, Sides, sides_of
from stef.runs.compare.turns import Turns
from stef.runs.compare.unpaired import STRATA, compare_unpaired, too_few_shared
from stef.runs.picked import picked
from stef.runs.run import Run
from stef.runs.state import State
from stef.stats.power import detectable, needed

_MOST_MISSING = 1_000
"""Turns of A without a partner that are named; all are counted."""

_SLICES = ("agent", "app", "database", "difficulty", "hardness", "category", "kind")
_GOLD_SLICES = ("agent", "database", "difficulty", "category", "kind")


def compare_runs(a: Run, b: Run | None = None, options: CompareOptions | None = None) -> Comparison:
    """What B is against A: two RUNs, or two values of `options.by` within one.

    Raises NotComparableError for RUNs that were measured with different yardsticks (unless `options.anyway`),
    InputError for RUNs that cannot be compared at all (unfinished, the same one twice, two kinds), UserError where it
    is not clear what is compared with what, or where a slice or key names nothing.
    """
    options = options or CompareOptions()
    _refuse_outcomes(options)
    refuse_unusable(a, b)
    remarks = () if b is None else yardsticks(a, b, anyway=options.anyway)
    names = options.slices if options.slices is not None else _GOLD_SLICES if a.gold else _SLICES
    strata = tuple(name for name in STRATA if not a.gold or name in _GOLD_SLICES)
    sides = sides_of(a, b, options, tuple(dict.fromkeys((*names, *strata))))
    _refuse_unknown_slices(sides, options)
    paired = pair_up(sides.a.turns, sides.b.turns, with_agent=sides.with_agent)
    base = _base(sides, paired, options, remarks)
    if too_few_shared(paired, sides.a.turns, sides.b.turns):
        return _unpaired(base, sides, strata, options)
    fill = compare_golds if a.gold else compare_scores
    return fill(base, sides, paired, names, options)


def _base(sides: Sides, paired: Paired, options: CompareOptions, remarks: tuple[str, ...]) -> Comparison:
    """What can be said before anything is compared; the rest is empty."""
    gold = sides.a.run.gold
    name = CORRECT if gold else SCORE
    only_a, only_b = (len(np.unique(turns.key)) for turns in (paired.only_a, paired.only_b))
    first = paired.only_a.row[:_MOST_MISSING].tolist()
    read = picked(sides.a.run.parts(), first, ("id",))
    alike = paired.pairs.where(paired.pairs.same_sql)
    return Comparison(
        gold=gold,
        figure=name,
        outcome=Outcome.NOTHING,
        a=_facts(sides.a, name),
        b=_facts(sides.b, name),
        remarks=remarks,
        main=figure(name, paired.pairs.where(np.array([], dtype=np.int64)), options.drawing),
        level=options.drawing.level,
        resamples=options.drawing.resamples,
        seed=options.drawing.seed,
        as_zero=None,
        declined_too=None,
        others=(),
        readable=None,
        declined=None,
        planning=Planning(options.aim, None, None),
        noise=None,
        slices=(),
        small_slices=0,
        filters=(),
        verdicts=(),
        findings=(),
        regressions=(),
        improvements=(),
        regressed=0,
        improved=0,
        left_out=LeftOut(
            only_a=only_a,
            only_b=only_b,
            missing=tuple(read[row]["id"] for row in first),
            without_key=paired.without_key,
        ),
        same_sql=len(alike),
        same_sql_moved=moved(alike, name),
        shared=paired.pairs.clusters,
    )


def _facts(side: Side, name: str) -> SideFacts:
    turns = side.turns
    values = turns.figures[name][~np.isnan(turns.figures[name])]
    states = {state: int(turns.in_state(state).sum()) for state in State}
    lost = _faults(turns) if side.run.gold else states[State.UNKNOWN]
    counts = side.run.about.get("counts", {})
    without = counts.get("without_turn") or {}
    return SideFacts(
        name=side.name,
        path=str(side.run.path),
        turns=len(turns),
        scored=states[State.SCORED],
        unreadable=states[State.UNREADABLE],
        declined=states[State.DECLINED],
        unknown=states[State.UNKNOWN],
        mean=fsum(values) / len(values) if len(values) else None,
        repeated_ids=turns.repeated_ids + int(counts.get("repeated_ids", 0)),
        invalid=lost + int(counts.get("bad_lines", 0)) + int(counts.get("case_faults", 0)),
        agents=tuple(sorted(turns.agents)),
        without_turn=sum(int(cases) for agent, cases in without.items() if agent in _raw_agents(turns)),
    )


def _raw_agents(turns: Turns) -> frozenset[str]:
    """The agents of a gold run as it names them, with their versions."""
    names = turns.known.of_each("agent")
    return frozenset(names[number] for number in np.unique(turns.fact))


def _faults(turns: Turns) -> int:
    """Turns of a gold run on which a scorer failed, or the harness or the database did."""
    told = zip(turns.known.of_each("scorer_fault"), turns.known.of_each("error_whose"), strict=True)
    lost = np.array([bool(fault) or whose in ("harness", "database") for fault, whose in told], dtype=np.bool_)
    return int(lost[turns.fact].sum())


def _unpaired(base: Comparison, sides: Sides, strata: Sequence[str], options: CompareOptions) -> Comparison:
    found, used = compare_unpaired(sides.a.turns, sides.b.turns, base.figure, strata, options.drawing.level)
    outcome = {1: Outcome.BETTER, -1: Outcome.WORSE}.get(found.sign(options.alpha), Outcome.NOT_SHOWN)
    planning = base.planning
    if found.error:
        # Questions of both sides together, in the mix of now.
        many = needed(found.error, found.a + found.b, options.aim, options.drawing.level)
        planning = Planning(options.aim, many, detectable(found.error, options.drawing.level))
    return replace(
        base,
        outcome=Outcome.NOTHING if found.mean is None else outcome,
        unpaired=found,
        strata=used,
        planning=planning,
    )


def _refuse_outcomes(options: CompareOptions) -> None:
    if options.by in OUTCOMES:
        raise UserError(
            f"--by {options.by}: this is what came of a turn; sides are what was there before, as agent_version"
        )
    for name in options.slices or ():
        if name in OUTCOMES:
            raise UserError(
                f"--slice {name}: this is what came of a turn, and a slice by it would show A's bad luck as progress; "
                "what changed of it is counted without being asked for"
            )


def _refuse_unknown_slices(sides: Sides, options: CompareOptions) -> None:
    for name in options.slices or ():
        if not any(side.turns.counted(name) for side in (sides.a, sides.b)):
            raise UserError(f"--slice {name}: no turn has it (fields of a log are kept by stef score --keep)")
