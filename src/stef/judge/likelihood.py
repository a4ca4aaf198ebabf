"""How probable each verdict was to a model, read from the token at which its reply settles the verdict."""

import re
from collections.abc import Sequence
from math import exp
from typing import Final

from stef.llm.client import Token
from stef.records.judgement import Verdict

# A quote inside a JSON text is escaped, so that no reason can hold this.
_VERDICT: Final = re.compile(rb'(?<!\\)"verdict"\s*:\s*"', re.IGNORECASE)
_WORDS: Final = {verdict: verdict.value.encode() for verdict in Verdict}


def verdict_masses(tokens: Sequence[Token]) -> dict[Verdict, float] | None:
    """The probability of each verdict, summing to 1; None where the reply holds no field `verdict` in JSON.

    The masses are those of the token that holds the first letter of the field's value: a choice counts for the verdict
    whose word it begins, however the model's vocabulary cuts the word. Choices that begin none of the words are left
    out, and the rest is scaled to 1.
    """
    # The last one: a model that thinks aloud may have tried others before.
    ends = [found.end() for found in _VERDICT.finditer(b"".join(token.text for token in tokens))]
    start = 0
    for token in tokens if ends else ():
        if start <= ends[-1] < start + len(token.text):
            return _masses(token, token.text[: ends[-1] - start])
        start += len(token.text)
    return None


def p_right(masses: dict[Verdict, float]) -> float:
    """The probability that the turn is right: the mass of the verdicts on the right side."""
    return min(1.0, sum(mass for verdict, mass in masses.items() if verdict.on_right_side))


def _masses(token: Token, before: bytes) -> dict[Verdict, float] | None:
    """`before` is what of the token stands before the value, such as the quote."""
    masses = dict.fromkeys(Verdict, 0.0)
    for text, logprob in token.choices:
        verdict = _begun(text[len(before) :]) if text.startswith(before) else None
        if verdict is not None:
            masses[verdict] += exp(min(0.0, logprob))
    total = sum(masses.values())
    return {verdict: mass / total for verdict, mass in masses.items()} if total > 0 else None


def _begun(text: bytes) -> Verdict | None:
    """The verdict that `text` begins, or is followed by a closing quote; no two of the words begin alike."""
    begun = text.lower().partition(b'"')[0].strip().replace(b" ", b"_").replace(b"-", b"_")
    return next((verdict for verdict, word in _WORDS.items() if begun and word.startswith(begun)), None)
