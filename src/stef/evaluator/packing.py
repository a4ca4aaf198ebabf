"""A prepared turn as bytes, for another process: what judging and finishing need of it, and nothing else."""

import pickle
from dataclasses import replace

from stef.evaluator.kernel import Evaluator
from stef.evaluator.prepare import Prepared
from stef.records.reading import QuestionReading, SqlReading
from stef.records.request import JudgeRequest

_NO_QUESTION = QuestionReading("")
_NO_SQL = SqlReading("")


def pack(prepared: Prepared, *, readings: bool) -> bytes:
    """`prepared` as bytes. `readings`: the judge may look at what was read, not only at what a prompt shows of it.

    Without them it takes a fifth of the time. The bytes are for stef's own processes: never read them from elsewhere.
    """
    request, sql = prepared.request, prepared.sql
    if not readings:
        request = None if request is None else _without_readings(request)
        sql = None if sql is None else replace(sql, spec=None)
    return pickle.dumps((prepared.turn, request, prepared.unscored, sql, prepared.faults), pickle.HIGHEST_PROTOCOL)


def unpack(packed: bytes, evaluator: Evaluator) -> Prepared:
    """What `pack` packed, under the rules of `evaluator`, which must be the same as there."""
    turn, request, unscored, sql, faults = pickle.loads(packed)  # noqa: S301  from stef's own process
    return Prepared(turn, evaluator.application(turn), request, unscored, sql, faults)


def _without_readings(request: JudgeRequest) -> JudgeRequest:
    return replace(request, asked_reading=_NO_QUESTION, enriched_reading=None, done_reading=_NO_SQL)
