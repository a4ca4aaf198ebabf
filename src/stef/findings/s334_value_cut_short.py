"""The SQL compares with a part of the value that is asked for.

What it sees: an asked value of several words, and an equality with some of them; the rest stands in no other filter,
and is not what the column is called.

Why it is bad: an equality with half a value keeps no rows, or those of others of that name.

Example: "When was Anna Maria Weiss born?" → `SELECT birth_date FROM person WHERE first_name = 'Anna'`

Right: `SELECT birth_date FROM person WHERE full_name = 'Anna Maria Weiss'`
"""

from collections.abc import Iterator

from stef.alignment.ground import fold
from stef.findings.context import Context
from stef.findings.parts import all_applied, asked_texts, done_texts
from stef.findings.shapes import table_of
from stef.question.words import name_stems
from stef.records.assessment import Finding
from stef.records.expressions import Column
from stef.records.predicates import Predicate

CODE = "S334"
TITLE = "a value cut short"
NEEDS = ("absent", "altered", "opposed", "undecided")


def find(context: Context) -> Iterator[Finding]:
    """One finding for each asked value of which only a part is used."""
    if all_applied(context):
        return
    done = done_texts(context)
    if not done:
        return
    used = {word for value, _ in done for word in fold(value.text).split()}
    asked = {fold(value.text) for value in asked_texts(context)}
    for want in sorted(asked):
        words = want.split()
        if len(words) < 2 or all(word in used for word in words):
            continue
        for value, predicate in done:
            have = fold(value.text)
            if have == want or have not in want or len(have.strip()) < 3 or have in asked:
                continue
            rest = [word for word in words if word not in have.split()]
            if not _is_column(rest, predicate) and not any(word in used for word in rest):
                detail = f"{value.text!r} for {want.strip()!r}"
                yield Finding(CODE, TITLE, detail, sql_span=value.span or predicate.span)
                break


def _is_column(rest: list[str], predicate: Predicate) -> bool:
    """ "Alameda County" in a column `county`: the rest is what the column is called."""
    subject = predicate.subject
    if not isinstance(subject, Column):
        return True
    names = name_stems(subject.name) + tuple(stem for key in subject.sources for stem in name_stems(table_of(key)))
    return any(stem in names or stem in subject.name for word in rest for stem in name_stems(word))
