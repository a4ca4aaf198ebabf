"""Judges for tests and for replays: scripted, recorded, recording. They are public."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from stef.errors import JudgeReplyError, JudgeSetupError, JudgeUnavailableError, StefError
from stef.judge.protocol import Judge
from stef.judge.values import request_key
from stef.judge.verdicts import make_judgement
from stef.records.judgement import Judgement, Sample, Usage, Verdict
from stef.records.request import JudgeRequest

Step: TypeAlias = Judgement | Verdict | tuple[Verdict, float] | StefError


class ScriptedJudge:
    """Says what a test tells it to, and remembers what it was asked in `requests`.

    The script is a sequence of steps, one a request, or a function from a request to a step. A step is a Judgement, a
    Verdict (with confidence 0.9), a pair (Verdict, confidence), or a StefError, which is raised.
    """

    def __init__(self, script: Sequence[Step] | Callable[[JudgeRequest], Step], name: str = "scripted") -> None:
        self.name = name
        self.prompts_hash: str | None = None
        self.requests: list[JudgeRequest] = []
        self._decide: Callable[[JudgeRequest], Step] | None = script if callable(script) else None
        self._steps: Iterator[Step] = iter(()) if callable(script) else iter(script)

    async def judge(self, request: JudgeRequest) -> Judgement:
        """The next step of the script. Raises what the script says, and JudgeSetupError where it has ended."""
        self.requests.append(request)
        step = self._decide(request) if self._decide else next(self._steps, None)
        if step is None:
            raise JudgeSetupError(f"{self.name}: the script ended before request {len(self.requests)}")
        if isinstance(step, StefError):
            raise step
        if isinstance(step, Judgement):
            return step
        verdict, confidence = step if isinstance(step, tuple) else (step, 0.9)
        return make_judgement(verdict, confidence, ("scripted",), self.name)

    async def close(self) -> None:
        """Nothing to let go of."""


class RecordingJudge:
    """Passes every request on to `judge` and appends what it said to the JSONL file `path`, for RecordedJudge.

    Replies off the scale are recorded too; outages are not, as they say nothing about the turn.
    """

    def __init__(self, judge: Judge, path: Path | str) -> None:
        self._judge = judge
        self._path = Path(path)

    @property
    def name(self) -> str:
        """The name of the judge that is recorded."""
        return self._judge.name

    @property
    def prompts_hash(self) -> str | None:
        """The prompts' hash of the judge that is recorded."""
        return self._judge.prompts_hash

    async def judge(self, request: JudgeRequest) -> Judgement:
        """What the recorded judge says. Raises what it raises."""
        line: dict[str, Any] = {
            "key": request_key(request, self.name, self.prompts_hash),
            "judge": self.name,
            "prompts_hash": self.prompts_hash,
        }
        try:
            judgement = await self._judge.judge(request)
        except JudgeReplyError as error:
            self._append(line | {"error": str(error), "reply": error.reply})
            raise
        self._append(line | judgement_to_dict(judgement))
        return judgement

    async def close(self) -> None:
        """Close the judge that is recorded."""
        await self._judge.close()

    def _append(self, line: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


class RecordedJudge:
    """Replays the judgements in the JSONL file `path`, found by what the judge was shown.

    A file that holds several judges, or one judge with several prompts, needs `judge` to tell whose; the newest prompts
    are taken. A turn that the file does not hold raises JudgeUnavailableError: nothing is guessed and nothing is asked.
    """

    def __init__(self, path: Path | str, judge: str | None = None) -> None:
        self._path = Path(path)
        self._lines: dict[str, dict[str, Any]] = {}
        judges: dict[str, str | None] = {}
        for line in _recorded_lines(self._path):
            self._lines[line["key"]] = line
            judges[line["judge"]] = line.get("prompts_hash")
        if judge is None and len(judges) > 1:
            raise JudgeSetupError(f"{path} holds several judges ({', '.join(sorted(judges))}); name one of them")
        chosen = judge if judge is not None else next(iter(judges), None)
        if chosen is None or chosen not in judges:
            held = ", ".join(sorted(judges)) or "no judgement"
            raise JudgeSetupError(f"{path} holds {held}" + (f", not {chosen}" if chosen else ""))
        self.name: str = chosen
        self.prompts_hash: str | None = judges[chosen]

    async def judge(self, request: JudgeRequest) -> Judgement:
        """The recorded judgement. Raises JudgeUnavailableError where there is none, JudgeReplyError as recorded."""
        key = request_key(request, self.name, self.prompts_hash)
        line = self._lines.get(key)
        if line is None:
            raise JudgeUnavailableError(f"{self._path} holds no judgement of {self.name} on this turn (key {key[:12]})")
        if "error" in line:
            raise JudgeReplyError(line["error"], line.get("reply", ""))
        return judgement_from_dict(line)

    async def close(self) -> None:
        """Nothing to let go of."""


def judgement_to_dict(judgement: Judgement) -> dict[str, Any]:
    """A Judgement as JSON values."""
    usage = judgement.usage
    return {
        "verdict": judgement.verdict.value,
        "confidence": judgement.confidence,
        "p_correct": judgement.p_correct,
        "reasons": list(judgement.reasons),
        "judge": judgement.judge,
        "prompts_hash": judgement.prompts_hash,
        "usage": usage and asdict(usage),
        "confidence_from": judgement.confidence_from,
        "samples": [asdict(sample) for sample in judgement.samples],
        "spread": judgement.spread,
        "refuted": judgement.refuted,
        "refutation": judgement.refutation,
        "symbolic_p": judgement.symbolic_p,
    }


def judgement_from_dict(values: dict[str, Any]) -> Judgement:
    """The Judgement that `judgement_to_dict` wrote. Raises KeyError, ValueError or TypeError on other values."""
    usage = values.get("usage")
    return Judgement(
        verdict=Verdict(values["verdict"]),
        confidence=float(values["confidence"]),
        p_correct=float(values["p_correct"]),
        reasons=tuple(values["reasons"]),
        judge=values["judge"],
        prompts_hash=values.get("prompts_hash"),
        usage=Usage(**usage) if usage else None,
        confidence_from=values.get("confidence_from"),
        samples=tuple(Sample(Verdict(one["verdict"]), float(one["p_correct"])) for one in values.get("samples") or ()),
        spread=values.get("spread"),
        refuted=values.get("refuted"),
        refutation=values.get("refutation"),
        symbolic_p=values.get("symbolic_p"),
    )


def _recorded_lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise JudgeSetupError(f"{path}: cannot read the recorded judgements: {error}") from error
    for number, raw in enumerate(text.splitlines(), 1):
        if not raw.strip():
            continue
        try:
            line = json.loads(raw)
            if not isinstance(line["key"], str) or not isinstance(line["judge"], str):
                raise TypeError("key and judge are texts")
            if "error" not in line:
                judgement_from_dict(line)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise JudgeSetupError(f"{path}:{number}: not a recorded judgement: {error!r}") from error
        yield line
