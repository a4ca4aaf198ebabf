"""Everyday English paraphrases and abbreviations, as stems. General English only: nothing from one database."""

from functools import cache

GENERIC: frozenset[str] = frozenset({"id", "name", "code", "no", "number", "key", "titl"})
"""Stems that name a kind of column, not what it is about."""


def related(stem: str) -> dict[str, float]:
    """Stems that `stem` of a question may stand for in an identifier, with how surely, in (0, 1)."""
    return _table().get(stem, {})


@cache
def _table() -> dict[str, dict[str, float]]:
    return {}
