"""Names in an answer: do they stand in the rows?"""

import re
from calendar import day_name, month_name

from stef.verify.wording.claims import Named
from stef.verify.wording.records import Claim, ClaimKind, Ground
from stef.verify.wording.said import Said
from stef.verify.wording.table import Table, fold, stands, words_of

_CALENDAR = frozenset(name.casefold() for name in (*day_name, *month_name) if name)
_ANYWHERE = frozenset(["usd", "eur", "gbp", "id", "ids", "none", "ok", "note", "yes", "mysql", "sqlite", "postgresql"])
_POSSESSIVE = re.compile(r"['’]s\b")
_LEAST_LIKE = 75.0


def name_claim(named: Named, said: Said) -> Claim:
    """The claim with what it rests on."""
    plain = _POSSESSIVE.sub("", named.text)
    text, words = fold(plain), words_of(plain)
    ground, how = Ground.NOTHING, ""
    if (row := _row_of(text, words, said.table)) is not None:
        ground, how = Ground.ROWS, f"row {row + 1:,}"
    elif stands(text, said.question):
        ground, how = Ground.QUESTION, "asked"
    elif stands(text, said.query):
        ground, how = Ground.QUERY, "in the query"
    elif said.knows(plain) or all(word in _CALENDAR or word in _ANYWHERE for word in words):
        ground, how = Ground.QUESTION, "words of the question, the query or the columns"
    elif near := _nearest(text, said.table):
        how = f"nearest in the rows: {near!r}"
    return Claim(ClaimKind.NAME, named.text, named.span, ground, how)


def _row_of(text: str, words: tuple[str, ...], table: Table) -> int | None:
    """The first row that says it: as it is within one cell, or word by word over several of its cells."""
    for row, _, cell in table.texts:
        if cell == text or stands(text, cell):
            return row
    wanted = frozenset(words)
    return next((row for row, found in enumerate(table.words_of_rows) if wanted and wanted <= found), None)


def _nearest(text: str, table: Table) -> str | None:
    from rapidfuzz import fuzz, process  # noqa: PLC0415  not for an answer that is all right

    cells = list(dict.fromkeys(cell for _, _, cell in table.texts))
    found = process.extractOne(text, cells, scorer=fuzz.ratio, score_cutoff=_LEAST_LIKE)
    return found[0] if found else None
