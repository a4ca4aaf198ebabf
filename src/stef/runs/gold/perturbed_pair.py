"""A pair of queries on altered copies of their database."""

from stef.databases import Database
from stef.gold.coincidence import Speaks
from stef.gold.perturbing import Perturbing
from stef.records.case import Case
from stef.records.gold import Apart, Coincidence
from stef.runs.gold.pair import Pair


def perturbed_pair(database: Database, case: Case, pair: Pair, copies: int, speaks: Speaks) -> Coincidence:
    """What `copies` altered copies say of a pair of queries that was compared."""
    if pair.gold is None or pair.candidate is None:
        return Coincidence(Apart.NOT_AVAILABLE, why="there are no two queries that ran")
    queries = [pair.gold.sql, pair.candidate.sql]
    with Perturbing(copies) as perturbing:
        return perturbing.compared(case, *queries, database=database, queries=queries, speaks=speaks)
