"""Judges: what says whether a turn's SQL answers its question."""

from stef.judge.doubles import RecordedJudge, RecordingJudge, ScriptedJudge
from stef.judge.options import JudgeOptions
from stef.judge.protocol import Judge
from stef.judge.registry import judge_names, make_judge
from stef.judge.values import request_key

__all__ = [
    "Judge",
    "JudgeOptions",
    "RecordedJudge",
    "RecordingJudge",
    "ScriptedJudge",
    "judge_names",
    "make_judge",
    "request_key",
]
