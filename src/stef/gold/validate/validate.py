"""A gold set put to all checks."""

import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from stef.databases import Databases, Limits
from stef.errors import StefError, UserError
from stef.gold.cases import CaseSet
from stef.gold.perturbing import Perturbing
from stef.gold.validate.checks import Check, Needs
from stef.gold.validate.place import Place
from stef.gold.validate.remarks import CaseRemarks, CheckFault, Remark, Validation
from stef.gold.validate.subject import Assess, Gold, Subject
from stef.records.case import Case

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Means:
    """What the checks may use. Without `databases` those that need one are left out, and so on.

    `dialect` is what gold SQL is read in where a case names none. `perturbing` makes altered copies of databases, for
    acceptable golds that this data cannot tell apart. `told` is called after each case.
    """

    databases: Databases | None = None
    limits: Limits = field(default_factory=Limits)
    dialect: str | None = None
    assess: Assess | None = None
    perturbing: Perturbing | None = None
    told: Callable[[int, Subject], None] = lambda _count, _subject: None


def validate(found: CaseSet, checks: Sequence[Check], means: Means) -> Validation:
    """What `checks` say of the cases of a set. Raises UserError or StefError where no case's database can be reached.

    A check that raises costs its own remarks only, and is counted as stef's own fault.
    """
    left_out = {check.name: f"needs {check.needs}" for check in checks if not _can(check, means)}
    made = [check for check in checks if check.name not in left_out]
    places = _Places(means)
    subjects = [_subject(case, places, means) for case in found.cases]
    places.raise_where_none()
    if means.perturbing is not None:
        _offer_copies(subjects, means.perturbing)
    faults: list[CheckFault] = []
    remarks: list[list[Remark]] = []
    for number, subject in enumerate(subjects, 1):
        remarks.append(list(_of_case(subject, made, faults)))
        means.told(number, subject)
    for check in made:
        for index, remark in _kept(check, None, faults, lambda one: one.of_set(subjects) if one.of_set else ()):
            remarks[index].append(remark)
    of_databases = {name: _of_database(place, made, faults) for name, place in places.reached.items()}
    return Validation(
        cases=tuple(CaseRemarks(one.case, _sorted(said)) for one, said in zip(subjects, remarks, strict=True)),
        databases={name: said for name, said in of_databases.items() if said},
        broken=found.faults,
        made=tuple(check.name for check in made),
        left_out=left_out,
        faults=tuple(faults),
    )


def _can(check: Check, means: Means) -> bool:
    return {
        Needs.NOTHING: True,
        Needs.DATABASE: means.databases is not None,
        Needs.JUDGE: means.assess is not None,
    }[check.needs]


class _Places:
    """The databases of a set, each reached once; `away` says why one could not be."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self.reached: dict[str, Place] = {}
        self.away: dict[str, StefError] = {}

    def get(self, case: Case) -> tuple[Place | None, str | None]:
        """The place of a case, or why there is none."""
        name = case.database or ""
        if self._means.databases is None:
            return None, None
        if name not in self.reached and name not in self.away:
            try:
                self.reached[name] = Place(self._means.databases.get(case.database), self._means.limits)
            except StefError as error:
                self.away[name] = error
        away = self.away.get(name)
        return self.reached.get(name), None if away is None else str(away)

    def raise_where_none(self) -> None:
        """One URL that leads nowhere is the user's mistake, not a doubt about each of a thousand golds."""
        if self.away and not self.reached:
            raise next(iter(self.away.values()))


def _subject(case: Case, places: _Places, means: Means) -> Subject:
    place, away = places.get(case) if case.gold_sql else (None, None)
    dialect = case.dialect or means.dialect
    golds = () if away is not None else tuple(Gold(n, sql, dialect, place) for n, sql in enumerate(case.gold_sql))
    return Subject(case, place, golds, away, means.assess)


def _offer_copies(subjects: Sequence[Subject], perturbing: Perturbing) -> None:
    """Give each place a way to compare two of its golds on altered copies."""
    for place in {id(one.place): one.place for one in subjects if one.place is not None}.values():
        queries = [sql for one in subjects if one.place is place for sql in one.case.gold_sql]
        place.perturbed = partial(perturbing.compared, database=place.database, queries=queries)


def _of_case(subject: Subject, checks: Iterable[Check], faults: list[CheckFault]) -> Iterator[Remark]:
    for check in checks:
        if check.needs is Needs.DATABASE and subject.place is None and subject.away is None:
            continue
        yield from _kept(check, subject.case.id, faults, lambda one: one.of_case(subject) if one.of_case else ())


def _of_database(place: Place, checks: Iterable[Check], faults: list[CheckFault]) -> tuple[Remark, ...]:
    return tuple(
        remark
        for check in checks
        for remark in _kept(check, None, faults, lambda one: one.of_database(place) if one.of_database else ())
    )


def _kept(check: Check, case_id: str | None, faults: list[CheckFault], find: Callable[[Check], Iterable[T]]) -> list[T]:
    found: list[T] = []
    try:
        found.extend(find(check))
    except UserError:
        raise
    except Exception as error:  # a check's bug must not cost the set; it is counted as stef's own fault
        faults.append(CheckFault(check.name, case_id, f"{type(error).__name__}: {error}", traceback.format_exc()))
    return found


def _sorted(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    return tuple(sorted(remarks, key=lambda one: one.severity.rank))
