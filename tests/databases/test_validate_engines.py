"""The validator's checks on every engine: the SQL that they write is that engine's own."""

from databases_kit import Engines

from stef.databases import Databases, Limits
from stef.gold.cases import CaseSet
from stef.gold.validate import CHECKS, Means, validate
from stef.records.case import Case

GOLDS = {
    "orphans": "SELECT COUNT(*) FROM visit",
    "literal": "SELECT name FROM customer WHERE city = 'Parix'",
    "ties": "SELECT name FROM customer ORDER BY id * 0 LIMIT 1",
    "fan_out": "SELECT COUNT(c.id) FROM customer c JOIN purchase p ON p.customer_id = c.id",
    "repeated_rows": "SELECT c.name FROM customer c JOIN purchase p ON p.customer_id = c.id",
    "unordered_limit": "SELECT name FROM customer LIMIT 1",
    "today": "SELECT CURRENT_DATE",
}


def test_checks_ask_each_engine_in_its_own_sql(engine: Engines) -> None:
    """Names in capitals, reserved words and links without a declaration are found on each of them."""
    mark = "`" if engine.name == "mysql" else '"'
    engine.execute(
        f"CREATE TABLE visit (id INTEGER PRIMARY KEY, {mark}Customer_Id{mark} INTEGER, {mark}order{mark} VARCHAR(9))",
        *(f"INSERT INTO visit VALUES ({n}, {n % 3 + 1}, 'o')" for n in range(1, 12)),
        "INSERT INTO visit VALUES (12, 99, 'o')",
    )
    cases = tuple(Case(id=name, question=f"{name}?", gold_sql=(sql,)) for name, sql in GOLDS.items())
    checks = [check for check in CHECKS if check.name not in ("lint", "question")]
    with Databases(engine.url) as databases:
        found = validate(CaseSet(cases), checks, Means(databases, Limits(timeout=20)))
    assert not found.faults
    said = {one.case.id: {remark.check: remark for remark in one.remarks} for one in found.cases}
    assert {name for name in GOLDS if name not in said[name]} == set()
    assert "'Paris'" in said["literal"]["literal"].message
    assert "is 11, not 12" in said["orphans"]["orphans"].message
