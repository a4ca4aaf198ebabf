"""What stef needs of an agent and of a retriever."""

from typing import Protocol, runtime_checkable

from stef.records.asking import AgentReply, AgentRequest, Retrieved


@runtime_checkable
class Agent(Protocol):
    """Whoever turns a question into SQL. Several threads may ask at once.

    `can_hide` says that the agent gets the ids to hide, so that leave-one-out can be in force. `reads` are the fields
    that its description declares, empty where nothing is declared. `ask` never raises for a question that went wrong:
    the reply carries the fault. It raises AgentSetupError where no question can be asked at all.
    """

    @property
    def name(self) -> str:
        """What the agent is called in every output."""

    @property
    def version(self) -> str | None:
        """Its version, where it has one."""

    @property
    def can_hide(self) -> bool:
        """Whether the ids to hide reach it."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The fields that its description declares."""

    def ask(self, request: AgentRequest) -> AgentReply:
        """The agent's turn, or why there is none."""

    def close(self) -> None:
        """Let go of connections and processes; asking is over."""


@runtime_checkable
class Retriever(Protocol):
    """Whoever finds the tables for a question. Several threads may ask at once; the members are as an Agent's."""

    @property
    def name(self) -> str:
        """What the retriever is called."""

    @property
    def can_hide(self) -> bool:
        """Whether the ids to hide reach it."""

    def retrieve(self, request: AgentRequest) -> Retrieved:
        """The CREATE statements and examples that it offers, or why there are none."""

    def close(self) -> None:
        """Let go of connections and processes."""
