"""Numbers: cases as data, and laws."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.question.numbers import NumberMention, find_numbers
from stef.question.words import tokenize

CASES = yaml.safe_load((Path(__file__).parent / "numbers.yaml").read_text("utf-8"))


def shown(number: NumberMention) -> str:
    """A number in the notation of the cases."""
    flags = [name for name in ("ordinal", "percent", "label", "quoted") if getattr(number, name)]
    named = [f"{name}={value}" for name in ("currency", "unit") if (value := getattr(number, name))]
    return " ".join((str(number.value), *flags, *named))


def read(text: str) -> list[NumberMention]:
    return list(find_numbers(text, tokenize(text)))


@pytest.mark.parametrize(("text", "expected"), CASES, ids=lambda value: value if isinstance(value, str) else "")
def test_numbers_have_their_value_and_marks(text: str, expected: list[str]) -> None:
    assert [shown(one) for one in read(text)] == expected


@given(st.integers(0, 10**12))
def test_separators_change_no_value(value: int) -> None:
    assert [one.value for one in read(f"at least {value} or {value:,}")] == [value, value]


@given(st.text(alphabet=st.sampled_from("0123456789,.-/%$² k٣oneandtwo half'\"#:"), max_size=40))
def test_no_text_breaks_numbers(text: str) -> None:
    for number in read(text):
        assert text[slice(*number.span)] == number.text


def test_a_number_of_many_digits_is_read() -> None:
    assert read("9" * 5000)[0].value == 1e40
