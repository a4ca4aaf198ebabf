"""What a check is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import ModuleType
from typing import Any

from stef.gold.validate.place import Place
from stef.gold.validate.remarks import Remark
from stef.gold.validate.subject import Subject


class Needs(StrEnum):
    """What a check cannot do without."""

    NOTHING = "nothing"
    DATABASE = "a database (--db)"
    JUDGE = "a judge"


@dataclass(frozen=True, slots=True)
class Check:
    """One check: a module with `NAME`, `TITLE`, `NEEDS` and one or more of the functions below.

    `of_case` looks at one case. `of_set` looks at all cases of a set, and gives the place of a case with each remark.
    `of_database` looks at one database.
    """

    name: str
    title: str
    needs: Needs
    of_case: Callable[[Subject], Iterator[Remark]] | None = None
    of_set: Callable[[Sequence[Subject]], Iterator[tuple[int, Remark]]] | None = None
    of_database: Callable[[Place], Iterator[Remark]] | None = None


def check_of(module: ModuleType) -> Check:
    """The check that a module is."""
    parts: dict[str, Any] = {part: getattr(module, part, None) for part in ("of_case", "of_set", "of_database")}
    return Check(module.NAME, module.TITLE, module.NEEDS, **parts)
