"""How an agent's reply ended, and the query that it gave."""

from stef.records.asking import AgentReply
from stef.records.gold import Outcome
from stef.rules import AppRules
from stef.sql.clean import clean
from stef.sql.replies import Markers, outcome_of_turn

_WITH_QUERY = frozenset({Outcome.ANSWERED, Outcome.FELL_BACK, Outcome.FAILED})


def outcome_of(reply: AgentReply, sql: str, rules: AppRules | None = None) -> Outcome:
    """How the turn ended: failed where the agent broke, else as `outcome_of_turn` reads it.

    `sql` is its query as `runnable_sql` gives it; `rules` hold the application's own phrases.
    """
    if reply.fault is not None:
        return Outcome.FAILED
    markers = None if rules is None else Markers(rules.refusal_markers, rules.clarification_markers)
    return outcome_of_turn(reply.turn, sql, markers)


def runnable_sql(reply: AgentReply, dialect: str | None) -> str:
    """The query in what the agent wrote, without fences, prose and comments; empty where there is none."""
    text = reply.turn.sql
    return clean(text, dialect).text if text and text.strip() else ""


def gives_query(outcome: Outcome) -> bool:
    """Whether a turn that ended so gave its query as an answer, so that it is run."""
    return outcome in _WITH_QUERY
