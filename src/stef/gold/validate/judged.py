"""What stef says of a case's gold as if an agent had written it: the same reading, alignment, findings and judge."""

from stef.gold.validate.subject import Gold, Subject
from stef.records.assessment import Assessment
from stef.records.live import LiveSchema, LiveTable
from stef.records.turn import Turn


def assessed(subject: Subject, gold: Gold, question: str | None = None) -> Assessment | None:
    """The assessment of one query against the case's question, or another phrasing of it; worked out once.

    None without a judge, and for a question that is blank.
    """
    asked = question or subject.case.question
    if subject.assess is None or not asked.strip():
        return None
    key = f"{gold.index}\n{asked}"
    found = subject.memory.get(key)
    if found is None:
        hint = subject.case.hint
        turn = Turn(
            question=asked,
            enriched_question=f"{asked} {hint}" if hint else None,
            sql=gold.sql,
            dialect=gold.dialect,
            ddl_offered=_ddl(subject),
        )
        found = subject.memory[key] = subject.assess(turn)
    return found


def _ddl(subject: Subject) -> tuple[str, ...] | None:
    """The schema as CREATE statements, which sharpen the reading; None without one."""
    place = subject.place
    if place is None or place.schema is None:
        return None
    known: tuple[str, ...] | None = place.memory.get("ddl")
    if known is None:
        known = place.memory["ddl"] = _statements(place.schema)
    return known


def _statements(schema: LiveSchema) -> tuple[str, ...]:
    return tuple(_statement(table) for table in schema.tables.values() if table.columns)


def _statement(table: LiveTable) -> str:
    keys = {name.casefold() for name in table.primary_key}
    columns = ", ".join(
        f"{_quoted(column.name)} {column.type or 'TEXT'}"
        + ("" if column.nullable and column.name.casefold() not in keys else " NOT NULL")
        for column in table.columns
    )
    return f"CREATE TABLE {_quoted(table.name)} ({columns})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
