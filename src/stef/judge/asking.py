"""Asking a model for a verdict: the reply is read strictly, and what is wrong with it is said once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from stef.errors import JudgeReplyError, JudgeSetupError
from stef.judge.likelihood import p_right, verdict_masses
from stef.judge.options import ConfidenceFrom
from stef.judge.reply import Reply, read_reply
from stef.judge.verdicts import p_correct
from stef.llm.client import ChatRequest, Client, Completion, Forgetting, Message
from stef.llm.cost import add_usage
from stef.records.judgement import Usage

ASKS: Final = 2
# A verdict in words alone, even after a second ask: the verdict counts, and its confidence as the least there is.
UNSTATED_CONFIDENCE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply that could be read, the probability that the turn is right by it, and what all asks cost.

    `confidence_from` is where the probability comes from: what the reply states, or its log-probabilities.
    """

    reply: Reply
    p_correct: float
    usage: Usage
    confidence_from: ConfidenceFrom

    @property
    def confidence(self) -> float:
        """γ of the verdict in [0, 1]."""
        return self.p_correct if self.reply.verdict.on_right_side else 1.0 - self.p_correct

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reply's reasons; where no confidence was stated they say so."""
        if self.reply.confidence is not None or self.confidence_from is not ConfidenceFrom.STATED:
            return self.reply.reasons
        return (*self.reply.reasons, f"The judge stated no confidence; {UNSTATED_CONFIDENCE} is counted.")


class Asker:
    """Asks `client` up to `asks` times: after a reply that can't be read, once more, with what is wrong with it.

    `form` is the reply that is asked for, in words.
    """

    def __init__(self, client: Client, form: str, asks: int = ASKS) -> None:
        self._client = client
        self._form = form
        self._asks = asks
        self._told_logprobs = False

    async def ask(self, request: ChatRequest) -> Answer:
        """The model's answer to `request`. Raises JudgeReplyError, and what the client raises.

        Raises JudgeSetupError where log-probabilities are asked for and the server tells none.
        """
        usage = Usage()
        asked = request
        for ask in range(1, self._asks + 1):
            completion = await self._client.complete(asked)
            usage = _with_latency(completion) if ask == 1 else _in_turn(usage, _with_latency(completion))
            if request.logprobs:
                self._check_logprobs(completion)
            try:
                reply = _read(completion, stated=not request.logprobs)
                if reply.confidence is None and ask < self._asks and not request.logprobs:
                    raise JudgeReplyError("the judge's reply is not readable: it states no confidence", completion.text)
                source = ConfidenceFrom.LOGPROB if request.logprobs else ConfidenceFrom.STATED
                return Answer(reply, _p_correct(reply, completion, request.logprobs), usage, source)
            except JudgeReplyError as error:
                _forget(self._client, asked)
                if ask == self._asks:
                    raise JudgeReplyError(f"{self._client.model}: {error}", error.reply) from error
                messages = self._asked_again(request.messages, error)
                asked = replace(request, messages=messages, max_tokens=request.max_tokens * (ask + 1))
        raise AssertionError("unreachable")

    async def close(self) -> None:
        """Let go of connections."""
        await self._client.close()

    def _check_logprobs(self, completion: Completion) -> None:
        if completion.tokens is not None:
            self._told_logprobs = True
        elif not self._told_logprobs:
            raise JudgeSetupError(
                f"{self._client.model}: --confidence logprob needs log-probabilities, and the server told none; "
                "use --confidence stated or --confidence samples"
            )

    def _asked_again(self, messages: Sequence[Message], error: JudgeReplyError) -> tuple[Message, ...]:
        again = f"No verdict could be taken from that: {error}. Reply again, with one JSON object and nothing else: "
        said = (Message("assistant", error.reply),) if error.reply.strip() else ()
        return (*messages, *said, Message("user", again + self._form))


def _forget(client: Client, asked: ChatRequest) -> None:
    """A reply that can't be read is not kept: whoever comes next asks anew."""
    if isinstance(client, Forgetting):
        client.forget(asked)


def _read(completion: Completion, *, stated: bool) -> Reply:
    if completion.refusal and not completion.text:
        raise JudgeReplyError(f"the judge refused: {completion.refusal[:200]}", completion.refusal)
    if completion.finish_reason == "content_filter":
        raise JudgeReplyError("the judge's reply was withheld by the server's content filter", completion.text)
    if completion.finish_reason == "length":
        raise JudgeReplyError("the judge's reply was cut off at its greatest length", completion.text)
    return read_reply(completion.text, stated=stated)


def _p_correct(reply: Reply, completion: Completion, logprobs: bool) -> float:
    if not logprobs:
        return p_correct(reply.verdict, UNSTATED_CONFIDENCE if reply.confidence is None else reply.confidence)
    masses = None if completion.tokens is None else verdict_masses(completion.tokens)
    if masses is None:
        raise JudgeReplyError("the log-probabilities do not tell the verdict's", completion.text)
    return p_right(masses)


def _with_latency(completion: Completion) -> Usage:
    return replace(completion.usage, latency_s=completion.latency_s)


def _in_turn(first: Usage, then: Usage) -> Usage:
    waits = [usage.latency_s for usage in (first, then) if usage.latency_s is not None]
    return replace(add_usage(first, then), latency_s=sum(waits) if waits else None)
