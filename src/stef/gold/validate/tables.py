"""The database itself: no foreign keys, and empty tables that golds read."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.links import broken, not_counted
from stef.gold.validate.place import Place
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Subject
from stef.records.result import Result
from stef.sql.probes import has_rows

NAME = "data"
TITLE = "empty tables, missing or broken foreign keys"
NEEDS = Needs.DATABASE


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each query that reads a table without rows."""
    for gold in subject.golds:
        if gold.resolved is None or gold.place is None:
            continue
        without = [table for table in sorted(gold.resolved.tables) if _is_empty(gold.place, table)]
        if without:
            yield Remark(
                NAME,
                Severity.NOTES,
                f"{subject.which(gold)}reads {', '.join(without)}, which holds no row",
                "an empty table tells no right query from a wrong one: fill it",
                gold.index,
                facts={"empty_tables": without},
            )


def of_database(place: Place) -> Iterator[Remark]:
    """What is to be known of the database as a whole."""
    tables = [table for table in (place.schema.tables.values() if place.schema else ()) if not table.view]
    if place.schema is None:
        yield Remark(NAME, Severity.NOTES, "its catalogue cannot be read: checks that need it say nothing")
    elif not tables:
        yield Remark(NAME, Severity.NOTES, "holds no table", "is it the right database?")
    elif len(tables) > 1 and not any(table.foreign_keys for table in tables):
        yield Remark(
            NAME,
            Severity.NOTES,
            "declares no foreign key: what belongs to what is inferred from names and values",
            "declare them, so that orphans are found for sure",
        )
    for table in tables:
        for one in broken(place, table.name):
            yield Remark(
                NAME,
                Severity.NOTES,
                f"a declared foreign key does not hold: {one}",
                "mend the keys (stray spaces, another type?), or the declaration; orphans are not looked for here",
                facts=one.to_json(),
            )
    if left_out := not_counted(place):
        words = ", ".join(f"{one.table}({', '.join(one.columns)})" for one in left_out)
        yield Remark(
            NAME,
            Severity.NOTES,
            f"orphans could not be counted: {words}",
            "give it more time with --timeout; columns of types that do not compare cannot be looked at",
        )


def _is_empty(place: Place, name: str) -> bool:
    table = place.table(name)
    if table is None or table.view:
        return False
    full = f"{table.schema}.{table.name}" if table.schema else table.name
    executed = place.run(has_rows(full, place.dialect))
    return isinstance(executed, Result) and executed.rows == 0
