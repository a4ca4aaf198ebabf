"""The pieces of SQL that a rules file holds, each with its place, for whoever can read SQL."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from stef.rules.filter_rule import FilterRule
from stef.rules.model import AppRules


class FragmentKind(StrEnum):
    """What a piece of SQL must be."""

    CONDITION = "condition"
    EXPRESSION = "expression"


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of SQL in the rules, its path inside the JSON, and the dialect to read it in."""

    path: str
    kind: FragmentKind
    sql: str
    dialect: str | None


def sql_fragments(rules: AppRules, dialect: str | None = None) -> Iterator[Fragment]:
    """Every piece of SQL that `rules` hold, in the order of their keys; `dialect` where they name none themselves."""
    spoken = rules.dialect or dialect
    for term, sql in rules.term_mappings.items():
        yield Fragment(f"term_mappings[{term!r}]", FragmentKind.EXPRESSION, sql, spoken)
    for path, rule in _filters(rules):
        yield Fragment(path, FragmentKind.CONDITION, rule.to_sql(), rule.sql_dialect(spoken))


def _filters(rules: AppRules) -> Iterator[tuple[str, FilterRule]]:
    for index, rule in enumerate(rules.benign_filters):
        yield f"benign_filters[{index}]", rule
    for index, rule in enumerate(rules.mandatory_filters):
        yield f"mandatory_filters[{index}]", rule
    if rules.agent_adds.tenant_filter is not None:
        yield "agent_adds.tenant_filter", rules.agent_adds.tenant_filter
