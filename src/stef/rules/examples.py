"""A rules file's examples as its tests: run each turn, and say what differs from what is expected."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from stef.records.alignment import FilterState
from stef.records.assessment import Assessment, Scored, Unscored
from stef.records.turn import Turn
from stef.rules.model import AppRules, Example, Expect

_NOT_MISSING = (FilterState.APPLIED, FilterState.UNDECIDED)
_QUOTES = str.maketrans("", "", '"`[]')


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """What an example came to. `differences` is empty where it passed; one line each otherwise."""

    index: int
    example: Example
    assessment: Assessment
    differences: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether everything that was expected held."""
        return not self.differences


def run_examples(rules: AppRules, assess: Callable[[Turn], Assessment]) -> Iterator[ExampleResult]:
    """Each example of `rules` as `assess`, which is expected to use the same rules, sees it."""
    for index, example in enumerate(rules.examples):
        turn = Turn(
            question=example.question,
            enriched_question=example.enriched_question,
            sql=example.sql,
            dialect=example.dialect,
            timestamp=example.timestamp,
            app=rules.app,
        )
        assessment = assess(turn)
        yield ExampleResult(index, example, assessment, tuple(differences(example.expect, assessment)))


def differences(expect: Expect, assessment: Assessment) -> Iterator[str]:
    """One line for each expectation that `assessment` does not meet."""
    outcome, aligned = assessment.outcome, assessment.alignment
    yield from _outcome(expect, outcome)
    if expect.verdict is not None:
        found = assessment.judgement.verdict if assessment.judgement else None
        yield from _equal("verdict", expect.verdict, found)
    filters = aligned.filters if aligned else None
    if expect.filter_alignment is not None:
        yield from _equal("filter_alignment", expect.filter_alignment, filters.alignment if filters else None)
    required = filters.required if filters else ()
    extras = filters.extras if filters else ()
    yield from _texts("missing", expect.missing, [one.text for one in required if one.state not in _NOT_MISSING])
    yield from _texts("extra", expect.extra, [one.text for one in extras if not one.benign])
    yield from _texts("benign", expect.benign, [one.text for one in extras if one.benign])
    excused = [one.rule for dimension in (aligned.dimensions if aligned else ()) for one in dimension.excused]
    yield from _texts("excused", expect.excused, excused)


def _outcome(expect: Expect, outcome: Scored | Unscored) -> Iterator[str]:
    if isinstance(outcome, Unscored):
        if expect.unscored is not None:
            yield from _equal("unscored", expect.unscored, outcome.reason)
        elif _wants_a_score(expect):
            yield f"expected a score, found none: {outcome.reason.value}: {outcome.detail}"
        return
    if expect.unscored is not None:
        yield f"unscored: expected {expect.unscored.value}, found a score of {outcome.score:g}"
    if expect.band is not None:
        yield from _equal("band", expect.band, outcome.band)
    if expect.min_score is not None and outcome.score < expect.min_score:
        yield f"min_score: expected at least {expect.min_score:g}, found {outcome.score:g}"
    if expect.max_score is not None and outcome.score > expect.max_score:
        yield f"max_score: expected at most {expect.max_score:g}, found {outcome.score:g}"


def _wants_a_score(expect: Expect) -> bool:
    return any(wish is not None for wish in (expect.band, expect.min_score, expect.max_score))


def _equal(name: str, expected: str, found: str | None) -> Iterator[str]:
    if expected != found:
        yield f"{name}: expected {expected}, found {'nothing' if found is None else str(found)}"


def _texts(name: str, expected: Iterable[str] | None, found: list[str]) -> Iterator[str]:
    if expected is None:
        return
    wishes, held = tuple(expected), [_folded(text) for text in found]
    if not wishes and found:
        yield f"{name}: expected none, found {_listed(found)}"
    for wish in wishes:
        if not any(_folded(wish) in text for text in held):
            yield f"{name}: expected {wish!r}, found {_listed(found)}"


def _listed(found: list[str]) -> str:
    return "; ".join(repr(text) for text in found) or "none"


def _folded(text: str) -> str:
    return "".join(text.translate(_QUOTES).casefold().split())
