"""Words: cases as data, and laws."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.question.words import name_stems, stem, tie, tokenize

CASES = yaml.safe_load((Path(__file__).parent / "words.yaml").read_text("utf-8"))


def _stems(text: str) -> tuple[str, ...]:
    return tuple(word.stem for word in tokenize(text))


@pytest.mark.parametrize(("one", "other"), CASES["stems"]["same"])
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), CASES["stems"]["different"])
def test_other_words_have_other_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(("name", "stems"), CASES["names"])
def test_an_identifier_parts_into_its_words(name: str, stems: str) -> None:
    assert " ".join(name_stems(name)) == stems


@pytest.mark.parametrize(("phrase", "meant", "other"), CASES["closer"])
def test_a_phrase_ties_to_what_it_names(phrase: str, meant: str, other: str) -> None:
    assert tie(_stems(phrase), name_stems(meant)) > tie(_stems(phrase), name_stems(other))


def test_words_have_their_place_and_their_stop_mark() -> None:
    text = "How many singers' FavoriteCount isn't over 1,000?"
    words = tokenize(text)
    assert [word.text for word in words] == ["How", "many", "singers", "Favorite", "Count", "isn't", "over", "1,000"]
    assert all(text[slice(*word.span)] == word.text for word in words)
    assert [word.stop for word in words] == [True, True, False, False, False, True, True, False]


_NAMES = st.lists(st.sampled_from(["eye", "color", "id", "count", "name", "sal", "price", "2"]), min_size=1, max_size=4)


@given(_NAMES)
def test_a_name_ties_to_itself_fully(parts: list[str]) -> None:
    assert tie(parts, parts) == 1.0


@given(_NAMES, _NAMES)
def test_a_tie_lies_between_zero_and_one(one: list[str], other: list[str]) -> None:
    assert 0.0 <= tie(one, other) <= 1.0


@given(st.text(max_size=60))
def test_no_text_breaks_words(text: str) -> None:
    for word in tokenize(text):
        assert text[slice(*word.span)] == word.text
    name_stems(text)
