"""Twins: cases of one database that share an acceptable answer, or the question word for word.

An agent that is shown a twin's SQL as an example has seen the answer.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeAlias

from stef.gold.cases.paraphrases import base_id, paraphrase_id
from stef.records.case import Case
from stef.sql import read_sql

Canonical: TypeAlias = Callable[[Case, str], Hashable | None]
"""What stands for a gold query, such that queries of equal meaning stand for the same; None: it cannot be read."""

_SPACE = re.compile(r"\s+")
_EDGES = " .?!;:,\"'“”‘’"


def twins(cases: Iterable[Case], canonical: Canonical | None = None) -> Mapping[str, tuple[str, ...]]:
    """For each case the ids of its twins, in the order of the set; a case without any has an empty tuple.

    Two golds are one where their Specs are equal (spelling, aliases and order of conjuncts aside); `canonical` may say
    better where a schema is at hand. A paraphrase (`c1#p1`) belongs to its case: the two are no twins, and have the
    same twins.
    """
    marks = canonical or spec_of
    ordered: dict[str, None] = {}
    by_mark: defaultdict[Hashable, dict[str, None]] = defaultdict(dict)
    marks_of: defaultdict[str, dict[Hashable, None]] = defaultdict(dict)
    for case in cases:
        ordered[case.id] = None
        base = base_id(case.id)
        for mark in _marks(case, marks):
            by_mark[mark][base] = None
            marks_of[base][mark] = None
    rank = {id_: index for index, id_ in enumerate(dict.fromkeys(base_id(id_) for id_ in ordered))}
    found: dict[str, tuple[str, ...]] = {}
    for id_ in ordered:
        base = base_id(id_)
        near = {other for mark in marks_of[base] for other in by_mark[mark]} - {base}
        found[id_] = tuple(sorted(near, key=rank.__getitem__))
    return found


def hidden_ids(cases: Sequence[Case], canonical: Canonical | None = None) -> Mapping[str, tuple[str, ...]]:
    """For each case the ids that must not be shown while it runs: its own, its twins', and their paraphrases'."""
    phrasings: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for case in cases:
        base = base_id(case.id)
        ids = (base, case.id, *(paraphrase_id(case.id, number) for number in range(1, len(case.paraphrases) + 1)))
        phrasings[base].update(dict.fromkeys(ids))
    return {
        id_: tuple(dict.fromkeys(one for base in (base_id(id_), *near) for one in phrasings[base]))
        for id_, near in twins(cases, canonical).items()
    }


def spec_of(case: Case, sql: str) -> Hashable | None:
    """The Spec of a gold query, read without a schema."""
    return read_sql(sql, case.dialect).spec


def _marks(case: Case, canonical: Canonical) -> Iterable[Hashable]:
    place = (case.database or "").casefold()
    for question in (case.question, *case.paraphrases):
        yield place, "question", _SPACE.sub(" ", question).strip(_EDGES).casefold()
    for sql in case.gold_sql:
        meaning = canonical(case, sql)
        # A query that cannot be read is its own twin only where it is the same text.
        yield place, "gold", meaning if meaning is not None else _SPACE.sub(" ", sql).strip(" ;")
