"""The enriched question against the question: cases as data, on the rule reader's own readings, and laws."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stef.alignment.enrichment import check_enrichment
from stef.question.read import read_question
from stef.records.alignment import EnrichmentVerdict
from stef.records.reading import QuestionReading

CASES = yaml.safe_load((Path(__file__).parent / "enrichment.yaml").read_text("utf-8"))
QUESTIONS = tuple(dict.fromkeys(case[0] for case in CASES))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} / {case[1]}")
def test_a_rewording_keeps_drops_adds_or_contradicts(case: list[Any]) -> None:
    question, enriched, verdict, *rest = case
    found = check_enrichment(read_question(question), read_question(enriched) if enriched is not None else None)
    assert found.verdict == verdict, found
    for name, words in (rest[0] if rest else {}).items():
        assert any(words in one for one in getattr(found, name)), found


@given(st.sampled_from(QUESTIONS))
def test_a_question_is_faithful_to_itself(question: str) -> None:
    found = check_enrichment(read_question(question), read_question(f" {question}  "))
    assert (found.verdict, found.dropped, found.added, found.contradicted) == (EnrichmentVerdict.FAITHFUL, (), (), ())


@given(st.sampled_from(QUESTIONS), st.sampled_from(QUESTIONS))
def test_what_one_side_drops_the_other_does_not_add_too(one: str, other: str) -> None:
    found = check_enrichment(read_question(one), read_question(other))
    assert not set(found.dropped) & set(found.added)


def test_a_reading_without_a_spec_is_compared_as_empty() -> None:
    assert (
        check_enrichment(QuestionReading("pumps"), QuestionReading("the pumps")).verdict is EnrichmentVerdict.FAITHFUL
    )
