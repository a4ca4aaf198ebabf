"""Sets whose queries are called `golden_sql` and `acceptable_sql`."""

from stef.gold.cases.formats.base import Format
from stef.gold.cases.formats.kinds import adapt_kind

SEEDS = Format(
    name="seeds",
    about="golden_sql, acceptable_sql, compare_on: film_id_set",
    marks=(frozenset({"golden_sql"}), frozenset({"acceptable_sql"})),
    names={"database": ("db_id", "db_name", "db"), "hint": ("evidence",), "question": ("nl_question",)},
    gold=("golden_sql", "gold_sql", "acceptable_sql", "acceptable_sqls"),
    adapt=adapt_kind,
)
