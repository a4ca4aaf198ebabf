"""How the SQL's names are formed, against the question's words.

Who has not seen the schema makes names up of the question's own words, in the very form that they have there; who has
seen it also uses parts of names that the question does not hold, and tables in the singular where it speaks of many.
"""

import re
from functools import lru_cache
from math import log1p

from stef.alignment.sides import Sides
from stef.question.words import name_stems

_PART = re.compile(r"[^\W_]+")
_COMMON = frozenset({"id", "name", "code", "type", "date", "number", "no", "key"})
"""Parts that names have everywhere: they tell nothing."""
_MOST = 3.0


def naming(sides: Sides) -> dict[str, float]:
    """Named features of one turn, each ≥ 0: tables by the form of their names, and log(1 + parts that nobody said)."""
    words = {word.text.casefold() for word in sides.question.words}
    stems = {word.stem for word in sides.question.words}
    tables = {table.rsplit(".", 1)[-1].casefold() for table in sides.done.tables}
    heads = [_head(table) for table in tables]
    names = tables | {column.name for column in sides.done.columns}
    unsaid = sum(part not in stems and part not in _COMMON for name in names for part in name_stems(name))
    return {
        "tables_in_plural_as_said": min(_MOST, float(sum(_is_plural(head) and head in words for head in heads))),
        "tables_in_singular": min(_MOST, float(sum(_is_singular_of_said(head, words) for head in heads))),
        "name_parts_unsaid": log1p(unsaid),
    }


@lru_cache(maxsize=16_384)
def _head(name: str) -> str:
    """The last word of a name."""
    parts = _PART.findall(name)
    return parts[-1] if parts else ""


def _is_plural(word: str) -> bool:
    return len(word) > 3 and word.endswith("s") and not word.endswith("ss")


def _is_singular_of_said(word: str, words: set[str]) -> bool:
    """ "singer" where the question says "singers" and nowhere "singer"."""
    return (
        bool(word)
        and not _is_plural(word)
        and word not in words
        and (f"{word}s" in words or f"{word[:-1]}ies" in words)
    )
