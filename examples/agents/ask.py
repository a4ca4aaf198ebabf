"""An agent and a retriever that are functions: python:examples/agents/ask.py:ask and …:find.

It answers like the most similar of its worked examples, as few-shot agents do, and heeds the ids to hide.
"""

EXAMPLES = {
    "orders-2024": (
        "How many orders were placed in 2024?",
        "SELECT COUNT(*) FROM orders WHERE order_date >= '2024-01-01' AND order_date < '2025-01-01'",
    ),
    "revenue-per-region": (
        "What is the total revenue per region?",
        "SELECT r.name, SUM(o.amount) FROM orders o JOIN regions r ON r.id = o.region_id GROUP BY r.name",
    ),
    "top-customers": (
        "Who are the five customers with the most orders?",
        "SELECT customer_id FROM orders GROUP BY customer_id ORDER BY COUNT(*) DESC LIMIT 5",
    ),
}
TABLES = {
    "orders": "CREATE TABLE orders (id INT, customer_id INT, region_id INT, amount DECIMAL, order_date DATE)",
    "regions": "CREATE TABLE regions (id INT, name TEXT)",
}


def ask(question: str, hide: tuple[str, ...] = ()) -> dict[str, object]:
    """The SQL of the most similar example that may be used."""
    words = set(question.lower().strip("?").split())
    allowed = {id_: example for id_, example in EXAMPLES.items() if id_ not in hide}
    best = max(allowed, key=lambda id_: len(words & set(allowed[id_][0].lower().strip("?").split())))
    return {"sql": allowed[best][1], "examples": [best], "tables_offered": list(TABLES), "outcome": "answered"}


def find(question: str) -> list[str]:
    """The CREATE statements of the tables whose name the question knows; all of them where it knows none."""
    named = [ddl for name, ddl in TABLES.items() if name.removesuffix("s") in question.lower()]
    return named or list(TABLES.values())


ask.version = "1.0"  # type: ignore[attr-defined]  # functions may carry attributes
