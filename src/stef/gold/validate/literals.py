"""A constant that is not in the data, with the nearest value that is: 'Spain' where the data says 'España'."""

from collections.abc import Iterator

from stef.gold.validate.checks import Needs
from stef.gold.validate.constants import Constant, constants, elsewhere, fold, nearest, occurs, values_of
from stef.gold.validate.place import Place
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject

NAME = "literal"
TITLE = "a constant that is not in the data"
NEEDS = Needs.DATABASE


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each constant that a column is compared with and that none of its rows has."""
    for gold in subject.golds:
        if gold.place is None:
            continue
        for one in constants(gold):
            # A column without any value says nothing against a constant; the empty table is told by itself.
            if occurs(gold.place, one) is False and not _is_bare(gold.place, one):
                yield _strange(subject, gold, gold.place, one)


def _is_bare(place: Place, one: Constant) -> bool:
    values = values_of(place, one.table, one.column)
    return values is not None and not values.values


def _strange(subject: Subject, gold: Gold, place: Place, one: Constant) -> Remark:
    near = nearest(place, one) if one.quoted else ()
    other = elsewhere(place, gold, one) if not one.pattern else ()
    same = bool(near) and fold(near[0]) == fold(one.text)
    column = f"{one.table.name}.{one.column}"
    words = f"no {column} {'matches' if one.pattern else 'is'} {one.text!r}"
    if near:
        words += f"; nearest: {', '.join(map(repr, near))}"
    if same and not one.pattern:
        words += f" ({_difference(one.text, near[0])})"
    if other:
        words += f"; the value is in {', '.join(other)}"
    return Remark(
        NAME,
        _severity(subject, one, same=same),
        f"{subject.which(gold)}{words}",
        "write the constant as the data does" if near or other else "is it the right column, and the right value?",
        gold.index,
        _proposed(gold, one, near[0]) if same and not one.pattern else None,
        {"column": column, "literal": one.text, "nearest": list(near), "found_in": list(other)},
    )


def _severity(subject: Subject, one: Constant, *, same: bool) -> Severity:
    if subject.case.expect_empty or one.predicate.negated:
        return Severity.NOTES
    if same and not one.pattern:
        return Severity.FAILS
    return Severity.NOTES if one.alternative else Severity.DOUBTS


def _difference(text: str, near: str) -> str:
    """What two texts that are one but for accents, case and spaces differ in."""
    if text.split() == near.split():
        return "stray spaces"
    return "case" if text.casefold().split() == near.casefold().split() else "accents, quotes or dashes"


def _proposed(gold: Gold, one: Constant, near: str) -> str | None:
    text = gold.reading.text
    if one.span is None:
        return None
    start, end = one.span
    return f"{text[:start]}'{near.replace(chr(39), chr(39) * 2)}'{text[end:]}"
