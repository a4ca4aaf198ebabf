"""Findings that the reader of the SQL has noted already."""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding

_NOTHING: Iterator[Finding] = iter(())


def from_notes(context: Context, note_code: str, code: str, title: str, detail: str) -> Iterator[Finding]:
    """One finding for each note of this code. `{}` in `detail` stands for what the note is about."""
    notes = context.sql_notes.get(note_code)
    if notes is None:
        return _NOTHING
    return iter([Finding(code, title, detail.replace("{}", note.text), sql_span=note.span) for note in notes])
