"""Everything that stef says of one turn: the parts, and either a score or the reason why there is none."""

from dataclasses import dataclass
from enum import StrEnum

from stef.records.alignment import Alignment, Enrichment
from stef.records.judgement import Judgement
from stef.records.reading import Note
from stef.records.reasons import UnscoredKind, UnscoredReason, kind_of


class Band(StrEnum):
    """A score in words; the lower bound belongs to the band."""

    EXCELLENT = "excellent"
    GOOD = "good"
    MARGINAL = "marginal"
    POOR = "poor"


@dataclass(frozen=True, slots=True)
class Scored:
    """The composed score Φ in [0, 100] and all of its parts (DESIGN of the method: arXiv 2604.28049).

    `score` = `base` / 10 × 100 × `multiplier`; `base` = min(10, `filter_score` + `verdict_score` + `laxity`).
    """

    score: float
    band: Band
    filter_score: float
    verdict_score: float
    laxity: float
    base: float
    multiplier: float


@dataclass(frozen=True, slots=True)
class Unscored:
    """No score, and why. `reply` keeps what a judge said where its reply was not on the scale."""

    reason: UnscoredReason
    detail: str
    reply: str | None = None

    @property
    def kind(self) -> UnscoredKind:
        """Whose reason it is."""
        return kind_of(self.reason)


@dataclass(frozen=True, slots=True)
class Finding:
    """A named, coded observation on a turn, and the words or SQL that it rests on.

    `weight`: how much it counts for a judge, beside 1 as measured; AppRules set it (0: shown, not counted).
    """

    code: str
    title: str
    detail: str = ""
    question_span: tuple[int, int] | None = None
    sql_span: tuple[int, int] | None = None
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Assessment:
    """One turn, judged. `sql` is the cleaned SQL, to which spans refer; the raw one stays in the log.

    `asked`, `done` are the two Specs in words, one line a fact, for people and for the judge's prompt.
    """

    question: str
    enriched_question: str | None
    sql: str
    dialect: str | None
    outcome: Scored | Unscored
    asked: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    alignment: Alignment | None = None
    enrichment: Enrichment | None = None
    findings: tuple[Finding, ...] = ()
    notes: tuple[Note, ...] = ()
    judgement: Judgement | None = None
    rules_hash: str | None = None
    stef_version: str = ""
