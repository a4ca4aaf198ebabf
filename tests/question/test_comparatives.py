"""Comparatives: cases as data, and laws."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.question.comparatives import ComparisonKind, ComparisonMention, find_comparisons
from stef.question.numbers import find_numbers
from stef.question.periods import find_periods
from stef.question.words import tokenize

CASES = yaml.safe_load((Path(__file__).parent / "comparatives.yaml").read_text("utf-8"))


def shown(one: ComparisonMention) -> str:
    """A comparison in the notation of the cases."""
    if one.kind is ComparisonKind.AGGREGATE:
        what = f"{one.comparator}{one.aggregate}"
    elif one.kind is ComparisonKind.EQUAL:
        what = f"{'!' if one.negated else ''}={one.value}"
    else:
        assert one.interval
        low, high = one.interval.low, one.interval.high
        left = f"{'[' if low.inclusive else '('}{low.value}" if low else "("
        right = f"{high.value}{']' if high.inclusive else ')'}" if high else ")"
        what = f"{left},{right}"
    parts = ["" if one.certain else "?", what]
    parts += [f" {one.dimension[0]}" if one.dimension else "", " flips" if one.flips else ""]
    parts += [f" < {one.left[0]}" if one.left else "", f" > {one.right[0]}" if one.right else ""]
    return "".join(parts)


def read(text: str) -> list[ComparisonMention]:
    words = tokenize(text)
    return list(find_comparisons(text, words, find_numbers(text, words), find_periods(text, words)))


@pytest.mark.parametrize(("text", "expected"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_a_comparison_means_its_interval(text: str, expected: list[str]) -> None:
    assert [shown(one) for one in read(text)] == expected


@given(st.integers(0, 1500), st.integers(0, 1500))
def test_between_holds_both_ends(one: int, other: int) -> None:
    mention = read(f"inns with between {one} and {other} rooms")[0]
    assert mention.interval and mention.interval.low and mention.interval.high
    assert (mention.interval.low.value, mention.interval.high.value) == (min(one, other), max(one, other))
    assert mention.interval.low.inclusive and mention.interval.high.inclusive


@given(st.integers(0, 1500))
def test_no_more_is_the_complement_of_more(value: int) -> None:
    more, no_more = read(f"inns with more than {value}")[0], read(f"inns with no more than {value}")[0]
    assert more.interval and no_more.interval and more.interval.low and no_more.interval.high
    assert more.interval.low.value == no_more.interval.high.value
    assert more.interval.low.inclusive != no_more.interval.high.inclusive


_PIECES = "5 than more or equal to not no at least between and is of average older years old , >= expensive the 7 -"


@given(st.lists(st.sampled_from(_PIECES.split(" ")), max_size=9))
def test_no_text_breaks_comparisons(pieces: list[str]) -> None:
    text = " ".join(pieces)
    for mention in read(text):
        assert text[slice(*mention.span)] == mention.text
