"""The rule reader, by cases and by laws."""

import json
from datetime import datetime
from pathlib import Path

import pytest
import spoken_specs as spoken
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from stef.question.note_codes import NOTE_CODES
from stef.question.read import MAX_CHARACTERS, read_question
from stef.records.reading import MentionKind
from stef.records.reasons import UnscoredReason
from stef.records.spec import Select, SetOp

HERE = Path(__file__).parent


def _cases(name: str) -> list[dict]:
    return yaml.safe_load((HERE / name).read_text(encoding="utf-8"))


def _name(case: dict) -> str:
    return case.get("id") or case.get("question") or case.get("text")


@pytest.mark.parametrize("case", _cases("read_read.yaml") + _cases("read_superlatives.yaml"), ids=_name)
def test_reading(case):
    reading = read_question(case["question"])
    spec = reading.spec
    if isinstance(spec, SetOp):
        assert spec.kind == case["set"]
        spec = spec.branches[0]
    else:
        assert "set" not in case
    said = {
        "shows": [spoken.expr(one.expr) for one in spec.projections],
        "filters": [spoken.clause(one) for one in spec.filters],
        "groups": [spoken.expr(one) for one in spec.group_by],
        "order": [spoken.order(one) for one in spec.order],
        "tops": [spoken.top(one) for one in spec.tops],
        "distinct": spec.distinct,
        "offset": spec.offset,
        "filter_count": len(spec.filters),
    }
    for key, value in case.items():
        if key in said:
            assert said[key] == value, key
    codes = {note.code for note in reading.notes}
    assert codes <= NOTE_CODES.keys()
    assert set(case.get("notes", ())) <= codes
    assert not set(case.get("no_notes", ())) & codes


@pytest.mark.parametrize("case", _cases("read_values.yaml"), ids=_name)
def test_values(case):
    reading = read_question(case["question"])
    found = {m.text: m.certain for m in reading.mentions if m.kind is MentionKind.VALUE}
    assert found == case["values"]


@pytest.mark.parametrize("case", _cases("read_hints.yaml"), ids=_name)
def test_hints(case):
    reading = read_question(case["text"])
    said = {
        "conditions": [spoken.clause(m.clause) for m in reading.mentions if m.kind is MentionKind.HINT and m.clause],
        "ties": [f"{t.phrase.text} -> {_target(t.target)}" for t in reading.ties],
        "formulas": [f"{f.phrase.text} := {spoken.expr(f.expr)}" for f in reading.formulas],
    }
    for key in said:
        if key in case:
            assert said[key] == case[key], key


def _target(target) -> str:
    return ("~" if type(target).__name__ == "Phrase" else "") + spoken.expr(target)


_LANGUAGES = _cases("read_language.yaml")


@pytest.mark.parametrize("text", _LANGUAGES["english"])
def test_english_is_read(text):
    assert read_question(text).unreadable is None


@pytest.mark.parametrize(
    ("language", "text"), [(name, text) for name, texts in _LANGUAGES["foreign"].items() for text in texts]
)
def test_other_languages_are_named(language, text):
    unreadable = read_question(text).unreadable
    assert unreadable is not None
    assert unreadable.reason is UnscoredReason.QUESTION_NOT_READABLE
    assert language in unreadable.detail


@pytest.mark.parametrize("text", _LANGUAGES["wordless"])
def test_wordless_texts_are_not_readable(text):
    assert read_question(text).unreadable is not None


def test_spans_point_at_their_words():
    question = "How many clerks older than 50 live in Graz since 2021?"
    for mention in read_question(question).mentions:
        assert question[slice(*mention.span)] == mention.text


def test_follow_up_keeps_what_it_does_not_replace():
    earlier = "How many parcels were sent to Graz in 2022 per depot?"
    reading = read_question("and in 2023?", history=(earlier,))
    assert isinstance(reading.spec, Select)
    said = [spoken.clause(one) for one in reading.spec.filters]
    assert any("2023-01-01" in one for one in said)
    assert not any("2022-01-01" in one for one in said)
    assert any("graz" in one for one in said)
    assert [spoken.expr(one.expr) for one in reading.spec.projections] == ["COUNT(parcels)"]
    assert [spoken.expr(one) for one in reading.spec.group_by] == ["depot"]


def test_follow_up_replaces_a_value():
    reading = read_question("What about Linz?", history=("How many depots are in Graz?",))
    values = [m.text for m in reading.mentions if m.kind is MentionKind.VALUE]
    assert values == ["Linz"]


def test_a_question_of_its_own_leaves_history_alone():
    reading = read_question("How many vans are there?", history=("How many depots are in Graz?",))
    assert reading == read_question("How many vans are there?")


def test_long_texts_are_cut_and_say_so():
    reading = read_question("show the vans " * 100_000)
    assert any(note.code == "question_cut" for note in reading.notes)
    assert len(reading.text) == MAX_CHARACTERS


_WORDS = ["of", "the", "most", "average", "how", "many", "by", "both", "and", "or", "not", "each", "sorted", "top", "5"]


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(st.sampled_from([*_WORDS, "'Graz'", "Linz", ",", "?"])).map(" ".join)))
def test_any_text_is_read_or_refused(text):
    """No text raises, and exactly one of `spec` and `unreadable` is there."""
    reading = read_question(text)
    assert (reading.spec is None) != (reading.unreadable is None)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_hint_is_read_or_left(hint):
    assert read_question(f"How many vans are red?\nred refers to {hint}").spec is not None


@pytest.mark.parametrize("case", _cases("read_hostile.yaml"), ids=_name)
def test_hostile_texts_are_read(case):
    """Long, nested and repeated texts cost no more than their length, and none raises."""
    reading = read_question(case.get("head", "") + case["text"] * case["times"])
    assert (reading.spec is None) != (reading.unreadable is None)


def test_the_same_question_is_read_once():
    now = datetime(2024, 5, 1)
    assert read_question("Show vans of last month", now=now) is read_question("Show vans of last month", now=now)


@pytest.mark.shared
@pytest.mark.parametrize("name", ["spider_agents", "bird_agents", "nl2sql_bugs", "superhero_agents"])
def test_real_questions_are_english(shared_dir, name):
    questions = set()
    with (shared_dir / "data" / "turns" / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            turn = json.loads(line)
            questions |= {turn["question"], turn.get("enriched_question") or turn["question"]}
    assert [question for question in sorted(questions) if read_question(question).unreadable] == []


def test_a_value_of_signs_at_the_end_is_read() -> None:
    """A hint may end with a value that holds no word at all."""
    reading = read_question("Find the carcinogenic molecules. carcinogenic refers to label = '+'")
    assert [one.text for one in reading.mentions] == ["+"]
