"""`--fail-under FIGURE=X`: gates that only the user sets."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from stef.errors import UserError
from stef.gold.reading import FIGURES, AgentOverview, Behaviour, Rate

_BEHAVIOUR: dict[str, Callable[[Behaviour], Rate]] = {
    "decline_precision": lambda found: found.decline.precision,
    "decline_recall": lambda found: found.decline.recall,
    "clarification_precision": lambda found: found.clarification.precision,
    "clarification_recall": lambda found: found.clarification.recall,
    "answering": lambda found: found.answering,
    "controls_answered": lambda found: found.controls_answered,
}
"""Shares of how an agent behaves that are better the higher they are."""
_RATES = ("correct", "executable", *_BEHAVIOUR)


@dataclass(frozen=True, slots=True)
class Gate:
    """A figure, and the least that it must be."""

    figure: str
    least: float


def read_gates(texts: Iterable[str]) -> tuple[Gate, ...]:
    """The gates that the user gives as `correct=0.8`. Raises UserError for an unknown figure or no share."""
    return tuple(map(_gate, texts))


def _gate(text: str) -> Gate:
    figure, _, number = text.partition("=")
    figure = figure.strip() or "correct"
    known = [*_RATES, *(name for figures in FIGURES.values() for name in figures)]
    if figure not in known:
        from rapidfuzz import process  # noqa: PLC0415  only for the message

        near = ", ".join(name for name, _, _ in process.extract(figure, known, limit=3))
        raise UserError(f"--fail-under {text}: no figure {figure!r}; near it are {near}")
    try:
        least = float(number)
    except ValueError:
        least = -1.0
    if not 0.0 <= least <= 1.0:
        raise UserError(f"--fail-under {text}: write a share from 0 to 1, such as {figure}=0.8")
    return Gate(figure, least)


def failures(gates: Iterable[Gate], agents: Iterable[AgentOverview]) -> list[str]:
    """What each agent falls short of, in words. A figure that is undefined falls short too: nothing was shown."""
    found = []
    for agent in agents:
        for gate in gates:
            value = _value(agent, gate.figure)
            if value is None or value < gate.least:
                shown = "undefined" if value is None else f"{value:.4f}"
                found.append(f"{agent.agent}: {gate.figure} is {shown}, below {gate.least:g}")
    return found


def _value(agent: AgentOverview, figure: str) -> float | None:
    if figure == "correct":
        return agent.whole.correct.share
    if figure == "executable":
        return agent.whole.executable.share
    if figure in _BEHAVIOUR:
        return _BEHAVIOUR[figure](agent.behaviour).share if agent.behaviour else None
    return next((means[figure].value for means in agent.whole.means.values() if figure in means), None)
