"""The second half: what was prepared and judged, composed into an Assessment."""

from stef.evaluator.prepare import Prepared
from stef.records.assessment import Assessment, Scored, Unscored
from stef.records.judgement import Judgement
from stef.records.reasons import UnscoredReason
from stef.score import compose
from stef.version import VERSION


def finish_turn(prepared: Prepared, judgement: Judgement | Unscored | None) -> Assessment:
    """One turn composed; a turn whose judgement did not come back is a harness fault."""
    turn, application, request = prepared.turn, prepared.application, prepared.request
    verdict = judgement if isinstance(judgement, Judgement) else None
    reading = prepared.sql
    return Assessment(
        turn.question,
        turn.enriched_question,
        turn.sql or "" if reading is None else reading.text,
        None if reading is None else reading.dialect,
        _outcome(prepared, judgement),
        () if request is None else request.asked,
        () if request is None else request.done,
        None if request is None else request.alignment,
        None if request is None else request.enrichment,
        () if request is None else (*request.findings, *prepared.faults),
        () if reading is None else reading.notes,
        verdict,
        application.hash,
        VERSION,
    )


def _outcome(prepared: Prepared, judgement: Judgement | Unscored | None) -> Scored | Unscored:
    """The score, or the first reason why there is none: the turn's own before the judge's."""
    if prepared.unscored is not None:
        return prepared.unscored
    if isinstance(judgement, Unscored):
        return judgement
    if prepared.request is None or judgement is None:
        return Unscored(UnscoredReason.HARNESS_FAULT, "no judgement came back for this turn")
    return compose(prepared.request.alignment.filters, judgement, prepared.application.rules.scoring)
