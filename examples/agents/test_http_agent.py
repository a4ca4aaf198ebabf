"""Run it with pytest in your own suite: it fails once the agent's replies and http_agent.yaml no longer fit."""

from pathlib import Path

from stef.agents import assert_extractor

HERE = Path(__file__).parent


def test_file_still_finds_what_it_reads() -> None:
    """Each path finds a value in some recorded reply."""
    assert_extractor(HERE / "http_agent.yaml", HERE / "replies.jsonl")
