"""What kind of question is asked, as the rule reader sees it: what tells whether the questions moved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from sys import intern

import numpy as np

from stef.question.read import read_question
from stef.records.expressions import Agg
from stef.records.reading import MentionKind, QuestionReading
from stef.records.spec import Select, SetOp
from stef.runs.numbering import NONE, Numbers, Truths, Whole
from stef.runs.run import Run

LONG = 20
"""Words from which on a question is long."""

FEATURES = (
    "not readable",
    "long",
    "count",
    "total or average",
    "extreme or top",
    "per group",
    "in an order",
    "without a filter",
    "with several filters",
    "about a period",
    "with a value",
    "with a negation",
)
"""What a question can be; see `traits`."""


@dataclass(frozen=True, slots=True)
class Traits:
    """A question: which FEATURES it has, its kind for comparing like with like, and the stems of its words."""

    features: frozenset[str]
    kind: str
    stems: tuple[str, ...]


class Kinds:
    """What questions are, by their number."""

    def __init__(self, all_of_them: Sequence[Traits]) -> None:
        self.all = tuple(all_of_them)
        self._features = {
            name: np.array([name in one.features for one in self.all], dtype=np.bool_) for name in FEATURES
        }

    def having(self, feature: str) -> Truths:
        """For each whether it has a feature."""
        return self._features[feature]


def read_kinds(runs: Sequence[Run], places: Whole) -> tuple[Whole, Kinds]:
    """What the questions in these places are (the numbers of rows of all `runs`, in order): their numbers among Kinds.

    A text is read once, however often it stands there. Raises InputError where a RUN cannot be read.
    """
    texts, found, start = Numbers(), np.full(len(places), NONE, dtype=np.int32), 0
    for batch in (batch for run in runs for batch in run.batches(["question"])):
        low, high = np.searchsorted(places, (start, start + len(batch)))
        if low < high:
            here = batch.column(0).take(places[low:high] - start).to_pylist()
            found[low:high] = [texts.of(text or "") for text in here]
        start += len(batch)
    return found, Kinds([traits(text) for text in texts.all()])


def traits(question: str) -> Traits:
    """What `question` is. Follow-ups are read by themselves: a RUN does not hold their history."""
    reading = read_question(question)
    # Millions of questions share these: words and sets of features are kept once.
    stems = tuple(sorted({intern(word.stem) for word in reading.words if not word.stop}))
    if reading.unreadable is not None:
        return Traits(*_named(("not readable",)), stems)
    return Traits(*_named(tuple(_features(reading))), stems)


@lru_cache(maxsize=4096)
def _named(names: tuple[str, ...]) -> tuple[frozenset[str], str]:
    """The features as a set, and the kind."""
    features = frozenset(names)
    return features, "not readable" if "not readable" in features else _kind(features)


def _features(reading: QuestionReading) -> Iterator[str]:
    spec = reading.spec.branches[0] if isinstance(reading.spec, SetOp) else reading.spec
    select = spec if isinstance(spec, Select) else Select()
    names = {one.expr.name for one in select.projections if isinstance(one.expr, Agg)}
    mentioned = {mention.kind for mention in reading.mentions}
    filters = [one for clause in select.filters for one in clause.predicates]
    holds = {
        "long": len(reading.words) >= LONG,
        "count": "COUNT" in names,
        "total or average": bool(names & {"SUM", "AVG"}),
        "extreme or top": bool(names & {"MIN", "MAX"} or select.tops),
        "per group": bool(select.group_by),
        "in an order": bool(select.order),
        "without a filter": not select.filters,
        "with several filters": len(select.filters) > 1,
        "about a period": MentionKind.PERIOD in mentioned,
        "with a value": MentionKind.VALUE in mentioned,
        "with a negation": any(one.negated for one in filters),
    }
    yield from (name for name, so in holds.items() if so)


def _kind(features: frozenset[str]) -> str:
    """One of fifteen kinds: what is asked for, and how many filters it has."""
    asked = next(
        (name for name in ("extreme or top", "total or average", "count", "per group") if name in features), "list"
    )
    filters = next((name for name in ("without a filter", "with several filters") if name in features), "with a filter")
    return f"{asked}, {filters}"
