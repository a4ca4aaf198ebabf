"""The asked side: worked out once for one question, and never taken from another."""

from dataclasses import replace

from stef.alignment.asked import asked_of
from stef.alignment.policy import Policy
from stef.question.read import read_question
from stef.records.alignment import EnrichmentVerdict


def test_one_question_is_worked_out_once() -> None:
    """Two turns on one question share its asked side."""
    policy, question = Policy(), read_question("How many pumps are in Lisbon?")
    assert asked_of(policy, question, None) is asked_of(policy, question, None)


def test_what_only_looks_the_same_is_worked_out_anew() -> None:
    """Other rules, or a reading that is equal but for places in the text, have an asked side of their own."""
    question = read_question("How many pumps are in Lisbon?")
    moved = replace(question)
    assert moved == question
    one, other = asked_of(Policy(), question, None), asked_of(Policy(), moved, None)
    assert one is not other
    assert other.question is moved


def test_the_asked_side_holds_what_follows_from_it() -> None:
    """The check of the rewording, the wanted filters and the words of both."""
    asked = asked_of(
        Policy(), read_question("How many pumps are in Lisbon?"), read_question("How many pumps are in Porto?")
    )
    assert asked.enrichment.verdict is EnrichmentVerdict.CONTRADICTS
    assert [want.text for want in asked.wanted] == ["Lisbon"]
    assert "lisbon" in asked.grounds.question.text
    assert "porto" in asked.grounds.both.text
    assert asked.described
