"""What joins do to the rows that are shown or counted: one row for each partner, and DISTINCT that undoes it."""

from collections.abc import Iterator

from stef.alignment.sides import Sides
from stef.findings.parts import inside, is_aggregate
from stef.findings.shapes import Tie, entity_of, multiplied, own_key, table_of
from stef.records.expressions import Agg, Column, Expr
from stef.records.spec import Select
from stef.sql.trees import columns


def repeats(sides: Sides) -> dict[str, float]:
    """Named features of one turn, each 1; those that do not hold are left out."""
    found = dict.fromkeys(_of_rows(sides), 1.0)
    if sides.done.aggregates:
        for block, _ in sides.done.blocks:
            if not block.group_by:
                found.update(dict.fromkeys(_of_counts(block), 1.0))
    return found


def _of_rows(sides: Sides) -> Iterator[str]:
    """Whether joins repeat the things that are shown, and whether anything undoes it."""
    done, block = sides.done, sides.done.answer
    if (not block.joins and not block.distinct) or any(is_aggregate(one.expr) for one in block.projections):
        return
    repeated = _are_repeated([one.expr for one in block.projections], multiplied(block) if block.joins else {})
    if block.distinct and not repeated:
        yield "distinct_over_single_rows"
    if repeated and (done.distinct or block.group_by):
        yield "rows_repeated_made_distinct"
    elif repeated and block.limit != 1 and not done.set_kinds:
        yield "rows_repeated"


def _are_repeated(shown: list[Expr], many: dict[str, Tie]) -> bool:
    sources = {source for expr in shown for column in columns(expr) for source in column.sources}
    return bool(sources) and sources <= set(many)


def _of_counts(block: Select) -> Iterator[str]:
    """What a count that is no DISTINCT one takes: rows that a join repeats, a key of another table."""
    counts = [part for one in block.projections for part in inside(one.expr) if isinstance(part, Agg)]
    many = multiplied(block) if block.joins and counts else {}
    for count in counts:
        if count.name != "COUNT" or count.distinct:
            continue
        arg = count.arg
        if arg is None and many:
            yield "rows_counted_over_join"
        elif isinstance(arg, Column) and len(arg.sources) == 1:
            if arg.sources[0] in many:
                yield "repeated_things_counted"
            if entity_of(arg.name) and not own_key(arg.name, table_of(arg.sources[0])):
                yield "foreign_key_counted"
