"""What watching comes to, in plain sentences."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from stef.runs.compare.words import between, points
from stef.runs.monitor.model import Blame, Cause, Change, Monitored, Move, Series
from stef.stats.periods import By

_PERIODS = {By.DAY: "days", By.WEEK: "weeks", By.HOUR: "hours"}
_SUBJECTS = {
    "score": "scores",
    "score_again": "scores of the same questions",
    "p_correct": "the chance of being right",
    "readable": "readable SQL",
    "declined": "declined turns",
}
_MOST_MOVES = 3


def headlines(found: Monitored, titles: dict[str, str]) -> Iterator[str]:
    """One sentence for each change of the answers, those of the yardstick, and one for each series without any.

    `titles` are those of findings, by code.
    """
    for one in found.yardsticks:
        what = "; ".join(one.what)
        yield f"measured otherwise from {one.since.label} on ({what}): a series of its own, no drift of the agent's"
    for each in found.series:
        lead = _lead(found, each)
        for changes in together(each.changes):
            yield f"{lead}{sentence(changes[0], titles)}{_beside(changes[1:])}"
        if not each.changes:
            yield f"{lead}{_quiet(found, each)}"
        for line in _questions(each):
            yield f"{lead}{line}"


def together(changes: Sequence[Change]) -> list[tuple[Change, ...]]:
    """Changes of several figures that may be one: all for the worse or none, and at a time that all of them allow.

    The score comes first, where it is among them.
    """
    order = {name: place for place, name in enumerate(_SUBJECTS)}
    groups: list[list[Change]] = []
    for change in sorted(changes, key=lambda one: (order[one.figure], one.since)):
        group = next((held for held in groups if _one(held, change)), None)
        if group is None:
            groups.append([change])
        else:
            group.append(change)
    return sorted((tuple(group) for group in groups), key=lambda group: group[0].since)


def _one(group: Sequence[Change], change: Change) -> bool:
    first = group[0]
    return (
        first.worse == change.worse
        and all(change.figure != held.figure for held in group)
        and first.earliest <= change.latest
        and change.earliest <= first.latest
    )


def _beside(changes: Sequence[Change]) -> str:
    return f"; at the same time {', '.join(map(_moved, changes))}" if changes else ""


def sentence(change: Change, titles: dict[str, str]) -> str:
    """`scores fell by 6.2 points from 2025-11-03 on: the SQL changed, and the questions are like before`."""
    text = f"{_moved(change)} from {change.since.label} on"
    if change.earliest != change.latest:
        text += f" (between {change.earliest.label} and {change.latest.label})"
    if change.cause is None:
        return text
    return f"{text}: {_blamed(change.cause)}{_told(change.cause, titles)}"


def details(change: Change, titles: dict[str, str]) -> Iterator[str]:
    """What stands behind `sentence`, a line each."""
    yield (
        f"{points(change.before)} → {points(change.after)} on {change.before_questions:,} and "
        f"{change.after_questions:,} questions; raised after {change.raised.label}, scan p {_p(change.p)}"
    )
    cause = change.cause
    if cause is None:
        return
    if cause.parts is not None:
        parts = cause.parts
        yield (
            f"questions of the same kind {points(parts.within.mean, signed=True)}{between(parts.within.interval)}, "
            f"another mix of kinds {points(parts.mix.mean, signed=True)}{between(parts.mix.interval)} "
            f"({parts.kinds} kinds)"
        )
    if cause.again is not None and cause.again.mean is not None:
        again = cause.again
        yield (
            f"{again.clusters:,} questions asked before and after: {points(again.mean or 0.0, signed=True)}"
            f"{between(again.interval)}"
        )
    for what, moves in (
        ("questions", cause.questions),
        ("findings", cause.findings),
        ("classes", cause.classes),
        ("agents", cause.versions),
    ):
        if moves:
            yield f"{what}: {'; '.join(move_words(move, titles) for move in moves[: 2 * _MOST_MOVES])}"


def move_words(move: Move, titles: dict[str, str]) -> str:
    """`S201 superlative asked, no top-k 2.0 % → 6.1 %`."""
    name = f"{move.name} {titles[move.name]}" if move.name in titles else move.name.replace("_", " ")
    return f"{name} {move.before:.1%} → {move.after:.1%}".replace("%", " %")


def _lead(found: Monitored, each: Series) -> str:
    parts = [] if each.name is None else [each.name or "(none)"]
    if len(found.judges) > 1:
        parts.append(f"measured by {found.judges[each.yardstick]}")
    return f"{', '.join(parts)}: " if parts else ""


def _quiet(found: Monitored, each: Series) -> str:
    turns = sum(one.turns for one in each.periods)
    if len(each.periods) == 1:
        return f"one {found.by.value} only ({each.periods[0].period.label}): there is nothing to hold it against yet"
    return (
        f"no drift in {len(each.periods):,} {_PERIODS[found.by]} and {turns:,} turns "
        f"(false-alarm rate {found.rate:.2g}, over all looks)"
    )


def _moved(change: Change) -> str:
    subject = _SUBJECTS.get(change.figure, f"questions {change.figure}")
    verb = "fell" if change.sign < 0 else "rose"
    if change.figure in {"score", "score_again"}:
        return f"{subject} {verb} by {points(abs(change.difference))} points"
    return f"{subject} {verb} from {change.before:.1f} % to {change.after:.1f} %"


def _blamed(cause: Cause) -> str:
    like = "the questions are like before" if not cause.questions else "the questions moved, too, which explains little"
    match cause.blame:
        case Blame.SQL:
            return f"the SQL changed, {like}"
        case Blame.QUESTIONS:
            return "the questions changed, the SQL for questions like before did not"
        case Blame.BOTH:
            return "both the questions and the SQL changed"
        case Blame.UNCLEAR:
            return "neither the questions nor the SQL can be blamed alone"
        case _:
            assert_never(cause.blame)


def _told(cause: Cause, titles: dict[str, str]) -> str:
    """What fires more often, what was switched, and what is asked more."""
    told = []
    if cause.blame is not Blame.SQL:
        told += [move_words(move, titles) for move in cause.questions[:_MOST_MOVES]]
    told += [move_words(move, titles) for move in cause.versions[:1] if abs(move.after - move.before) > 0.5]
    risen = [move for move in cause.findings if move.after > move.before]
    told += [_fires(move) for move in risen[:_MOST_MOVES]]
    return f"; {', '.join(told)}" if told else ""


def _fires(move: Move) -> str:
    ratio = move.ratio
    if ratio is None or ratio > 100:
        return f"{move.name} fires on {move.after:.1%} now".replace("%", " %")
    return f"{move.name} fires {ratio:.1f}× as often"


def _questions(each: Series) -> Iterator[str]:
    """What is asked more or less than before, in one sentence."""
    if each.question_changes:
        told = [
            f"{change.figure} {change.before:.0f} → {change.after:.0f} % from {change.since.label} on"
            for change in each.question_changes
        ]
        yield f"the questions drift: {'; '.join(told)}"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.0011 else f"= {value:.3f}"
