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

PLAIN = Format(
    name="public",
    about="question, gold_sql or acceptable_sqls, db_id; evidence or enriched_hint; hardness",
    marks=(
        frozenset({"question", "gold_sql", "db_id"}),
        frozenset({"question", "acceptable_sqls"}),
        frozenset({"question", "db_id", "answerable"}),
    ),
    names={
        "database": ("db_id", "db"),
        "difficulty": ("hardness",),
        "category": ("reasoning_type",),
        "hint": ("evidence", "enriched_hint", "app_rules"),
    },
    gold=("gold_sql", "acceptable_sqls"),
    adapt=adapt_kind,
)
