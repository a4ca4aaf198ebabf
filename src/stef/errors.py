"""Errors that stef raises. Each message says what is wrong, where, and the way out."""


class StefError(Exception):
    """Base of every error that stef raises on purpose. `exit_code` is what a command ends with."""

    exit_code = 3


class UserError(StefError):
    """A mistake of the user's: a wrong argument, a broken file, a missing field."""

    exit_code = 2


class InputError(UserError):
    """A log, a labels file or a RUN that cannot be read as asked."""


class RulesError(UserError):
    """An application-rules file that is not valid; the message holds the path inside the JSON."""


class RunExistsError(UserError):
    """A RUN folder that holds a run with other settings; nothing was written."""


class JudgeSetupError(UserError):
    """A judge that cannot work at all: no key, a bad key, an unknown model or judge. It stops the run."""


class AgentSetupError(UserError):
    """An agent that cannot be asked at all: no such function, a bad description, a bad key. It stops the run."""


class JudgeUnavailableError(StefError):
    """A judge that did not answer this time, after all retries."""


class JudgeReplyError(StefError):
    """A judge's reply that is not on the scale. `reply` is its text."""

    def __init__(self, message: str, reply: str = "") -> None:
        super().__init__(message)
        self.reply = reply


class BudgetError(StefError):
    """The budget of the run is spent."""


class StoreError(StefError):
    """The store of judgements cannot be used: locked, damaged, full, or no store."""


class JudgeDownError(StefError):
    """The judge has answered nobody for so long that the run stops; the same command goes on."""


class StoppedError(StefError):
    """A person asked the run to stop; nothing new is asked."""
