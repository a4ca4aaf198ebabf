"""What is wrong with a case that is well formed: no gold, too many, or a gold that is no single query."""

from collections.abc import Iterator
from typing import TypeAlias

from stef.gold.cases.faults import FaultKind
from stef.gold.cases.formats.braces import has_braces
from stef.records.case import Case, CaseKind, Expected
from stef.records.reading import Unreadable
from stef.records.reasons import UnscoredReason
from stef.sql import parse

Found: TypeAlias = tuple[FaultKind, tuple[str | int, ...], str]
"""The kind of a fault, the field of the case, and the words."""

_NO_QUERY = {
    UnscoredReason.NOT_A_QUERY,
    UnscoredReason.NOT_SQL,
    UnscoredReason.SEVERAL_STATEMENTS,
    UnscoredReason.EMPTY,
    UnscoredReason.DECLINED,
}
"""What cannot be one query in any dialect. A text that does not parse may still be one that the database knows."""


_NO_ANSWER = (Expected.CLARIFY, Expected.DECLINE, Expected.UNSUPPORTED)
_READINGS = ("no acceptable reading", "one acceptable reading only")


def check_case(case: Case, dialect: str | None = None) -> Iterator[Found]:
    """Each fault as its kind, the field it is of, and its words. `dialect` is read where the case names none."""
    yield from _count(case)
    if not case.question.strip():
        yield FaultKind.INVALID, ("question",), "must not be blank"
    for index, sql in enumerate(case.gold_sql):
        which = f"query {index + 1} of {len(case.gold_sql)} " if len(case.gold_sql) > 1 else ""
        if fault := _query_fault(sql, case.dialect or dialect):
            kind, words = fault
            yield kind, ("gold_sql", index), which + words


def _count(case: Case) -> Iterator[Found]:
    count = len(case.gold_sql)
    if case.kind is CaseKind.UNANSWERABLE:
        if count:
            way_out = "leave the query out, or say `kind: answerable`"
            yield FaultKind.GOLD_COUNT, ("gold_sql",), f"an unanswerable question with gold SQL; {way_out}"
    elif case.expect in _NO_ANSWER:
        return
    elif case.kind is CaseKind.AMBIGUOUS and count < len(_READINGS):
        way_out = "give one query for each acceptable reading, or say `expect: clarify`"
        yield FaultKind.GOLD_COUNT, ("gold_sql",), f"an ambiguous question with {_READINGS[count]}; {way_out}"
    elif not count and not case.control:
        way_out = "give its query, or say `kind: unanswerable`"
        yield FaultKind.NO_GOLD, ("gold_sql",), f"an answerable question without gold SQL; {way_out}"


def _query_fault(sql: str, dialect: str | None) -> tuple[FaultKind, str] | None:
    if has_braces(sql):
        way_out = "write the acceptable queries out, or read the file with `--format defog`"
        return FaultKind.GOLD_TEMPLATE, f"holds braces that list columns; {way_out}"
    read = parse(sql, dialect)
    if not isinstance(read, Unreadable) or read.reason not in _NO_QUERY or _begins_with_table(sql, read):
        return None
    if read.reason is UnscoredReason.NOT_A_QUERY and "writes" in read.detail:
        return FaultKind.GOLD_WRITES, f"is no query: {read.detail}; a gold only reads"
    return FaultKind.GOLD_NOT_ONE_QUERY, f"is not one query ({read.reason}): {read.detail}"


def _begins_with_table(sql: str, read: Unreadable) -> bool:
    """`FROM t` and `TABLE t` are queries to some databases."""
    return read.reason is UnscoredReason.NOT_SQL and sql.split(None, 1)[0].casefold() in {"from", "table"}
