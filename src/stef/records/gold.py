"""What the gold families say of one turn. None is undefined: no denominator, left out of every mean."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from stef.records.case import Expected, Shape


class Ceiling(StrEnum):
    """Something that limits what could be measured. Counted beside the numbers, never corrected."""

    GOLD_FAILED = "gold_failed"
    GOLD_IN_DOUBT = "gold_in_doubt"
    GOLD_CUT = "gold_cut"
    CANDIDATE_CUT = "candidate_cut"
    NO_COLUMN_PAIRED = "no_column_paired"  # w = 0: no cell could be compared
    NO_USABLE_KEY = "no_usable_key"  # key selectivity < 0.5: whole rows, no partial credit
    UNPAIRED_BY_GUARD = "unpaired_by_guard"  # equal rows, but a column with one distinct value was not paired
    SHELF_TOO_LARGE = "shelf_too_large"  # cells are bounds, not exact
    EXACT_MATCH_OPEN = "exact_match_open"  # too many columns or rows alike to decide
    TIE_AT_LIMIT = "tie_at_limit"  # right by other rows that tie at the gold's LIMIT: the output differs all the same
    NOT_COMPARABLE = "not_comparable"  # a column type without a notion of equality
    NO_SCHEMA = "no_schema"
    LEAVE_ONE_OUT_NOT_IN_FORCE = "leave_one_out_not_in_force"
    NO_RETRIEVER = "no_retriever"


@dataclass(frozen=True, slots=True)
class Share:
    """Precision and recall of one comparison; None where its denominator is 0."""

    precision: float | None = None
    recall: float | None = None


@dataclass(frozen=True, slots=True)
class ColumnPair:
    """A candidate's column and the reference's it stands for (indices), and the overlap of their distinct values.

    A side without rows has no values, and its share is undefined.
    """

    candidate: int
    reference: int
    by: Literal["origin", "values"]
    precision: float | None
    recall: float | None


@dataclass(frozen=True, slots=True)
class Output:
    """The output family: two results compared.

    A size is (rows, columns), None where there is no result. `key` are indices into `pairs` of the row key, empty where
    whole rows were compared. `cells_upper` is set where `cells` is only a lower bound. `scorer_fault` names a
    contradiction in the scorer itself.
    """

    exact_match: bool | None = None
    exact_match_positional: bool | None = None
    bird_ex: bool | None = None
    spider_ex: bool | None = None
    columns: Share = Share()
    cells: Share = Share()
    cells_upper: Share | None = None
    pairs: tuple[ColumnPair, ...] = ()
    key: tuple[int, ...] = ()
    matched_cells: int | None = None
    reference_size: tuple[int, int] | None = None
    candidate_size: tuple[int, int] | None = None
    ceilings: tuple[Ceiling, ...] = ()
    scorer_fault: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The candidate's answer in the case's shape. `correct` None: nothing could be said (a ceiling, a failed gold).

    `on` is the reference's column that an id set rests on (its name); `inferred`: the shape was read off the gold;
    `by_tie`: other rows than the reference's, which tie with them at its LIMIT.
    """

    shape: Shape
    inferred: bool
    correct: bool | None = None
    on: str | None = None
    set: Share = Share()
    by_tie: bool = False


@dataclass(frozen=True, slots=True)
class Components:
    """The component family: six sets (filters once with and once without values); order and limit stand beside them."""

    tables: Share = Share()
    joins: Share = Share()
    projections: Share = Share()
    filters: Share = Share()
    filters_without_values: Share = Share()
    aggregations: Share = Share()
    grouping: Share = Share()
    order_equal: bool | None = None
    limit_equal: bool | None = None


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The retrieval family: base tables that the gold reads against those whose DDL was offered."""

    tables: Share = Share()
    spurious: int | None = None
    required: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class Symptom(StrEnum):
    """What the numbers of a turn show, the first that applies."""

    TABLES_NOT_OFFERED = "tables_not_offered"
    MISSING_INFORMATION = "missing_information"  # a reference column without a counterpart
    TOO_MANY_ROWS = "too_many_rows"
    TOO_FEW_ROWS = "too_few_rows"
    WRONG_VALUES = "wrong_values"
    WRONG_ORDER = "wrong_order"
    EXTRA_COLUMNS = "extra_columns"


class Outcome(StrEnum):
    """How the agent's turn ended, as far as its own word, its SQL and its text tell."""

    ANSWERED = "answered"
    FELL_BACK = "fell_back"  # a query, beside words that what was asked is not there
    DECLINED = "declined"
    CLARIFIED = "clarified"
    NO_QUERY = "no_query"  # an answer in words, without a query behind it
    SMALL_TALK = "small_talk"  # words that answer nothing: a greeting, thanks
    FAILED = "failed"


class Bucket(StrEnum):
    """Why a turn is not right: one name each, the first that applies in this order."""

    HARNESS_FAULT = "harness_fault"  # a bug of stef's own
    DATABASE_DOWN = "database_down"
    EMPTY_EXTRACTOR = "empty_extractor"  # a field or stage that is empty on every turn that should have it
    AGENT_CRASH = "agent_crash"
    BROKEN_GOLD = "broken_gold"
    ANSWERED_WITHOUT_QUERY = "answered_without_query"
    OVER_REFUSAL = "over_refusal"
    NEEDLESS_CLARIFICATION = "needless_clarification"
    MISSED_REFUSAL = "missed_refusal"
    MISSED_CLARIFICATION = "missed_clarification"
    UNDECIDED = "undecided"  # a ceiling: an answer that was cut, or that cannot be compared
    TABLES_NOT_OFFERED = "tables_not_offered"
    DOES_NOT_PARSE = "does_not_parse"
    NOT_ONE_QUERY = "not_one_query"  # several statements, or one that writes
    UNKNOWN_TABLE_OR_COLUMN = "unknown_table_or_column"
    TIMES_OUT = "times_out"
    DOES_NOT_RUN = "does_not_run"  # whatever else a database refuses
    DISPLAY_CAP = "display_cap"  # fewer rows only because the agent cuts its answers
    EMPTY_RESULT = "empty_result"
    MISSING_COLUMNS = "missing_columns"
    TOO_MANY_ROWS = "too_many_rows"
    TOO_FEW_ROWS = "too_few_rows"
    WRONG_VALUES = "wrong_values"
    WRONG_ORDER = "wrong_order"
    EXTRA_COLUMNS = "extra_columns"
    UNEXPLAINED = "unexplained"  # the last resort: wrong, and no other name fits


class StageState(StrEnum):
    """What came of one expectation of a stage."""

    AS_EXPECTED = "as_expected"
    OTHER = "other"
    ABSENT = "absent"  # the turn does not have it, so nothing is said of it


@dataclass(frozen=True, slots=True)
class StageGrade:
    """One expectation of a case on a stage of the agent: its path, what was expected there, and what was found."""

    path: str
    state: StageState
    expected: Any = None
    found: Any = None

    @property
    def stage(self) -> str:
        """The first part of the path."""
        return self.path.partition(".")[0]


class Whose(StrEnum):
    """To whom an error belongs. Only the agent's count against the agent."""

    AGENT = "agent"
    RETRIEVER = "retriever"
    GOLD = "gold"
    DATABASE = "database"
    HARNESS = "harness"


@dataclass(frozen=True, slots=True)
class CaseFault:
    """An error on the way: whose it is, its kind (a FailureKind, AgentFault or UnscoredReason), and the words of it.

    `traceback` is kept where the fault is stef's own.
    """

    whose: Whose
    kind: str
    message: str
    traceback: str | None = None


class Doubt(StrEnum):
    """Why a gold's answer is not to be trusted."""

    EMPTY = "empty"  # it returns no row, and the case does not say so
    MOVED = "moved"  # its answer is not the recorded one any more


@dataclass(frozen=True, slots=True)
class GoldState:
    """One acceptable gold of a case as it ran: the fingerprint of its answer, why it is in doubt, or how it failed."""

    fingerprint: str | None = None
    rows: int | None = None
    doubts: tuple[Doubt, ...] = ()
    detail: str = ""
    failure: CaseFault | None = None
    seconds: float | None = None

    @property
    def usable(self) -> bool:
        """Whether anything can be measured against it."""
        return self.failure is None and not self.doubts


class Apart(StrEnum):
    """What altered copies of a database say of two queries that give one answer on it."""

    TOLD_APART = "told_apart"
    SAME = "same"  # on every copy that says anything
    OPEN = "open"  # no copy says anything: the gold is empty, or fails, on all of them
    NOT_AVAILABLE = "not_available"  # of this database there are no copies


@dataclass(frozen=True, slots=True)
class Coincidence:
    """Whether altered copies tell a candidate from a gold.

    `on` are the copies that do, in words; `looked_at` is the number of copies that say anything, of `copies`. `first`
    shows both answers on the first copy that tells them apart, as their sizes or the one value. `why`: why there are
    no copies.
    """

    apart: Apart
    on: tuple[str, ...] = ()
    looked_at: int = 0
    copies: int = 0
    first: tuple[str, str] | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class CaseReport:
    """All that the gold families say of one turn on one case.

    `executable`: whether the agent's query ran (None where it gave none). `correct` is None where nothing could be
    said: no usable gold, a fault that is not the agent's, an answer that was cut. `gold_index` is the acceptable gold
    that all families compare with. `shown` compares the rows that the user saw, where the turn brings them;
    `display_cap`: they lack rows only because the agent cuts its answers. `agent_retrieval` is what the agent's own
    call offered. `held_out`: no gold of the case is usable, so it enters no mean. `leaks` are hidden examples that
    came back all the same. `expected` is what was right: for one of several readings, too, it is `answer`. `bucket` is
    the one cause of a turn that is not right, `stages` what became of the case's expectations of stages.
    """

    case_id: str
    outcome: Outcome
    correct: bool | None = None
    executable: bool | None = None
    gold_index: int | None = None
    golds: tuple[GoldState, ...] = ()
    answer: Answer | None = None
    output: Output | None = None
    shown: Output | None = None
    display_cap: bool = False
    components: Components | None = None
    retrieval: Retrieval | None = None
    agent_retrieval: Retrieval | None = None
    fingerprint: str | None = None
    leaks: tuple[str, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    symptom: Symptom | None = None
    scorer_fault: str | None = None
    held_out: bool = False
    faults: tuple[CaseFault, ...] = ()
    coincidence: Coincidence | None = None
    expected: Expected = Expected.ANSWER
    bucket: Bucket | None = None
    stages: tuple[StageGrade, ...] = ()
