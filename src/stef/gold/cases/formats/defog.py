"""defog's sets: CSV with `question`, `query`, `db_name`; `{a,b}` stands for every choice of these columns."""

from collections.abc import Mapping
from typing import Any

from stef.gold.cases.formats.base import Draft, Format
from stef.gold.cases.formats.braces import expand
from stef.gold.cases.formats.kinds import adapt_kind

_NAMES = {
    "database": ("db_name", "db_id"),
    "category": ("query_category", "category"),
    "hint": ("instructions", "app_rules"),
}
_DIALECTS = ("postgres", "snowflake", "bigquery", "mysql", "sqlite", "tsql")


def _adapt(draft: Draft, held: Mapping[str, Any]) -> None:
    """Write out the braces; the dialect is the one that the file's name ends with (`questions_gen_postgres.csv`)."""
    adapt_kind(draft, held)
    queries = draft.fields.get("gold_sql", [])
    if all(isinstance(query, str) for query in queries):
        written = [choice for query in queries for choice in expand(query)]
        if written:
            draft.fields["gold_sql"] = list(dict.fromkeys(written))
    named = next((name for name in _DIALECTS if draft.file.stem.endswith(f"_{name}")), held.get("db_type"))
    if isinstance(named, str):
        draft.fields.setdefault("dialect", named)
        draft.used.add("db_type")


DEFOG = Format(
    name="defog",
    about="question, query (with braces), db_name, query_category, instructions",
    marks=(
        frozenset({"question", "query", "db_name"}),
        frozenset({"question", "query", "query_category"}),
        frozenset({"question", "query_with_braces"}),
    ),
    names=_NAMES,
    gold=("query", "query_with_braces"),
    adapt=_adapt,
)

DEFOG_WRITTEN_OUT = Format(
    name="defog-rules",
    about="question, acceptable_sqls written out, app_rules, category",
    marks=(frozenset({"question", "acceptable_sqls", "app_rules"}),),
    names=_NAMES,
    gold=("acceptable_sqls",),
    adapt=adapt_kind,
)
