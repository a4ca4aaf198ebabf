"""The probability of a verdict, from the tokens of a reply."""

from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.judge.likelihood import p_right, verdict_masses
from stef.llm.client import Token
from stef.records.judgement import Verdict

CASES = yaml.safe_load(Path(__file__).with_name("likelihood.yaml").read_text(encoding="utf-8"))


def token(said: str | dict[str, dict[str, float]]) -> Token:
    if isinstance(said, str):
        return Token(said.encode(), ((said.encode(), 0.0),))
    ((text, choices),) = said.items()
    return Token(text.encode(), tuple((choice.encode(), log(p)) for choice, p in choices.items()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_masses(case: dict[str, Any]) -> None:
    """Whatever the vocabulary cuts, the masses are those of the words."""
    found = verdict_masses([token(said) for said in case["tokens"]])
    if case["masses"] is None:
        assert found is None
        return
    assert found is not None
    assert {verdict.value: mass for verdict, mass in found.items() if mass} == pytest.approx(case["masses"])
    assert sum(found.values()) == pytest.approx(1.0)


@given(st.lists(st.floats(0.001, 1.0), min_size=4, max_size=4))
def test_the_right_side(weights: list[float]) -> None:
    """The probability of being right is the mass of correct and likely_correct."""
    total = sum(weights)
    masses = {verdict: weight / total for verdict, weight in zip(Verdict, weights, strict=True)}
    assert p_right(masses) == pytest.approx((weights[0] + weights[1]) / total)
    assert 0.0 <= p_right(masses) <= 1.0


@given(st.integers(1, 40), st.integers(0, 39))
def test_tokens_may_begin_anywhere(width: int, shift: int) -> None:
    """A reply cut into tokens of any width tells its own verdict."""
    text = b'{"reasons": ["a"], "verdict": "potentially_incorrect", "confidence": 0.5}'
    cuts = [0, *range(1 + shift % width, len(text), width), len(text)]
    tokens = [Token(text[a:b], ((text[a:b], 0.0),)) for a, b in pairwise(cuts)]
    found = verdict_masses(tokens)
    # A token that ends with the quote leaves the verdict to the next one; one that holds more than the word does too.
    assert found is not None
    assert found[Verdict.POTENTIALLY_INCORRECT] == pytest.approx(1.0)
