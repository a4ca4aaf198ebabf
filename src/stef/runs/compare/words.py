"""What a comparison comes to, in one plain sentence."""

from stef.runs.compare.model import Comparison, Figure, Outcome
from stef.stats.bootstrap import Interval
from stef.stats.paired import ENOUGH


def headline(found: Comparison) -> str:
    """The sentence that answers the question: is B better, by how much, how surely, and if not shown, what would."""
    if found.unpaired is not None:
        return _unpaired(found)
    main = found.main.difference
    match found.outcome:
        case Outcome.NOTHING:
            return "nothing can be compared: no shared question has a figure on both sides"
        case Outcome.BETTER | Outcome.WORSE if main.sign(1 - found.level):
            return f"{_shown(found)}{_caveat(found)}"
        case Outcome.NOT_SHOWN:
            return f"{_not_shown(found)}{_turned(found)}"
        case _:
            return f"{_lead(found)}; but {_beside(found)}"


def points(value: float, *, signed: bool = False) -> str:
    """A number of points, with one digit, or two where it is small."""
    digits = 2 if 0 < abs(value) < 0.1 else 1
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    return text.replace("-", "−")


def between(interval: Interval | None, *, turned: bool = False) -> str:
    """An interval in brackets; nothing where there is none. `turned`: of the difference the other way round."""
    if interval is None:
        return ""
    low, high = (-interval.high, -interval.low) if turned else (interval.low, interval.high)
    return f" [{points(low)}, {points(high)}]"


def questions(found: Comparison) -> str:
    """How many questions or cases the main figure rests on."""
    return counted(found.main.difference.clusters, "shared case" if found.gold else "shared question")


def small_sample(found: Comparison) -> str | None:
    """What is to be said where few questions differ; None where enough do."""
    main = found.main.difference
    if found.unpaired is not None or not main.pairs or not main.small:
        return None
    return (
        f"The sample is small: {counted(main.discordant, 'question')} of {main.clusters:,} "
        f"differ{'s' if main.discordant == 1 else ''} at all. From {ENOUGH} on the interval holds what it promises; "
        "below that, read it as a hint"
    )


def judge_noise(found: Comparison) -> str | None:
    """What the judge alone moves, and that the intervals hold it; None where each turn was judged once."""
    noise = found.noise
    if noise is None:
        return None
    share = "" if noise.share is None else f", {noise.share * 100:.0f} % of the variance behind its interval"
    return (
        f"The judge's own noise ({noise.samples} samples a turn) is in the intervals: alone it makes p_correct "
        f"± {points(1.96 * noise.error)} points{share}"
    )


def _lead(found: Comparison) -> str:
    return _shown(found) if found.main.difference.sign(1 - found.level) else _not_shown(found, short=True)


def _shown(found: Comparison) -> str:
    difference = found.main.difference
    mean, up = difference.mean or 0.0, (difference.mean or 0.0) > 0
    better, other = (found.b, found.a) if up else (found.a, found.b)
    verb = "is right more often than" if found.gold else "is better than"
    return (
        f"{better.name} {verb} {other.name} by {points(abs(mean))} points"
        f"{between(difference.interval, turned=not up)} on {questions(found)}"
    )


def _not_shown(found: Comparison, *, short: bool = False) -> str:
    difference = found.main.difference
    if difference.mean is None:
        return "no shared question has a score on both sides"
    if not difference.discordant:
        return f"no difference: all of {questions(found)} come out the same"
    text = (
        f"no difference can be shown on {questions(found)}: {points(difference.mean, signed=True)} points"
        f"{between(difference.interval)}"
    )
    planning = found.planning
    if short or planning.needed is None:
        return text
    return f"{text}; {_would_show(found, planning.needed)}"


def _would_show(found: Comparison, needed: int) -> str:
    noun = "case" if found.gold else "question"
    aim = f"{found.planning.aim:g} points" if found.planning.aim != 1 else "1 point"
    if needed <= found.main.difference.clusters:
        return f"a difference of {aim} would have shown"
    return f"{counted(_rounded(needed), noun)} would show one of {aim}"


def _beside(found: Comparison) -> str:
    """What speaks of another difference than the main figure."""
    parts = []
    if found.readable is not None and found.readable.became != found.readable.ceased:
        flips = found.readable
        parts.append(f"{flips.became:,} became unreadable and {flips.ceased:,} readable")
    if found.as_zero is not None:
        parts.append(f"with unreadable ones as 0 it is {_figure(found.as_zero)}")
    return ", and ".join(parts)


def _turned(found: Comparison) -> str:
    """That queries became unreadable, which a difference of scores does not see."""
    flips = found.readable
    if flips is None or flips.became == flips.ceased:
        return ""
    again = "ran again" if found.gold else "readable"
    return f"; {flips.became:,} became {flips.name} and {flips.ceased:,} {again}"


def _caveat(found: Comparison) -> str:
    """That the difference is not shown where unreadable queries, or declined turns, too, count as 0."""
    alpha = 1 - found.level
    main = found.main.difference.sign(alpha)
    for what, figure in (("unreadable", found.as_zero), ("unreadable and declined", found.declined_too)):
        if figure is not None and figure.difference.sign(alpha) != main:
            return f"; but with {what} ones as 0 it is {_figure(figure)}"
    return ""


def _figure(figure: Figure) -> str:
    difference = figure.difference
    return f"{points(difference.mean or 0.0, signed=True)} points{between(difference.interval)}"


def _unpaired(found: Comparison) -> str:
    weak = found.unpaired
    if weak is None or weak.mean is None:
        return "nothing can be compared: no shared question, and no stratum with questions of both sides"
    start = f"not paired ({counted(found.shared, 'shared question')}), so this is weaker: "
    if found.outcome is Outcome.NOT_SHOWN:
        text = f"no difference can be shown, {points(weak.mean, signed=True)} points{between(weak.interval)}"
        needed = found.planning.needed
        tail = (
            f"; {counted(_rounded(needed), 'question')} would show one of {found.planning.aim:g} points"
            if needed
            else ""
        )
        return f"{start}{text} on {weak.a:,} and {weak.b:,} questions{tail}"
    up = weak.mean > 0
    better, other = (found.b, found.a) if up else (found.a, found.b)
    return (
        f"{start}{better.name} is better than {other.name} by {points(abs(weak.mean))} points"
        f"{between(weak.interval, turned=not up)} on {weak.a:,} and {weak.b:,} questions"
    )


def _rounded(number: int) -> int:
    """Two digits that count, upwards: nobody should take 1,237 for exact."""
    step = int(10 ** max(0, len(str(number)) - 2))
    return -(-number // step) * step


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 pair, 2,001 pairs."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
