"""The shapes of gold sets that are read: stef's own, and public ones."""

from collections.abc import Iterable

from stef.errors import UserError
from stef.gold.cases.formats.base import Draft, Format
from stef.gold.cases.formats.bird import BIRD, MENDED, REVIEWED
from stef.gold.cases.formats.defog import DEFOG, DEFOG_WRITTEN_OUT
from stef.gold.cases.formats.own import OWN
from stef.gold.cases.formats.seeds import SEEDS
from stef.gold.cases.formats.spider import PLAIN, SPIDER
from stef.gold.cases.formats.spider2 import SPIDER2
from stef.gold.cases.formats.typed import TYPED
from stef.rules.messages import nearest

FORMATS = (OWN, SEEDS, SPIDER2, TYPED, DEFOG, SPIDER, BIRD, REVIEWED, MENDED, DEFOG_WRITTEN_OUT, PLAIN)
"""All formats. Where none is named, the first whose marks a file's entries bear; stef's own where none does."""

__all__ = ["FORMATS", "OWN", "Draft", "Format", "detect_format", "named_format"]


def detect_format(entries: Iterable[frozenset[str]]) -> Format:
    """The format that most of these entries (their keys) bear the marks of; of several, the first in `FORMATS`."""
    sample = list(entries)
    votes = [(sum(one.fits(keys) for keys in sample), one) for one in FORMATS]
    most = max(count for count, _ in votes)
    return OWN if most * 2 < len(sample) or not most else next(one for count, one in votes if count == most)


def named_format(name: str) -> Format:
    """The format of that name; raises UserError with the nearest one."""
    by_name = {one.name: one for one in FORMATS}
    if name in by_name:
        return by_name[name]
    near = nearest(name, list(by_name))
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(by_name)}"
    raise UserError(f"--format {name}: unknown format; {hint}")
