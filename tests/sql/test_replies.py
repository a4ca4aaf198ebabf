"""What a text says in place of an answer, what a constant says, and how a turn ended."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from stef.records.gold import Outcome
from stef.records.turn import Turn
from stef.sql.clean import clean
from stef.sql.replies import Markers, Says, outcome_of_status, outcome_of_turn, said_by_constant, says

TEXTS = yaml.safe_load((Path(__file__).parent / "replies.yaml").read_text("utf-8"))
TURNS = yaml.safe_load((Path(__file__).parent / "reply_turns.yaml").read_text("utf-8"))


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in TEXTS.items() for text in texts])
def test_what_a_text_says(kind: str, text: str) -> None:
    """It declines, asks back, makes small talk, tells of a failure, or states something, in any of the languages."""
    assert says(text) is Says(kind)


@pytest.mark.parametrize(("outcome", "fields"), TURNS)
def test_how_a_turn_ended(outcome: str, fields: dict[str, Any]) -> None:
    """The agent's own word comes first, then its SQL, then its text."""
    turn = Turn(question="q", **fields)
    assert outcome_of_turn(turn, clean(turn.sql or "").text) is Outcome(outcome)


WORDS = {
    Outcome.DECLINED: "declined REFUSED Outcome.DECLINED no_answer NotAnswerable cannot_answer out-of-scope "
    "unanswerable off_topic "
    "insufficient_data unsupported abstain rejected could_not_answer abgelehnt refusal not_supported",
    Outcome.CLARIFIED: "clarified clarify NEEDS_CLARIFICATION clarification-required askUser ask_back ambiguous "
    "follow_up disambiguation Rückfrage awaiting_user awaitingInput needs_more_info",
    Outcome.FAILED: "failed FAILURE error agent_error timeout timed-out crashed exception aborted max_iterations",
    Outcome.ANSWERED: "answered Answer AnsweredWithSQL answerable",
    None: "ok success done completed 200 finished no_error unknown",
}


@pytest.mark.parametrize(
    ("word", "outcome"), [(word, outcome) for outcome, words in WORDS.items() for word in words.split()]
)
def test_an_agents_own_word(word: str, outcome: Outcome | None) -> None:
    """It is known in many spellings; what is said of the call says nothing of the outcome."""
    assert outcome_of_status(word) is outcome


def test_an_applications_own_phrases() -> None:
    """They count beside the usual ones, in a text as in a constant."""
    markers = Markers(("ask your manager",), ("pick a lane",))
    turns = {"SELECT 'Ask your manager!'": Outcome.DECLINED, "Pick a lane": Outcome.CLARIFIED}
    for sql, outcome in turns.items():
        assert outcome_of_turn(Turn(question="q", sql=sql), sql, markers) is outcome


@pytest.mark.parametrize(
    "sql", ["SELECT name FROM film", "SELECT 1 FROM film WHERE 'a' = name", "SELECT 'a' || name FROM film", "SELECT"]
)
def test_a_query_that_reads_data_is_no_constant(sql: str) -> None:
    """Whatever else stands in it."""
    assert said_by_constant(sql) is None


def test_hostile_texts_take_no_time() -> None:
    """Long and repeated texts are bounded before anything looks at them."""
    for text in (
        "which " * 50_000,
        "?" * 50_000,
        "I can " * 50_000,
        "SELECT '" + "(" * 3_000,
        "no " * 90_000,
        "(" * 99_999,
    ):
        assert isinstance(says(text), Says)
        said_by_constant("SELECT '" + text)
        outcome_of_turn(Turn(question="q", sql=text, answer=text, outcome=text), text)
