"""Refusals scored both ways: how often declining and asking back was right, and how often it was done where it was."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from stef.gold.reading.ambiguous import Readings, readings_of
from stef.gold.reading.figures import Rate, rate_of
from stef.gold.reading.rows import ReportRow
from stef.records.case import CaseKind, Expected
from stef.records.gold import Bucket, CaseReport, Outcome

_REFUSALS = frozenset({Expected.DECLINE, Expected.UNSUPPORTED})
_ANSWERS = frozenset({Outcome.ANSWERED, Outcome.FELL_BACK})


@dataclass(frozen=True, slots=True)
class Pair:
    """Precision: right ones / all that were done. Recall: right ones / all turns where it was right."""

    precision: Rate
    recall: Rate


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How the turns of one agent ended, against what was right. Turns that nothing can be said of are in no rate.

    `outcomes` are counts by what was expected. `answering`, `asking` and `declining` are the behavioural score of each
    direction: of the turns where this was expected, the share that did so, whatever became of the query. Over-refusal
    is declining, and a needless clarification asking back, where an answer was expected; both of the control questions,
    too. `without_query` are answers in words alone, of all turns.
    """

    outcomes: Mapping[Expected, Mapping[Outcome, int]]
    decline: Pair
    clarification: Pair
    answering: Rate
    asking: Rate
    declining: Rate
    over_refusal: Rate
    needless_clarification: Rate
    controls_answered: Rate
    controls_over_refusal: Rate
    without_query: Rate
    readings: Readings | None = None


def behaviour_of(rows: Sequence[ReportRow]) -> Behaviour | None:
    """The behaviour that these turns show; None of no turn."""
    if not rows:
        return None
    said = [row for row in rows if can_tell(row.report)]
    reports = [row.report for row in said]
    answerable = [report for report in reports if report.expected is Expected.ANSWER]
    controls = [row.report for row in said if row.control]
    declining = [report for report in reports if report.expected in _REFUSALS]
    asking = [report for report in reports if report.expected is Expected.CLARIFY]
    return Behaviour(
        outcomes=_outcomes(row.report for row in rows),
        decline=Pair(
            _rate((report for report in reports if _declines(report)), _is_right),
            _rate((row.report for row in said if _is_unanswerable(row)), _declined_rightly),
        ),
        clarification=Pair(
            _rate((report for report in reports if report.outcome is Outcome.CLARIFIED), _is_right),
            _rate(asking, lambda report: report.outcome is Outcome.CLARIFIED and _is_right(report)),
        ),
        answering=_rate(answerable, lambda report: report.outcome in _ANSWERS),
        asking=_rate(asking, lambda report: report.outcome is Outcome.CLARIFIED),
        declining=_rate(declining, _declined_rightly),
        over_refusal=_rate(answerable, _is_over_refusal),
        needless_clarification=_rate(answerable, lambda report: report.outcome is Outcome.CLARIFIED),
        controls_answered=_rate(controls, lambda report: report.outcome in _ANSWERS),
        controls_over_refusal=_rate(controls, _is_over_refusal),
        without_query=_rate(reports, lambda report: report.bucket is Bucket.ANSWERED_WITHOUT_QUERY),
        readings=readings_of(rows),
    )


def can_tell(report: CaseReport) -> bool:
    """Whether the turn shows how the agent behaves.

    Not where the gold is broken, and not where a failure is not the agent's: the case may not be what it says.
    """
    return not report.held_out and report.bucket not in {
        Bucket.HARNESS_FAULT,
        Bucket.DATABASE_DOWN,
        Bucket.EMPTY_EXTRACTOR,
    }


def _declines(report: CaseReport) -> bool:
    """A refusal; and a query or words that were right in place of one, as they say that there is no answer."""
    return report.outcome is Outcome.DECLINED or _declined_rightly(report)


def _declined_rightly(report: CaseReport) -> bool:
    return report.expected in _REFUSALS and _is_right(report) and report.outcome is not Outcome.CLARIFIED


def _is_unanswerable(row: ReportRow) -> bool:
    return row.kind is CaseKind.UNANSWERABLE or row.report.expected in _REFUSALS


def _is_over_refusal(report: CaseReport) -> bool:
    return report.outcome is Outcome.DECLINED


def _is_right(report: CaseReport) -> bool:
    return report.correct is True


def _rate(reports: Iterable[CaseReport], holds: Callable[[CaseReport], bool]) -> Rate:
    return rate_of(map(holds, reports))


def _outcomes(reports: Iterable[CaseReport]) -> dict[Expected, dict[Outcome, int]]:
    counts = Counter((report.expected, report.outcome) for report in reports)
    return {
        expected: {outcome: counts[expected, outcome] for outcome in Outcome if counts[expected, outcome]}
        for expected in Expected
        if any(one is expected for one, _ in counts)
    }
