"""Who is asked: agents and retrievers behind one protocol each. What comes back is a Turn, or a named fault."""

from stef.agents.function import agent_of, retriever_of
from stef.agents.opening import open_agent, open_agents, open_retriever
from stef.agents.protocol import Agent, Retriever
from stef.agents.replay import replays

__all__ = ["Agent", "Retriever", "agent_of", "open_agent", "open_agents", "open_retriever", "replays", "retriever_of"]
