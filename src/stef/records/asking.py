"""What goes to an agent or a retriever, and what comes back: always a Turn, or the tables that were offered."""

from dataclasses import dataclass
from enum import StrEnum

from stef.records.turn import Turn


@dataclass(frozen=True, slots=True)
class AgentRequest:
    """One question to an agent.

    `hide` are the ids of examples that must not be used: the case itself, its paraphrases, its twins. `paraphrase`
    says that the question is another phrasing of the case's, so that a log must hold this very question.
    `sample` counts how often the same was asked before: a log gives its next turn for it.
    """

    question: str
    case_id: str | None = None
    database: str | None = None
    hint: str | None = None
    hide: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    timeout: float = 120.0
    paraphrase: bool = False
    sample: int = 0


class AgentFault(StrEnum):
    """Why an agent gave no turn that could be read."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    CRASH = "crash"  # it raised, ended with an error code, or answered with an HTTP error
    NOT_READABLE = "not_readable"  # an HTML page, broken JSON, a reply without the fields that the description names
    NO_TURN = "no_turn"  # a replayed log holds nothing for this case


@dataclass(frozen=True, slots=True)
class AgentReply:
    """The agent's turn (with `outcome="failed"` where it failed), why it failed, and the seconds that it took.

    `offered_examples` are the ids of the examples that the agent says it used: one of the hidden ones is a leak.
    """

    turn: Turn
    fault: AgentFault | None = None
    detail: str = ""
    seconds: float | None = None
    offered_examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a retriever offered for a question: CREATE statements, and the ids of examples. `fault` where it failed."""

    ddl: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    fault: AgentFault | None = None
    detail: str = ""
    seconds: float | None = None
