"""Rules over the gold's SQL: joins, aggregates, conditions that look wrong whatever was asked.

A rule that was found right on labelled turns doubts a gold, another one is a note: `lift_of` says how that is told.
"""

from collections.abc import Iterator
from functools import lru_cache

from stef.findings.measured import load_measured
from stef.gold.exact import exact_match
from stef.gold.validate.checks import Needs
from stef.gold.validate.judged import assessed
from stef.gold.validate.keys import key_of
from stef.gold.validate.place import Place
from stef.gold.validate.remarks import Remark, Severity
from stef.gold.validate.subject import Gold, Subject
from stef.gold.values import NotComparableError
from stef.records.result import Result
from stef.sql.rewrite import with_all_grouped

NAME = "lint"
TITLE = "a rule doubts the SQL itself"
NEEDS = Needs.JUDGE

LEAST_LIFT = 0.2
"""How much more of the turns that a rule fires on must be wrong than of all turns of their sets."""

_OF_SQL = ("S13", "S4", "S5", "S6")
_TOLD_BY_DATA = frozenset({"S614", "S501"})
"""Rules that `unordered_limit` and `whole_division` make sure of, where there is a database."""

_TOLD_BY_KEYS = frozenset({"S406", "S408"})
"""Rules on joins that repeat rows, which `fan_out` makes sure of where the tables have keys."""


def of_case(subject: Subject) -> Iterator[Remark]:
    """One remark for each finding on the SQL alone."""
    told: set[str] = set()
    for gold in subject.golds:
        seen = assessed(subject, gold)
        for finding in seen.findings if seen is not None else ():
            code = finding.code
            if not code.startswith(_OF_SQL) or code in told or _settled_by_data(gold, code):
                continue
            # What several acceptable queries share is said of the first.
            told.add(code)
            lift = lift_of(code)
            yield Remark(
                NAME,
                Severity.DOUBTS if lift is not None and lift >= LEAST_LIFT else Severity.NOTES,
                f"{subject.which(gold)}{code} {finding.title}: {finding.detail}",
                f"`stef findings {code}` says why",
                gold.index,
                facts={"code": code, "lift": None if lift is None else round(lift, 3)},
            )


def _settled_by_data(gold: Gold, code: str) -> bool:
    """Whether the data says more than the rule can: another check tells it, or there is nothing to tell."""
    if gold.result is None or gold.place is None:
        return False
    if code in _TOLD_BY_DATA:
        return True
    if code in _TOLD_BY_KEYS:
        return _has_keys(gold, gold.place)
    # A column beside an aggregate is one in each group: it goes by the group's key.
    sql = with_all_grouped(gold.sql, gold.dialect) if code == "S507" else None
    grouped = gold.place.run(sql) if sql is not None else None
    try:
        return isinstance(grouped, Result) and exact_match(gold.result, grouped) is True
    except NotComparableError:
        return False


def _has_keys(gold: Gold, place: Place) -> bool:
    """Whether every table that the query reads has a key, so that `fan_out` sees what a join repeats."""
    tables = [place.table(name) for name in (gold.resolved.tables if gold.resolved is not None else ())]
    return bool(tables) and all(table is not None and key_of(place, table) is not None for table in tables)


@lru_cache(maxsize=256)
def lift_of(code: str) -> float | None:
    """The share of wrong turns among those that a rule fires on, less that of the whole set: the mean over the labelled
    sets by their number of questions; None where it never fired."""
    measured = load_measured()
    base = {one.name: one.wrong_share for one in measured.sets}
    found = [(one.questions, one.wrong_share - base[name]) for name, one in measured.of(code).items()]
    questions = sum(count for count, _ in found)
    return sum(count * lift for count, lift in found) / questions if questions else None
