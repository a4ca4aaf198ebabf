"""What a question lets one expect of the rows that answer it."""

import re
from itertools import pairwise

from stef.question.scan import is_plural
from stef.question.wordlists import word_set
from stef.records.expressions import Agg, Phrase
from stef.records.spec import Select
from stef.verify.candidate import Candidate

_SEVERAL = re.compile(r"\b(?:those|these|their|them|both|respectively)\b|\bfor\b[^,?]*\band\b", re.IGNORECASE)
_WHETHER = frozenset({"yes_no_asked", "exists_asked"})


def asks_whether(candidate: Candidate) -> bool:
    """Whether it asks if something is so."""
    return not _WHETHER.isdisjoint(candidate.notes)


def one_value(candidate: Candidate) -> bool:
    """Whether it asks for aggregates over all rows: "how many singers", "the average and the maximum age".

    "The average age of those countries" and "for cats and dogs" may want one for each.
    """
    spec = candidate.asked.spec
    if not isinstance(spec, Select) or spec.group_by or spec.tops or _SEVERAL.search(candidate.asked.text):
        return False
    return bool(spec.projections) and all(isinstance(one.expr, Agg) for one in spec.projections)


def one_thing(candidate: Candidate) -> str | None:
    """The words of the one thing that it asks for by a superlative: "which singer is the oldest"; else None."""
    spec = candidate.asked.spec
    if not isinstance(spec, Select) or spec.group_by or len(spec.tops) != 1 or spec.tops[0].k not in (1, None):
        return None
    things = [one.expr for one in spec.projections if isinstance(one.expr, Phrase)]
    words = [word for thing in things for word in thing.text.casefold().split()]
    if not words or any(is_plural(word) for word in words):
        return None
    return things[0].text


def how_many_rows(candidate: Candidate) -> int | None:
    """The number of rows that it asks for by name, more than one: "the top 5"; else None."""
    spec = candidate.asked.spec
    if not isinstance(spec, Select) or spec.group_by or len(spec.tops) != 1 or spec.tops[0].per:
        return None
    k = spec.tops[0].k
    return k if k is not None and k > 1 else None


def one_for_each(candidate: Candidate) -> str | None:
    """The words of what it wants a row for each of: "per country"; else None."""
    spec = candidate.asked.spec
    if not isinstance(spec, Select) or not spec.group_by or spec.tops or spec.filters:
        return None
    found = spec.group_by[0]
    return found.text if isinstance(found, Phrase) and found.text else "each"


def share(candidate: Candidate) -> bool:
    """Whether it asks what part of a whole something is, so that less than none and more than all are impossible."""
    notes = candidate.notes
    if "percentage_asked" not in notes and "ratio_asked" not in notes:
        return False
    words = [word.text.casefold() for word in candidate.asked.words]
    compared = any(one.startswith("percent") and other in _COMPARED for one, other in pairwise(words))
    return not compared and _BEYOND.isdisjoint(words)


_BEYOND = word_set(
    """change changed changes growth grow grew grown increase increased increases decrease decreased rise rose fall fell
    ratio gain gained loss lost return returns markup margin deviation difference"""
)
_COMPARED = word_set("more less higher lower larger smaller greater faster slower above below over")
"""Words of shares that may go beyond the whole, and of ratios, which may be anything: "50 percent more than …"."""
