"""The answer in the shape that the case is compared on: what `correct` means.

| shape | right if |
|---|---|
| `id_set` | the ids are the same set; other columns are free, duplicates and order do not count |
| `scalar` | the one row is the same |
| `ranking` | the rows are the same, in the same order, where rows that tie may stand in any order |
| `grouped` | every key has its values: the rows are the same, whatever order the gold gives them |
| `table` | the rows are the same multiset |

Rows are compared as in `exact`: columns in any order, namesakes meet, numbers within the case's tolerance.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from stef.gold.exact import Order, Table, exact_match, tables
from stef.gold.ranked import Ranked, is_possible
from stef.gold.values import NotComparableError
from stef.records.case import Case, Shape
from stef.records.gold import Answer, Share
from stef.records.result import Executed, Failure, Result

Origins: TypeAlias = Sequence[Hashable | None]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of two results beside their values; all of it may be missing.

    `origins`, `candidate_origins`: what each output column is, in terms of base columns. `order`: how the reference's
    outermost query orders, None where it does not. `keys`: the reference's output columns that it groups by. `ranked`
    gives the reference's rows before its LIMIT with their sort keys; it is called where the answer is wrong otherwise,
    and then no tie decides.
    """

    origins: Origins = ()
    candidate_origins: Origins = ()
    order: Order | None = None
    keys: tuple[int, ...] = ()
    ranked: Callable[[], Ranked | None] | None = None


_NOTHING = Known()


def shape_of(case: Case, reference: Result, known: Known = _NOTHING) -> tuple[Shape, str | None, bool]:
    """The shape that the case is compared on, the column that an id set rests on, and was the shape inferred?

    The case's own word (`id_set:film_id`, `scalar`, …) comes first. Else the gold decides: one cell is a scalar; rows
    that the outermost query orders are a ranking; one column with the name of an id, each id once, is an id set; rows
    with grouping keys and something else are grouped; everything else is a table. Raises ValueError for a word that is
    no shape.
    """
    if case.compare_on is not None:
        word, _, column = case.compare_on.partition(":")
        shape = Shape(word.strip().casefold())
        return shape, (_id_name(reference, column.strip()) if shape is Shape.ID_SET else None), False
    if reference.rows == 1 and len(reference.columns) == 1:
        return Shape.SCALAR, None, True
    if known.order is not None:
        return Shape.RANKING, None, True
    if len(reference.names) == 1 and _is_id_name(reference.names[0]) and _are_ids(reference.columns[0]):
        return Shape.ID_SET, reference.names[0], True
    if known.keys and len(known.keys) < len(reference.columns):
        return Shape.GROUPED, None, True
    return Shape.TABLE, None, True


def answer(reference: Result, candidate: Executed, case: Case, known: Known = _NOTHING) -> Answer:
    """Is the candidate's answer the reference's, in the case's shape?

    A candidate that failed is wrong; a reference that was cut, or values that cannot be compared, leave `correct`
    undefined. Raises ValueError for a shape that there is not.
    """
    shape, on, inferred = shape_of(case, reference, known)
    blank = Answer(shape, inferred, on=on)
    if isinstance(candidate, Failure):
        recall = 0.0 if shape is Shape.ID_SET and reference.rows else None
        return replace(blank, correct=False, set=Share(None, recall))
    try:
        left, right = tables(reference, candidate)
    except NotComparableError:
        return blank
    if case.expect_empty and not left.rows:
        # To a reader an answer without rows has no columns.
        return replace(blank, correct=not right.rows)
    match shape:
        case Shape.ID_SET:
            return _id_set(left, right, known, blank)
        case Shape.RANKING:
            correct = exact_match(left, right, order=known.order or Order(), tolerance=case.tolerance)
        case Shape.SCALAR | Shape.GROUPED | Shape.TABLE:
            correct = exact_match(left, right, tolerance=case.tolerance)
        case _:
            assert_never(shape)
    if correct is False and known.ranked is not None:
        by_tie = _is_another_tie(left, right, known.ranked(), case, ordered=shape is Shape.RANKING)
        return replace(blank, correct=by_tie, by_tie=by_tie)
    return replace(blank, correct=correct)


def _is_another_tie(left: Table, right: Table, ranked: Ranked | None, case: Case, *, ordered: bool) -> bool:
    """Is the candidate another answer that the reference's query may give? It must be able to give its own."""
    return ranked is not None and all(
        is_possible(side, ranked, case.tolerance, ordered=ordered) for side in (left, right)
    )


def _id_set(left: Table, right: Table, known: Known, blank: Answer) -> Answer:
    place = next((n for n, name in enumerate(left.names) if name == blank.on), None)
    if place is None:  # the gold does not show the column that the case names
        return blank
    found = _same_id(left, right, place, known)
    wanted = set(left.columns[place])
    given = set(right.columns[found]) if found is not None else set()
    if left.cut or right.cut:
        # What is there may already be wrong; that it is right cannot be known.
        wrong = (not left.cut and bool(given - wanted)) or (not right.cut and bool(wanted - given))
        return replace(blank, correct=False if wrong else None)
    both = len(wanted & given)
    share = Share(both / len(given) if given else None, both / len(wanted) if wanted else None)
    return replace(blank, correct=found is not None and wanted == given, set=share)


def _same_id(left: Table, right: Table, place: int, known: Known) -> int | None:
    """The candidate's column of ids: of the same origin, else of the same name, else its only one."""
    origin = known.origins[place] if place < len(known.origins) else None
    if origin is not None and origin in known.candidate_origins:
        return list(known.candidate_origins).index(origin)
    name = left.names[place].casefold()
    named = [n for n, other in enumerate(right.names) if other.casefold() == name]
    if named:
        return named[0]
    return 0 if len(right.columns) == 1 else None


def _id_name(reference: Result, wanted: str) -> str | None:
    """The name of the reference's column of ids: as the case names it, else its first that is named like one."""
    if wanted:
        named = [name for name in reference.names if name.casefold() == wanted.casefold()]
        # A gold may call it by another name; where there is one column only, there is no doubt.
        return named[0] if named else reference.names[0] if len(reference.names) == 1 else wanted
    return next(filter(_is_id_name, reference.names), reference.names[0] if reference.names else None)


def _is_id_name(name: str) -> bool:
    """Named like an id: `id`, `film_id`, `filmId`, `FilmID`."""
    bare = name.rpartition(".")[2].strip('"`[]')
    return bare.casefold() == "id" or bare.casefold().endswith("_id") or bare.endswith(("Id", "ID"))


def _are_ids(column: Sequence[object]) -> bool:
    return len(column) > 1 and None not in column and len(set(map(str, column))) == len(column)
