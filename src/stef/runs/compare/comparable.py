"""Whether two RUNs measure with the same yardstick: the same judge, prompts, rules and version of stef."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from stef.errors import InputError, UserError
from stef.runs.run import Run
from stef.runs.yardstick import EVALUATION

_GOLD = {"row_limit": "row limit", "cell_budget": "cell budget"}
_OF_INTEREST = {
    "query_timeout": "time limit of queries",
    "ask_timeout": "time limit of agents",
    "database": "database",
    "samples": "samples of each agent",
}


class NotComparableError(UserError):
    """Two RUNs that were measured with different yardsticks."""


def refuse_unusable(a: Run, b: Run | None) -> None:
    """Raise InputError for what cannot be compared at all: unfinished RUNs, one RUN twice, two kinds."""
    for run in (a,) if b is None else (a, b):
        if run.settings.get("kind") == "verify":
            raise InputError(
                f"{run.path}: this RUN was made by stef verify, and holds no scores; name the RUN of stef score"
            )
        if not run.complete:
            verb = "stef gold run" if run.gold else "stef score"
            raise InputError(f"{run.path}: this RUN is not finished; finish it with the same {verb} first")
    if b is None:
        return
    if a.path.resolve() == b.path.resolve():
        raise InputError(f"{a.path} and {b.path} are the same RUN; two values within one RUN: --by agent_version")
    if a.gold != b.gold:
        gold, other = (a, b) if a.gold else (b, a)
        raise InputError(
            f"{gold.path} is a gold run, {other.path} is not: compare two of a kind "
            f"(stef score {gold.path} -o RUN scores its turns without gold)"
        )


def yardsticks(a: Run, b: Run, *, anyway: bool) -> tuple[str, ...]:
    """Remarks for the top of a comparison. Raises NotComparableError for different yardsticks, unless `anyway`."""
    differences = list(_gold_differences(a, b) if a.gold else _score_differences(a, b))
    if differences and not anyway:
        what = "rules, limits or version" if a.gold else "judge or rules"
        raise NotComparableError(
            f"not comparable: different {what}: {'; '.join(differences)}. Make both RUNs with the same, "
            "or look all the same with --anyway"
        )
    warned = [f"Not comparable, and shown only because of --anyway: {one}" for one in differences]
    if a.gold:
        one, other = ({"samples": 1, **run.settings} for run in (a, b))
        warned += [f"Beside: {words}" for words in _unequal(one, other, _OF_INTEREST)]
        warned += [
            f"{run.path} does not say which version of stef made its figures: that it is the other's is not known"
            for run in (a, b)
            if _measured_by(run) is None
        ]
    if a.settings.get("inputs") and a.settings == b.settings:
        warned.append("Both RUNs were made of the same files with the same settings")
    return tuple(warned)


def _score_differences(a: Run, b: Run) -> Iterator[str]:
    one, other = a.settings.get("evaluation", {}), b.settings.get("evaluation", {})
    # Rules last, and app by app.
    yield from _unequal(one, other, {name: words for name, words in EVALUATION.items() if name != "rules"})
    yield from _rules(one.get("rules"), other.get("rules"))
    yield from _rules(a.settings.get("rescored"), b.settings.get("rescored"), "weights of rescoring")


def _gold_differences(a: Run, b: Run) -> Iterator[str]:
    yield from _unequal(a.settings, b.settings, _GOLD)
    yield from _rules(a.settings.get("rules"), b.settings.get("rules"))
    one, other = _measured_by(a), _measured_by(b)
    if None not in (one, other) and one != other:
        yield f"version of stef {one} and {other}"


def _measured_by(run: Run) -> str | None:
    """The version of stef that made the figures of a gold RUN: that which rescored it, else that which ran it."""
    return run.settings.get("rescored") or run.settings.get("stef_version")


def _rules(one: Any, other: Any, what: str = "rules") -> Iterator[str]:
    """Rules that differ, app by app."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        if one != other:
            yield f"{what} {_brief(one)} and {_brief(other)}"
        return
    for app in sorted({*one, *other}):
        if one.get(app) != other.get(app):
            yield f"{what} of {app} {_brief(one.get(app))} and {_brief(other.get(app))}"


def _unequal(one: Mapping[str, Any], other: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    for name, words in names.items():
        if one.get(name) != other.get(name):
            yield f"{words} {_brief(one.get(name))} and {_brief(other.get(name))}"


def _brief(value: Any) -> str:
    text = value if isinstance(value, str) else "none" if value is None else json.dumps(value, sort_keys=True)
    return text if len(text) <= 60 else f"{text[:57]}…"
