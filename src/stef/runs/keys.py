"""What a judgement is known by: all that the judge sees of a turn, and who judges how."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Self

from stef.judge.options import Sees
from stef.judge.protocol import Judge, ModelJudge
from stef.judge.values import request_key
from stef.records.request import JudgeRequest


@dataclass(frozen=True, slots=True)
class JudgeKey:
    """Who judges, with which prompts and settings (samples and refutation among them, as JSON)."""

    judge: str
    prompts_hash: str | None
    sees: Sees
    settings: str

    @classmethod
    def of(cls, judge: Judge) -> Self:
        """The key of all judgements of `judge`."""
        settings: dict[str, Any] = judge.settings if isinstance(judge, ModelJudge) else {}
        sees = Sees(settings.get("sees", Sees.ALL))
        return cls(judge.name, judge.prompts_hash, sees, json.dumps(settings, sort_keys=True, default=str))

    def key(self, request: JudgeRequest) -> bytes:
        """The content address of the judgement on `request`, 32 bytes."""
        seen = request_key(request, self.judge, self.prompts_hash, self.sees)
        return hashlib.sha256(f"{seen} {self.settings}".encode()).digest()
