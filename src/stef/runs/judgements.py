"""A judgement, or why there is none, as JSON text: between processes, and in the store."""

import json
from dataclasses import replace
from typing import Any

from stef.judge.doubles import judgement_from_dict, judgement_to_dict
from stef.records.assessment import Unscored
from stef.records.judgement import Judgement
from stef.records.reasons import UnscoredReason

_UNSCORED = "unscored"


def to_bytes(judged: Judgement | Unscored) -> bytes:
    """`judged` as JSON. How long it took is left out: a RUN's rows are the same whenever they were judged."""
    if isinstance(judged, Unscored):
        values: dict[str, Any] = {_UNSCORED: [judged.reason.value, judged.detail, judged.reply]}
    else:
        usage = judged.usage
        values = judgement_to_dict(replace(judged, usage=usage and replace(usage, latency_s=None)))
    return json.dumps(values, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")


def from_bytes(text: bytes) -> Judgement | Unscored:
    """What `to_bytes` wrote. Raises ValueError, KeyError or TypeError on anything else."""
    values = json.loads(text.decode("utf-8", "surrogatepass"))
    if _UNSCORED in values:
        reason, detail, reply = values[_UNSCORED]
        return Unscored(UnscoredReason(reason), detail, reply)
    return judgement_from_dict(values)
