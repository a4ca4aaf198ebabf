"""Findings that the reader of the SQL has noted already."""

from collections.abc import Iterator

from stef.findings.context import Context
from stef.records.assessment import Finding


def from_notes(context: Context, note_code: str, code: str, title: str, detail: str) -> Iterator[Finding]:
    """One finding for each note of this code. `{}` in `detail` stands for what the note is about."""
    for note in context.noted(note_code):
        yield Finding(code, title, detail.replace("{}", note.text), sql_span=note.span)
