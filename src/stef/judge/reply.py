"""Reading a judge's reply: strictly, from its field. What is not on the scale is a failure, never a guess."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from stef.errors import JudgeReplyError
from stef.records.judgement import Verdict

REPLY_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "reasons": {"type": "array", "items": {"type": "string"}},
        "verdict": {"type": "string", "enum": [verdict.value for verdict in Verdict]},
        "confidence": {"type": "number"},
    },
    "required": ["reasons", "verdict", "confidence"],
    "additionalProperties": False,
}

VERDICT_SCHEMA: Final[dict[str, Any]] = {
    **REPLY_SCHEMA,
    "properties": {name: REPLY_SCHEMA["properties"][name] for name in ("reasons", "verdict")},
    "required": ["reasons", "verdict"],
}
"""For a confidence that is read from log-probabilities: some models never end a number."""

_LONGEST_REPLY: Final = 100_000
_LONGEST_REASON: Final = 2_000
_MOST_REASONS: Final = 20
_SCALE: Final = {verdict.value: verdict for verdict in Verdict}
_THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING: Final = re.compile(r"\A\s*<think(?:ing)?>", re.IGNORECASE)
_VERDICT_LINE: Final = re.compile(r"^[\s*#>_`-]*(?:final\s+)?verdict[\s*_`]*[:=](.*)$", re.IGNORECASE)
_CONFIDENCE_LINE: Final = re.compile(r"^[\s*#>_`-]*confidence[\s*_`]*[:=](.*)$", re.IGNORECASE)
_LOOKS_LIKE_JSON: Final = re.compile(r'\{\s*["}]')
_AROUND: Final = " \t\r\n*`'\".!"


@dataclass(frozen=True, slots=True)
class Reply:
    """A judge's reply as read. `confidence` is in [0, 1], and None where a reply in words states none.

    `others` are further fields of the reply that hold a text.
    """

    verdict: Verdict
    confidence: float | None
    reasons: tuple[str, ...] = ()
    others: Mapping[str, str] = field(default_factory=dict)


def read_reply(text: str, *, stated: bool = True) -> Reply:
    """The verdict, confidence and reasons in `text`; no confidence where it need not be `stated`.

    Read are: one JSON object with a field `verdict`, alone, fenced or in prose; else a last line `Verdict: …` (a line
    `Confidence: …` beside it); else a text that is one verdict and nothing else. Raises JudgeReplyError, with the text
    kept, for anything else: no verdict, several, one that is not on the scale, a confidence that is no number in
    [0, 1], broken JSON. A verdict is never looked for in running text: "INCORRECT" holds "CORRECT".
    """
    try:
        return _read(text, stated)
    except _OffScaleError as error:
        raise JudgeReplyError(f"the judge's reply is not readable: {error}", text) from error


class _OffScaleError(ValueError):
    """Why a reply is not readable."""


def _read(text: str, stated: bool) -> Reply:
    if len(text) > _LONGEST_REPLY:
        raise _OffScaleError(f"it is longer than {_LONGEST_REPLY} characters")
    said = _THINKING.sub("", text)
    if _OPEN_THINKING.match(said):
        raise _OffScaleError("it ends while the model still thinks")
    if not said.strip():
        raise _OffScaleError("it is empty")
    objects = [found for found in _objects(said) if "verdict" in found]
    if len(objects) > 1:
        raise _OffScaleError(f"it holds {len(objects)} verdicts")
    if objects:
        return _from_object(objects[0], stated)
    return _from_lines(said)


def _from_object(values: dict[str, Any], stated: bool) -> Reply:
    if stated and "confidence" not in values:
        raise _OffScaleError("it states no confidence")
    others = {
        name: value.strip()[:_LONGEST_REASON]
        for name, value in values.items()
        if isinstance(value, str) and name not in REPLY_SCHEMA["properties"]
    }
    reasons = _reasons(values.get("reasons"))
    confidence = _confidence(values["confidence"]) if stated else None
    return Reply(_verdict(values["verdict"]), confidence, reasons, others)


def _from_lines(said: str) -> Reply:
    lines = [line for line in said.splitlines() if line.strip()]
    confidences = [found.group(1) for line in lines if (found := _CONFIDENCE_LINE.match(line))]
    others = [line for line in lines if not _CONFIDENCE_LINE.match(line)]
    verdicts = [_verdict(found.group(1)) for line in others if (found := _VERDICT_LINE.match(line))]
    if not others or len(set(verdicts)) > 1 or len(confidences) > 1:
        raise _OffScaleError("it holds no single verdict")
    if not verdicts and len(others) == 1:
        verdicts = [_verdict(others[0])]
        others = []
    elif not verdicts or not _VERDICT_LINE.match(others[-1]):
        raise _OffScaleError("it holds neither a JSON object with a verdict nor a last line 'Verdict: …'")
    reason = " ".join(" ".join(others[:-1]).split())[:_LONGEST_REASON]
    confidence = _confidence(confidences[0]) if confidences else None
    return Reply(verdicts[-1], confidence, (reason,) if reason else ())


def _verdict(value: object) -> Verdict:
    if isinstance(value, str):
        verdict = _SCALE.get(re.sub(r"[\s_-]+", "_", value.strip(_AROUND).lower()))
        if verdict is not None:
            return verdict
    raise _OffScaleError(f"{_short(value)} is not on the scale ({', '.join(_SCALE)})")


def _confidence(value: object) -> float:
    number = _number(value)
    if number is None or not math.isfinite(number) or not 0.0 <= number <= 1.0:
        raise _OffScaleError(f"the confidence {_short(value)} is no number from 0 to 1")
    return number


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        # An integer may be too large for a float.
        return float(value) if -1 <= value <= 1 else None
    if isinstance(value, str):
        plain = value.strip(" \t*`")
        found = re.fullmatch(r"(\d{1,3}(?:\.\d{1,20})?|\.\d{1,20})\s*(%?)", plain, re.ASCII)
        if found:
            return float(found.group(1)) / (100.0 if found.group(2) else 1.0)
    return None


def _reasons(value: object) -> tuple[str, ...]:
    reasons = value if isinstance(value, list) else [value]
    texts = [reason if isinstance(reason, str) else json.dumps(reason) for reason in reasons if reason]
    return tuple(text.strip()[:_LONGEST_REASON] for text in texts[:_MOST_REASONS] if text.strip())


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects in `text`, keys in small letters."""
    decoder = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=str)
    at = text.find("{")
    while at >= 0:
        end = at + 1
        # A brace in prose is passed over. One that begins an object has to end it: what stands inside of a broken
        # object is no verdict.
        if _LOOKS_LIKE_JSON.match(text, at):
            try:
                found, end = decoder.raw_decode(text, at)
            except _OffScaleError:
                raise
            except (ValueError, RecursionError) as error:
                raise _OffScaleError("it holds broken JSON") from error
            yield found
        at = text.find("{", end)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = {name.strip().lower(): value for name, value in pairs}
    if len(values) < len(pairs):
        raise _OffScaleError("it holds the same field twice")
    return values


def _short(value: object) -> str:
    shown = value.strip() if isinstance(value, str) else repr(value)[:80]
    return f"{shown[:80]!r}" if isinstance(value, str) else shown
