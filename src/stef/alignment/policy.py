"""The application's rules, read once: predicates as clauses, business names as stems."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from stef.alignment.facts import columns_of
from stef.errors import RulesError
from stef.question.words import name_stems, tokenize
from stef.records.predicates import Clause
from stef.rules.filter_rule import FilterRule
from stef.rules.model import AppRules
from stef.sql.dialects import check_dialect
from stef.sql.fragments import FragmentError, read_condition, read_expression


@dataclass(frozen=True, slots=True)
class RuleClause:
    """A filter that a rule speaks of: the clause, the rule in words (`benign_filters: IsTest = 0`) and why it exists.

    `tables`: it holds where one of these is read (folded; empty: everywhere). `any_value`: any constants do.
    """

    clause: Clause
    rule: str
    why: str
    tables: frozenset[str] = frozenset()
    any_value: bool = False

    def holds_for(self, tables: Iterable[str]) -> bool:
        """Whether the rule speaks of a query over `tables`."""
        return not self.tables or any(_bare(table) in self.tables for table in tables)


@dataclass(frozen=True, slots=True)
class Policy:
    """What the alignment needs of AppRules.

    `names`: folded column name → stems of each business name or term. `values`: folded business name of a value → the
    column and value (both folded) that are stored for it. `safety_limit`: a LIMIT from here on is a safety measure;
    `pagination`: so is any with an OFFSET or an order.
    """

    benign: tuple[RuleClause, ...] = ()
    mandatory: tuple[RuleClause, ...] = ()
    critical: frozenset[str] = frozenset()
    names: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    values: dict[str, frozenset[tuple[str, str]]] = field(default_factory=dict)
    safety_limit: int = 1000
    row_cap: int | None = None
    pagination: bool = False
    agent_columns: frozenset[str] = frozenset()
    required_group_by: bool = True
    benign_group_by: bool = True
    order_tolerance: bool = True
    limit_tolerance: bool = True


def compile_policy(rules: AppRules) -> Policy:
    """The policy of `rules`; `RulesError` names the rule whose SQL cannot be read."""
    switches = rules.normalisation
    tenant = rules.agent_adds.tenant_filter
    return Policy(
        benign=tuple(_clauses("benign_filters", rules.benign_filters, rules))
        + tuple(_clauses("agent_adds.tenant_filter", [] if tenant is None else [tenant], rules)),
        mandatory=tuple(_clauses("mandatory_filters", rules.mandatory_filters, rules)),
        critical=frozenset(_bare(name) for name in rules.critical_columns),
        names=_names(rules),
        values=_values(rules),
        safety_limit=switches.safety_limit,
        row_cap=rules.row_cap,
        pagination=rules.agent_adds.pagination,
        agent_columns=frozenset(_bare(name) for name in rules.agent_adds.columns),
        required_group_by=switches.required_group_by,
        benign_group_by=switches.benign_group_by,
        order_tolerance=switches.order_tolerance,
        limit_tolerance=switches.limit_tolerance,
    )


def _clauses(key: str, filters: Iterable[FilterRule], rules: AppRules) -> Iterable[RuleClause]:
    dialect = None if rules.dialect is None else check_dialect(rules.dialect)
    for rule in filters:
        name = f"{key}: {rule.describe()}"
        try:
            clauses = read_condition(rule.to_sql(), rule.sql_dialect(dialect))
        except FragmentError as error:
            raise RulesError(f"{rules.app or 'rules'}: {name}: {error}") from error
        tables = frozenset(_bare(name) for name in rule.tables or ((rule.table,) if rule.table else ()))
        for clause in clauses:
            yield RuleClause(clause, name, rule.why, tables, rule.any_value)


def _names(rules: AppRules) -> dict[str, tuple[tuple[str, ...], ...]]:
    """What columns are called: by `column_mappings`, and by the terms whose expressions they stand in."""
    names = {_bare(column): tuple(map(_stems, names)) for column, names in rules.column_mappings.items()}
    dialect = None if rules.dialect is None else check_dialect(rules.dialect)
    for term, expression in rules.term_mappings.items():
        try:
            found = read_expression(expression, dialect)
        except FragmentError as error:
            raise RulesError(f"{rules.app or 'rules'}: term_mappings: {term}: {error}") from error
        for column in columns_of(found):
            names[column.name] = (*names.get(column.name, ()), _stems(term))
    return names


def _bare(name: str) -> str:
    return name.rsplit(".", 1)[-1].casefold()


def _stems(text: str) -> tuple[str, ...]:
    return tuple(word.stem for word in tokenize(text) if not word.stop) or name_stems(text)


def _values(rules: AppRules) -> dict[str, frozenset[tuple[str, str]]]:
    found: dict[str, set[tuple[str, str]]] = {}
    for column, mapping in rules.value_mappings.items():
        for stored, names in mapping.items():
            for name in names:
                found.setdefault(name.casefold(), set()).add((_bare(column), stored.casefold()))
    return {name: frozenset(stored) for name, stored in found.items()}
