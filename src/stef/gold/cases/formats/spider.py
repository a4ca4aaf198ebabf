"""Spider's `dev.json`, and sets in its names."""

from stef.gold.cases.formats.base import Format
from stef.gold.cases.formats.kinds import adapt_kind

SPIDER = Format(
    name="spider",
    about="question, query, db_id",
    marks=(frozenset({"question", "query", "db_id"}),),
    names={"database": ("db_id",), "difficulty": ("hardness",), "hint": ("evidence",)},
    gold=("query",),
)

_QUERIES = ("sql", "gold_query", "reference_sql")

PLAIN = Format(
    name="public",
    about="question, gold_sql with db_id or db, else acceptable_sqls, sql, gold_query or reference_sql",
    marks=(
        frozenset({"question", "gold_sql", "db_id"}),
        frozenset({"question", "gold_sql", "db"}),
        *(frozenset({"question", name}) for name in _QUERIES),
        frozenset({"question", "acceptable_sqls"}),
        frozenset({"question", "db_id", "answerable"}),
    ),
    names={
        "database": ("db_id", "db", "db_name"),
        "difficulty": ("hardness",),
        "category": ("reasoning_type",),
        "hint": ("evidence", "enriched_hint", "app_rules"),
    },
    gold=("gold_sql", "acceptable_sqls", *_QUERIES),
    adapt=adapt_kind,
)
