"""The right turns of a run once more, on altered copies of their database."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from stef.databases import Database
from stef.gold.coincidence import Speaks
from stef.gold.perturbing import Perturbing
from stef.gold.sides import Golds
from stef.records.case import Case
from stef.records.gold import CaseReport


class Perturbed:
    """Asks the copies of a database whether a right turn is right by coincidence; each query of a case once."""

    def __init__(self, perturbing: Perturbing, cases: Iterable[Case]) -> None:
        self._perturbing = perturbing
        self._queries: defaultdict[str | None, list[str]] = defaultdict(list)
        for case in cases:
            self._queries[case.database] += case.gold_sql

    def looked_at(
        self, report: CaseReport, case: Case, golds: Golds, sql: str, on: tuple[Database, Speaks]
    ) -> CaseReport:
        """The report with what the copies say, where the turn is right and compared with a gold."""
        if report.correct is not True or report.gold_index is None:
            return report
        database, speaks = on
        gold = golds.runs[report.gold_index].sql
        queries = self._queries[case.database]
        found = self._perturbing.compared(case, gold, sql, database=database, queries=queries, speaks=speaks)
        return replace(report, coincidence=found)
