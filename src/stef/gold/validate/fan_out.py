"""A join repeats the rows that are counted, summed or averaged: customers are counted once for each of their orders.

Told by the data: in what the aggregate is over, a table's key has fewer values than there are rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from stef.alignment.facts import columns_of, facts_of
from stef.gold.validate.checks import Needs
from stef.gold.validate.keys import key_of, meets_twice
from stef.gold.validate.place import Place
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.records.expressions import Agg
from stef.records.live import LiveTable
from stef.records.spec import Select

NAME = "fan_out"
TITLE = "a join repeats what is aggregated"
NEEDS = Needs.DATABASE

_REPEATABLE = frozenset({"COUNT", "SUM", "AVG"})


@dataclass(frozen=True, slots=True)
class _Over:
    """An aggregate over the one column of one table, with the key of that table."""

    agg: Agg
    column: str
    table: LiveTable
    key: str
    source: str


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each table whose rows an aggregate of the outermost query meets more than once."""
    for gold in subject.golds:
        if gold.result is None or gold.place is None or gold.reading.spec is None:
            continue
        told: set[str] = set()
        for over in _aggregates(gold, gold.place):
            if over.source in told:
                continue
            counted = meets_twice(gold, over.source)
            if counted is not None:
                told.add(over.source)
                yield _repeated(subject, gold, over, *counted)


def _aggregates(gold: Gold, place: Place) -> Iterator[_Over]:
    spec = gold.reading.spec
    if not isinstance(spec, Select) or len(spec.sources) < 2 or any(source.query for source in spec.sources):
        return
    for agg in facts_of(Select(projections=spec.projections)).aggregates:
        if agg.name not in _REPEATABLE or agg.distinct or agg.arg is None:
            continue
        columns = {(column.name, column.sources) for column in columns_of(agg.arg)}
        if len(columns) != 1:
            continue
        ((name, sources),) = columns
        table = place.table(sources[0].partition("#")[0]) if len(sources) == 1 else None
        key = key_of(place, table) if table is not None else None
        if table is None or key is None:
            continue
        # Counting a column that is no key counts rows that have a value, which may be meant.
        if agg.name == "COUNT" and name.casefold() != key.casefold():
            continue
        yield _Over(agg, name, table, key, sources[0])


def _repeated(subject: Subject, gold: Gold, over: _Over, rows: int, keys: int) -> Remark:
    key = f"{over.table.name}.{over.key}"
    return Remark(
        NAME,
        Severity.DOUBTS,
        f"{subject.which(gold)}{over.agg.name}({over.table.name}.{over.column}) meets {rows:,} rows with only {keys:,} "
        f"different {key}: a join repeats them",
        "count DISTINCT keys, or aggregate before joining; right where the question means the other table's rows",
        gold.index,
        facts={"key": key, "rows": rows, "keys": keys, "aggregate": over.agg.name},
    )
