"""How a turn ended: by the agent's own word, else by its SQL, else by its text."""

from stef.records.asking import AgentReply
from stef.records.gold import Outcome
from stef.sql.clean import clean
from stef.sql.refusals import looks_like_refusal
from stef.sql.starts import begins_statement

_WORDS = {
    Outcome.DECLINED: ("declined", "decline", "refused", "refusal", "unsupported", "unanswerable", "rejected"),
    Outcome.CLARIFIED: ("clarified", "clarify", "clarification", "needs_clarification", "asked_back"),
    Outcome.FAILED: ("failed", "failure", "error", "crashed", "timeout"),
}
_SAID = {word: outcome for outcome, words in _WORDS.items() for word in words}


def outcome_of(reply: AgentReply, sql: str, markers: tuple[str, ...] = ()) -> Outcome:
    """How the turn ended. `sql` is its query as `runnable_sql` gives it; `markers` are the application's refusals."""
    if reply.fault is not None:
        return Outcome.FAILED
    turn = reply.turn
    said = _SAID.get((turn.outcome or "").strip().casefold().replace(" ", "_"))
    if said is not None:
        return said
    if sql:
        refused = not begins_statement(sql) and looks_like_refusal(turn.sql or "", markers)
        return Outcome.DECLINED if refused else Outcome.ANSWERED
    text = turn.answer or ""
    if not text.strip():
        return Outcome.FAILED
    return Outcome.DECLINED if looks_like_refusal(text, markers) else Outcome.NO_QUERY


def runnable_sql(reply: AgentReply, dialect: str | None) -> str:
    """The query in what the agent wrote, without fences, prose and comments; empty where there is none."""
    text = reply.turn.sql
    return clean(text, dialect).text if text and text.strip() else ""
