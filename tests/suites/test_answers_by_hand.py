"""The harder questions answered a third time, without SQL: rows are read, and Python does the rest."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from datetime import date
from itertools import pairwise
from statistics import fmean
from typing import Any

import pytest

from stef.databases import Database
from stef.records.result import Result
from stef.suites import tpch64

Rows = list[dict[str, Any]]
Tables = Callable[[str], Rows]


@pytest.fixture(scope="module")
def table(data: Database) -> Tables:
    """A table's rows, read once."""
    kept: dict[str, Rows] = {}

    def read(name: str) -> Rows:
        if name not in kept:
            result = data.run(f"SELECT * FROM {name}")
            assert isinstance(result, Result)
            kept[name] = [dict(zip(result.names, row, strict=True)) for row in zip(*result.columns, strict=True)]
        return kept[name]

    return read


def nation_of(table: Tables, name: str) -> int:
    return next(one["n_nationkey"] for one in table("nation") if one["n_name"] == name)


def regions(table: Tables) -> dict[int, int]:
    return {one["n_nationkey"]: one["n_regionkey"] for one in table("nation")}


def monthly_orders(table: Tables) -> Counter[tuple[int, int]]:
    return Counter((one["o_orderdate"].year, one["o_orderdate"].month) for one in table("orders"))


def yearly_price(table: Tables) -> dict[int, float]:
    sums: defaultdict[int, float] = defaultdict(float)
    for one in table("orders"):
        sums[one["o_orderdate"].year] += float(one["o_totalprice"])
    return sums


def german_neighbours(table: Tables) -> set[tuple[Hashable, ...]]:
    germany = nation_of(table, "GERMANY")
    parts = {one["p_partkey"] for one in table("part") if one["p_brand"] == "Brand#55"}
    suppliers = {one["s_suppkey"] for one in table("supplier") if one["s_nationkey"] == germany}
    lines = (one for one in table("lineitem") if one["l_partkey"] in parts and one["l_suppkey"] in suppliers)
    orders = {one["l_orderkey"] for one in lines}
    buyers = {one["o_custkey"] for one in table("orders") if one["o_orderkey"] in orders}
    customers = (one for one in table("customer") if one["c_custkey"] in buyers and one["c_nationkey"] == germany)
    return {(one["c_custkey"], one["c_name"]) for one in customers}


def rich_neighbours(table: Tables) -> set[tuple[Hashable, ...]]:
    names = {one["n_nationkey"]: one["n_name"] for one in table("nation")}
    rich = sorted((one for one in table("supplier") if one["s_acctbal"] > 7000), key=lambda one: one["s_suppkey"])
    return {
        (names[low["s_nationkey"]], low["s_name"], high["s_name"])
        for place, low in enumerate(rich)
        for high in rich[place + 1 :]
        if low["s_nationkey"] == high["s_nationkey"]
    }


def american_discounts(table: Tables) -> set[tuple[Hashable, ...]]:
    america = next(one["r_regionkey"] for one in table("region") if one["r_name"] == "AMERICA")
    nations = {one["n_nationkey"]: one["n_name"] for one in table("nation") if one["n_regionkey"] == america}
    of_supplier = {one["s_suppkey"]: nations.get(one["s_nationkey"]) for one in table("supplier")}
    given: defaultdict[str, float] = defaultdict(float)
    full: defaultdict[str, float] = defaultdict(float)
    for one in table("lineitem"):
        if nation := of_supplier[one["l_suppkey"]]:
            full[nation] += float(one["l_extendedprice"])
            given[nation] += float(one["l_extendedprice"]) * float(one["l_discount"])
    return {(nation, 100 * given[nation] / full[nation]) for nation in full}


def first_shipment(table: Tables) -> set[tuple[Hashable, ...]]:
    first: dict[int, date] = {}
    for one in table("lineitem"):
        first[one["l_orderkey"]] = min(one["l_shipdate"], first.get(one["l_orderkey"], date.max))
    march = [one for one in table("orders") if (one["o_orderdate"].year, one["o_orderdate"].month) == (1994, 3)]
    return {(fmean((first[one["o_orderkey"]] - one["o_orderdate"]).days for one in march),)}


def late_share(table: Tables) -> set[tuple[Hashable, ...]]:
    late: defaultdict[int, list[bool]] = defaultdict(list)
    for one in table("lineitem"):
        late[one["l_receiptdate"].year].append(one["l_receiptdate"] > one["l_commitdate"])
    return {(year, 100 * sum(lines) / len(lines)) for year, lines in late.items()}


def two_years(table: Tables) -> set[tuple[Hashable, ...]]:
    orders = monthly_orders(table)
    return {(month, orders[1997, month], orders[1998, month]) for month in range(1, 8)}


def weekend_orders(table: Tables) -> set[tuple[Hashable, ...]]:
    dates = (one["o_orderdate"] for one in table("orders"))
    return {(sum(day.year == 1996 and day.weekday() >= 5 for day in dates),)}


def second_latest(table: Tables) -> set[tuple[Hashable, ...]]:
    late = Counter(one["l_suppkey"] for one in table("lineitem") if one["l_receiptdate"] > one["l_commitdate"])
    return {late.most_common(2)[1]}


def above_brand_average(table: Tables) -> set[tuple[Hashable, ...]]:
    prices: defaultdict[str, list[Any]] = defaultdict(list)
    for one in table("part"):
        prices[one["p_brand"]].append(one["p_retailprice"])
    return {(sum(price > sum(brand) / len(brand) for brand in prices.values() for price in brand),)}


def silent_japan(table: Tables) -> set[tuple[Hashable, ...]]:
    japan, buyers = nation_of(table, "JAPAN"), {one["o_custkey"] for one in table("orders")}
    customers = (one for one in table("customer") if one["c_nationkey"] == japan)
    return {(one["c_custkey"],) for one in customers if one["c_custkey"] not in buyers}


def one_mode_orders(table: Tables) -> set[tuple[Hashable, ...]]:
    modes: defaultdict[int, list[str]] = defaultdict(list)
    for one in table("lineitem"):
        modes[one["l_orderkey"]].append(one["l_shipmode"])
    return {(sum(len(lines) >= 4 and len(set(lines)) == 1 for lines in modes.values()),)}


def every_year(table: Tables) -> set[tuple[Hashable, ...]]:
    years: defaultdict[int, set[int]] = defaultdict(set)
    for one in table("orders"):
        years[one["o_custkey"]].add(one["o_orderdate"].year)
    return {(sum(set(range(1992, 1999)) <= one for one in years.values()),)}


def four_regions(table: Tables) -> set[tuple[Hashable, ...]]:
    of_nation = regions(table)
    of_supplier = {one["s_suppkey"]: of_nation[one["s_nationkey"]] for one in table("supplier")}
    found: defaultdict[int, set[int]] = defaultdict(set)
    for one in table("partsupp"):
        found[one["ps_partkey"]].add(of_supplier[one["ps_suppkey"]])
    return {(sum(len(one) == 4 for one in found.values()),)}


def second_in_each_nation(table: Tables) -> set[tuple[Hashable, ...]]:
    names = {one["n_nationkey"]: one["n_name"] for one in table("nation")}
    of_nation: defaultdict[str, list[tuple[Any, str]]] = defaultdict(list)
    for one in table("supplier"):
        of_nation[names[one["s_nationkey"]]].append((one["s_acctbal"], one["s_name"]))
    placed = {nation: sorted(suppliers, reverse=True) for nation, suppliers in of_nation.items()}
    return {(nation, one[1][1], float(one[1][0])) for nation, one in placed.items() if len(one) > 1}


def running_total(table: Tables) -> set[tuple[Hashable, ...]]:
    price: defaultdict[int, float] = defaultdict(float)
    for one in table("orders"):
        if one["o_orderdate"].year == 1996:
            price[one["o_orderdate"].month] += float(one["o_totalprice"])
    return {(month, price[month], sum(price[before] for before in range(1, month + 1))) for month in range(1, 13)}


def yearly_change(table: Tables) -> set[tuple[Hashable, ...]]:
    price = yearly_price(table)
    return {(year, 100 * (price[year] / price[year - 1] - 1)) for year in range(1993, 1998)}


def longest_pause(table: Tables) -> set[tuple[Hashable, ...]]:
    days: defaultdict[int, list[date]] = defaultdict(list)
    for one in table("orders"):
        days[one["o_custkey"]].append(one["o_orderdate"])
    pauses = ((customer, (b - a).days) for customer, one in days.items() for a, b in pairwise(sorted(one)))
    return {max(pauses, key=lambda pause: pause[1])}


def moving_average(table: Tables) -> set[tuple[Hashable, ...]]:
    orders = monthly_orders(table)
    counts = [orders[1994, 11], orders[1994, 12], *(orders[1995, month] for month in range(1, 13))]
    return {(month, fmean(counts[month - 1 : month + 2])) for month in range(1, 13)}


BY_HAND: dict[str, Callable[[Tables], set[tuple[Hashable, ...]]]] = {
    "german-neighbours": german_neighbours,
    "rich-neighbours": rich_neighbours,
    "american-discounts": american_discounts,
    "weekend-orders": weekend_orders,
    "first-shipment": first_shipment,
    "late-share": late_share,
    "two-years-side-by-side": two_years,
    "second-latest-supplier": second_latest,
    "above-brand-average": above_brand_average,
    "silent-japan": silent_japan,
    "one-mode-orders": one_mode_orders,
    "every-year-customers": every_year,
    "four-region-parts": four_regions,
    "second-in-each-nation": second_in_each_nation,
    "running-total": running_total,
    "yearly-change": yearly_change,
    "longest-pause": longest_pause,
    "moving-average": moving_average,
}


def test_all_hard_questions_are_among_them() -> None:
    """No answerable question that is called hard goes without."""
    hard = {case.id for case in tpch64.cases() if case.difficulty == "hard" and case.kind == "answerable"}
    assert hard <= set(BY_HAND)


@pytest.mark.parametrize("name", BY_HAND)
def test_gold_is_what_python_finds(name: str, table: Tables, data: Database) -> None:
    """The gold's rows are those that a loop over the tables finds."""
    case = next(case for case in tpch64.cases() if case.id == name)
    result = data.run(case.gold_sql[0])
    assert isinstance(result, Result)
    gold = sorted(zip(*result.columns, strict=True), key=str)
    found = sorted(BY_HAND[name](table), key=str)
    assert len(gold) == len(found)
    for row, other in zip(
        sorted(gold, key=lambda row: str(row[0])), sorted(found, key=lambda row: str(row[0])), strict=True
    ):
        for value, same in zip(row, other, strict=True):
            assert value == same or float(value) == pytest.approx(float(same), rel=1e-9)  # type: ignore[arg-type]
