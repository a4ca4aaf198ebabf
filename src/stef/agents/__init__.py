"""Who is asked: agents and retrievers behind one protocol each. What comes back is a Turn, or a named fault."""

from stef.agents.checking import ExtractorCheck, assert_extractor, check_extractor, empty_fields, leaks
from stef.agents.function import agent_of, retriever_of
from stef.agents.opening import open_agent, open_agents, open_retriever
from stef.agents.protocol import Agent, Retriever
from stef.agents.recording import record_replies
from stef.agents.replay import replays

__all__ = [
    "Agent",
    "ExtractorCheck",
    "Retriever",
    "agent_of",
    "assert_extractor",
    "check_extractor",
    "empty_fields",
    "leaks",
    "open_agent",
    "open_agents",
    "open_retriever",
    "record_replies",
    "replays",
    "retriever_of",
]
