"""Which turns are A and which are B: two RUNs, or two values of a field within one."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from stef.errors import InputError, UserError
from stef.runs.compare.options import CompareOptions
from stef.runs.compare.rows import known_of, read_turns
from stef.runs.compare.turns import Known, Turns
from stef.runs.numbering import NONE
from stef.runs.run import Run

_DIGITS = re.compile(r"(\d+)")
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison: its name for people, its RUN, and its turns."""

    name: str
    run: Run
    turns: Turns


@dataclass(frozen=True, slots=True)
class Sides:
    """Both sides. `with_agent`: both hold the same several agents, so each is compared with itself."""

    a: Side
    b: Side
    with_agent: bool


def sides_of(a: Run, b: Run | None, options: CompareOptions, slices: Sequence[str]) -> Sides:
    """The two sides of a comparison of the RUNs `a` and `b`, or of one RUN by `options.by`.

    Raises UserError where it is not clear what is compared with what, InputError for a RUN without turns.
    """
    if b is None:
        if options.by is None:
            raise UserError("one RUN alone: name a second one, or compare within it: --by agent_version")
        return _within(a, options, slices)
    if len(options.pick) > 2:
        raise UserError(f"--pick takes one value of each side: {','.join(options.pick[:2])}")
    by = options.by or ("agent" if options.pick else None)
    if by is not None and not options.pick:
        raise UserError(f"--by {by} with two RUNs needs --pick A,B: which value of the first, which of the second")
    names = _names(a, b)
    asked = _Asked(by, options, slices, known_of(a))
    left, right = _side(a, names[0], options.pick[:1], asked), _side(b, names[1], options.pick[-1:], asked)
    return _settled(left, right, by)


def _within(run: Run, options: CompareOptions, slices: Sequence[str]) -> Sides:
    """Two values of one field in one RUN."""
    by = options.by or ""
    turns = _read(run, options, slices, by, known_of(run))
    counted = turns.counted(by)
    values = sorted(counted, key=_natural)
    pick = options.pick or tuple(values)
    if not values:
        raise UserError(f"--by {by}: no turn of {run.path} has it (fields of a log are kept by stef score --keep)")
    if len(values) == 1:
        raise UserError(
            f"--by {by}: all of {run.path} is {values[0]}; there is nothing to compare it with. Name a second RUN"
        )
    if len(pick) != 2 or pick[0] == pick[1]:
        named = ", ".join(f"{value} ({counted[value]:,})" for value in values[:_MOST_NAMED]) or "none"
        more = f", and {len(values) - _MOST_NAMED} more" if len(values) > _MOST_NAMED else ""
        raise UserError(f"--by {by}: two values are compared; {run.path} holds {named}{more}. Name two: --pick A,B")
    a, b = (Side(value, run, _having(turns, by, value, run)) for value in pick)
    return _settled(a, b, by)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is read of both RUNs, and how it is numbered."""

    by: str | None
    options: CompareOptions
    slices: Sequence[str]
    known: Known


def _side(run: Run, name: str, pick: Sequence[str], asked: _Asked) -> Side:
    by = asked.by
    turns = _read(run, asked.options, asked.slices, by, asked.known)
    if by is None or not pick:
        return Side(name, run, turns)
    return Side(f"{name} {pick[0]}", run, _having(turns, by, pick[0], run))


def _read(run: Run, options: CompareOptions, slices: Sequence[str], by: str | None, known: Known) -> Turns:
    turns = read_turns(run, options.key, [*dict.fromkeys((*slices, *((by,) if by else ())))], known)
    if not len(turns):
        raise InputError(f"{run.path}: this RUN holds no turns")
    if options.key is not None and (turns.key == NONE).all():
        raise UserError(f"--key {options.key}: no turn of {run.path} has it (fields of a log are kept by --keep)")
    return turns


def _having(turns: Turns, by: str, value: str, run: Run) -> Turns:
    chosen = turns.having(by, value)
    if not chosen.any():
        named = _listed(turns.counted(by), value)
        raise UserError(f"--pick {value}: no turn of {run.path} has this {by}; there are {named}")
    return turns.where(chosen)


def _settled(a: Side, b: Side, by: str | None) -> Sides:
    """Which agents are compared with each other. Raises UserError where that is not clear."""
    agents_a, agents_b = a.turns.agents, b.turns.agents
    if by == "agent" or (len(agents_a) == len(agents_b) == 1):
        return Sides(a, b, with_agent=False)
    if agents_a == agents_b:
        return Sides(a, b, with_agent=True)
    several, agents = (a, agents_a) if len(agents_a) > 1 else (b, agents_b)
    raise UserError(
        f"{several.run.path} holds several agents ({_listed(agents)}), the other side not the same ones: "
        "say which is compared with which: --by agent --pick A,B"
    )


def _names(a: Run, b: Run) -> tuple[str, str]:
    """The folders' names; where these are the same, with as much of the path as tells them apart."""
    one, other = a.path.resolve().parts, b.path.resolve().parts
    for length in range(1, max(len(one), len(other)) + 1):
        names = "/".join(one[-length:]), "/".join(other[-length:])
        if names[0] != names[1]:
            return names
    return "A", "B"


def _listed(names: Iterable[str], asked: str | None = None) -> str:
    """Some of the names for a message, those near to what was asked first of all, and how many more there are."""
    held = sorted(names, key=_natural)
    near = []
    if asked:
        folded = asked.casefold()
        near = [name for name in held if folded in name.casefold()] or get_close_matches(asked, held, _MOST_NAMED)
    shown = (near or held)[:_MOST_NAMED]
    more = len(held) - len(shown)
    return (", ".join(shown) or "none") + (f", and {more} more" if more else "")


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(name))
