"""What a comparison says: pure data, for the command line, for JSON, for a report. Figures are in points, 0 to 100."""

from dataclasses import dataclass
from enum import StrEnum

from stef.stats.paired import Difference
from stef.stats.stratified import Stratified


class Outcome(StrEnum):
    """What can be said of B against A."""

    BETTER = "better"
    WORSE = "worse"
    MIXED = "mixed"  # better in one respect, worse in another
    NOT_SHOWN = "not_shown"  # no difference can be shown
    NOTHING = "nothing"  # nothing could be compared


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One side: its name for people, its RUN, and what its turns are. `mean` is that of all its scored turns.

    `invalid` are lines of the log that were no turn, or entries of the files that were no case, and turns that stef
    itself failed on. `agents` are its agents; `without_turn` counts the cases of a gold run for which its logs held
    none.
    """

    name: str
    path: str
    turns: int
    scored: int
    unreadable: int
    declined: int
    unknown: int
    mean: float | None
    repeated_ids: int
    invalid: int
    agents: tuple[str, ...]
    without_turn: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure on both sides, over the same pairs. `test` gave p; `corrected` is p after Holm, within its family."""

    name: str
    a: float | None
    b: float | None
    difference: Difference
    test: str
    corrected: float | None = None


@dataclass(frozen=True, slots=True)
class Flip:
    """A yes or no: `became` of the `pairs` are so in B only, `ceased` in A only, `both` on both sides.

    `p` is McNemar's (mid-p) where every cluster is one pair, else of a flip of signs by cluster; `test` says which.
    """

    name: str
    pairs: int
    became: int
    ceased: int
    both: int
    p: float
    test: str
    corrected: float | None = None


@dataclass(frozen=True, slots=True)
class Planning:
    """What it would take: questions that show a difference of `aim` points, and the points that these would have shown.

    Both with a probability of 80 %, at the variance that was observed; None where there was none.
    """

    aim: float
    needed: int | None
    detectable: float | None


@dataclass(frozen=True, slots=True)
class JudgeNoise:
    """What the judge alone moves the mean difference of p_correct by, where it was asked `samples` times a turn.

    `error` is a standard error in points. `share` of the variance behind the interval is the judge's; it is in there
    already, as each turn was judged on its own.
    """

    samples: int
    error: float
    share: float | None


@dataclass(frozen=True, slots=True)
class SliceFigure:
    """The pairs that have one `value` of `by`."""

    by: str
    value: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class Transition:
    """Pairs whose turns went from one class (of filters, or of verdicts) to another, and their mean difference."""

    a: str
    b: str
    pairs: int
    mean: float


@dataclass(frozen=True, slots=True)
class Moved:
    """One thing that changed between the turns of a pair: from `a` to `b`; None where a side does not have it."""

    what: str
    a: str | None
    b: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """A pair that got worse or better, and what changed. `kind`: lower, higher, unreadable, readable, wrong, right.

    `a_id`, `b_id`, `a_row`, `b_row` name a turn of each side; `turns` is how many stand behind the pair.
    `difference` is None where a side has no figure. `same_sql`: the SQL is the same, so the judge alone moved.
    `within_noise`: the spread of the judge's samples explains it; None where there were none.
    """

    kind: str
    question: str
    a_id: str
    b_id: str
    a_row: int
    b_row: int
    turns: int
    a: float | None
    b: float | None
    difference: float | None
    moved: tuple[Moved, ...]
    same_sql: bool
    within_noise: bool | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """`total` pairs that changed for the worse, or for the better; the first of them one by one."""

    total: int = 0
    named: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What was not compared. `only_a`, `only_b`: questions that the other side lacks; `missing`: ids of A's first ones.

    `unknown` pairs have no figure for a reason of stef's own (or a gold cannot decide), `declined` ones as an agent
    declined or asked back; `moved` are pairs whose gold, its answer or a ceiling is not what it was: `moved_cases`.
    """

    only_a: int = 0
    only_b: int = 0
    missing: tuple[str, ...] = ()
    without_key: int = 0
    unknown: int = 0
    declined: int = 0
    moved: int = 0
    moved_cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that is said of two sides. `figure` is `score` or, of gold runs, `correct`; `main` its difference.

    `remarks` stand at the top. `as_zero`: unreadable queries count as 0; `declined_too`: declined turns as well (both
    None where nothing was unreadable or declined). `unpaired` is there, and `main` is empty, where too few questions
    are shared; its strata are by `strata`. `same_sql` pairs have one SQL on both sides; on `same_sql_moved` of them the
    figure differs all the same. `regressed` and `improved` pairs there are in all, of which the first are named. Of
    `others`, `slices` and `findings` each is a family for Holm's correction.
    """

    gold: bool
    figure: str
    outcome: Outcome
    a: SideFacts
    b: SideFacts
    remarks: tuple[str, ...]
    main: Figure
    level: float
    resamples: int
    seed: int
    as_zero: Figure | None
    declined_too: Figure | None
    others: tuple[Figure, ...]
    readable: Flip | None
    declined: Flip | None
    planning: Planning
    noise: JudgeNoise | None
    slices: tuple[SliceFigure, ...]
    small_slices: int
    filters: tuple[Transition, ...]
    verdicts: tuple[Transition, ...]
    findings: tuple[Flip, ...]
    regressions: tuple[Change, ...]
    improvements: tuple[Change, ...]
    regressed: int
    improved: int
    left_out: LeftOut
    same_sql: int
    same_sql_moved: int
    unpaired: Stratified | None = None
    strata: tuple[str, ...] = ()
    shared: int = 0
