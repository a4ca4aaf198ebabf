"""What the gold families say of one turn. None is undefined: no denominator, left out of every mean."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from stef.records.case import Shape


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
    """A candidate's column and the reference's it stands for (indices), and the overlap of their distinct values."""

    candidate: int
    reference: int
    by: Literal["origin", "values"]
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class Output:
    """The output family: two results compared.

    `key` are indices into `pairs` of the row key, empty where whole rows were compared. `cells_upper` is set where
    `cells` is only a lower bound. `scorer_fault` names a contradiction in the scorer itself.
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
    ceilings: tuple[Ceiling, ...] = ()
    scorer_fault: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The candidate's answer in the case's shape. `correct` None: nothing could be said (a ceiling, a failed gold).

    `on` is the reference's column that an id set rests on (its name); `inferred`: the shape was read off the gold.
    """

    shape: Shape
    inferred: bool
    correct: bool | None = None
    on: str | None = None
    set: Share = Share()


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
