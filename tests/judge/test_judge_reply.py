"""What is read from a judge's reply, and what is not."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.errors import JudgeReplyError
from stef.judge.reply import Reply, read_reply
from stef.records.judgement import Verdict

CASES = yaml.safe_load(Path(__file__).with_name("replies.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:60])
def test_reply(case: dict[str, Any]) -> None:
    """Verdict and confidence as stated, or a failure that keeps the text."""
    if "fails" in case:
        with pytest.raises(JudgeReplyError, match=case["fails"]) as caught:
            read_reply(case["text"])
        assert caught.value.reply == case["text"]
        return
    reply = read_reply(case["text"])
    assert (reply.verdict.value, reply.confidence) == (case["verdict"], case["confidence"])
    if "reasons" in case:
        assert list(reply.reasons) == case["reasons"]


@pytest.mark.parametrize(
    "text",
    ["{" * 50_000, '{"a":' * 50_000, "[" * 50_000, '{"verdict": ' + "9" * 10_000 + "}", "x" * 200_000, '{"a' * 30_000],
    ids=["braces", "deep", "brackets", "digits", "long", "unclosed"],
)
def test_hostile_replies_end_in_a_failure(text: str) -> None:
    """Neither depth nor length nor a huge number gets out as another exception."""
    with pytest.raises(JudgeReplyError):
        read_reply(text)


@given(st.text() | st.text(alphabet='{}[]":,verdictconfidence .0159\n'))
def test_a_text_is_read_or_refused(text: str) -> None:
    """There is no third way, and what is read is on the scale."""
    try:
        reply = read_reply(text)
    except JudgeReplyError:
        return
    assert isinstance(reply, Reply)
    assert reply.confidence is None or 0.0 <= reply.confidence <= 1.0


@given(
    st.sampled_from(Verdict),
    st.floats(0, 1),
    st.lists(st.text(min_size=1).filter(lambda s: s.strip() == s), max_size=5),
)
def test_what_is_written_is_read(verdict: Verdict, confidence: float, reasons: list[str]) -> None:
    """A reply in the asked form comes back whole, also within prose."""
    import json

    text = json.dumps({"reasons": reasons, "verdict": verdict.value, "confidence": confidence})
    for shown in (text, f"```json\n{text}\n```", f"Well. {text} That is it."):
        assert read_reply(shown) == Reply(verdict, confidence, tuple(reasons))


@pytest.mark.shared
def test_open_cases(shared_dir: Path) -> None:
    """Every reply of the public failure cases is read as it should be."""
    cases = yaml.safe_load((shared_dir / "cases" / "open.yaml").read_text(encoding="utf-8"))
    outputs = [output for case in cases for output in case.get("judge_outputs", ())]
    assert outputs
    for output in outputs:
        try:
            got = read_reply(output["text"]).verdict.value
        except JudgeReplyError:
            got = "parse_failed"
        if output["verdict"] == "not_correct":
            assert got != "correct", output
        else:
            assert got == output["verdict"], output
