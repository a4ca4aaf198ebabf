"""Figures over many turns: the agent table, agreement with labels, intervals."""

from stef.stats.agents import AgentSummary, AgentTable, ScoreRow, agent_table
from stef.stats.means import mean, percentile

__all__ = ["AgentSummary", "AgentTable", "ScoreRow", "agent_table", "mean", "percentile"]
