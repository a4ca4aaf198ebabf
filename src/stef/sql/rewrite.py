"""A query written a little differently, to see whether its answer rests on what it should not rest on.

Every function gives SQL in the query's own dialect, or None where there is nothing to rewrite, or no telling how. No
text makes one raise.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect, NormalizationStrategy
from sqlglot.errors import SqlglotError

from stef.records.reading import Unreadable
from stef.sql.literals import fold_name
from stef.sql.parse import parse

_ROWS = "stef_rows"
_OF_CATALOGUE = "of_catalogue"
_FOLDS = (NormalizationStrategy.LOWERCASE, NormalizationStrategy.UPPERCASE)
"""Dialects in which a name without quotes is folded, so that another spelling is another name."""

WHOLE_DIVISION = frozenset({"sqlite", "postgres", "redshift", "tsql", "presto", "trino", "athena", "fabric"})
"""Dialects where dividing two whole numbers gives a whole number."""


@dataclass(frozen=True, slots=True)
class Link:
    """Columns of a table that should have a row of the `parent` with the same values in `parent_columns`."""

    table: str
    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]


def without_orphans(sql: str, dialect: str | None, links: Sequence[Link]) -> str | None:
    """The query over only those rows of each link's table whose parent is there, or whose key is NULL."""

    def change(tree: exp.Expr) -> bool:
        by_table: dict[str, list[Link]] = {}
        for link in links:
            by_table.setdefault(fold_name(link.table.rpartition(".")[2]), []).append(link)
        found = [table for table in _base_tables(tree) if fold_name(table.name) in by_table]
        for table in found:
            _keep_linked(table, by_table[fold_name(table.name)])
        return bool(found)

    return _rewritten(sql, dialect, change)


def with_real_division(sql: str, dialect: str | None) -> str | None:
    """The query with the fraction of every division kept; None where the dialect keeps it, or nothing is divided."""
    if dialect not in WHOLE_DIVISION:
        return None

    def change(tree: exp.Expr) -> bool:
        found = list(tree.find_all(exp.Div))
        for division in found:
            division.set("this", exp.Mul(this=exp.Literal.number("1.0"), expression=_operand(division.this)))
        return bool(found)

    return _rewritten(sql, dialect, change)


def without_limit(sql: str, dialect: str | None) -> str | None:
    """The query without the LIMIT of its outermost part; None where it has none."""

    def change(tree: exp.Expr) -> bool:
        there = tree.args.get("limit") is not None
        for name in ("limit", "offset"):
            tree.set(name, None)
        return there

    return _rewritten(sql, dialect, change)


def with_distinct(sql: str, dialect: str | None) -> str | None:
    """The query with DISTINCT in its outermost SELECT; None where it has it, or is a set operation."""

    def change(tree: exp.Expr) -> bool:
        if not isinstance(tree, exp.Select) or tree.args.get("distinct"):
            return False
        tree.set("distinct", exp.Distinct())
        return True

    return _rewritten(sql, dialect, change)


def with_all_grouped(sql: str, dialect: str | None) -> str | None:
    """The grouped query with every shown column that is no aggregate among its groups; None where all are."""

    def change(tree: exp.Expr) -> bool:
        group = tree.args.get("group")
        if not isinstance(tree, exp.Select) or group is None or tree.is_star:
            return False
        grouped = set(group.expressions)
        bare = [
            one.unalias().copy()
            for one in tree.selects
            if one.unalias() not in grouped and one.find(exp.Column) and not one.find(exp.AggFunc)
        ]
        for column in bare:
            group.append("expressions", column)
        return bool(bare)

    return _rewritten(sql, dialect, change)


def with_tie_breakers(sql: str, dialect: str | None) -> str | None:
    """The ordered query with every shown column that it does not sort by as a further key."""

    def change(tree: exp.Expr) -> bool:
        order = tree.args.get("order")
        if not isinstance(tree, exp.Select) or order is None or tree.is_star:
            return False
        sorted_by = {one.this for one in order.expressions}
        sorted_by |= {fold_name(one.name) for one in sorted_by if isinstance(one, exp.Column)}
        further = [
            exp.column(one.alias) if isinstance(one, exp.Alias) else one.copy()
            for one in tree.selects
            if one.unalias() not in sorted_by and fold_name(one.alias_or_name) not in sorted_by
        ]
        # As the dialect sorts NULL by itself: else the key would be written with NULLS FIRST or LAST.
        nulls_first = Dialect.get_or_raise(dialect or None).NULL_ORDERING == "nulls_are_small"
        for key in further:
            order.append("expressions", exp.Ordered(this=key, nulls_first=nulls_first))
        return bool(further)

    return _rewritten(sql, dialect, change)


def rows_and_keys(sql: str, dialect: str | None, table: str, key: str) -> str | None:
    """For each group of the outermost SELECT (one where it does not group): how many of its rows have one table's key,
    and how many different values of it.

    None where the table is not read there exactly once, or where what is grouped by cannot be told.
    """

    def change(tree: exp.Expr) -> bool:
        if not isinstance(tree, exp.Select) or not _spell_out_groups(tree):
            return False
        holders = [tree.args.get("from_"), *(tree.args.get("joins") or [])]
        read = [one.this for one in holders if one is not None and isinstance(one.this, exp.Table)]
        found = [one for one in read if fold_name(one.name) == fold_name(table)]
        if len(found) != 1:
            return False
        column = exp.column(_name(key), table=exp.to_identifier(found[0].alias_or_name, quoted=_is_quoted(found[0])))
        for part in ("having", "order", "limit", "offset", "distinct", "qualify", "windows"):
            tree.set(part, None)
        keyed = exp.Count(this=column.copy())
        tree.set("expressions", [keyed, exp.Count(this=exp.Distinct(expressions=[column]))])
        return True

    return _rewritten(sql, dialect, change)


def _spell_out_groups(tree: exp.Select) -> bool:
    """Write what GROUP BY names by place or alias as what it stands for; False where that cannot be told."""
    group = tree.args.get("group")
    if group is None:
        return True
    if tree.is_star or any(value for name, value in group.args.items() if name != "expressions"):
        return False
    aliases = {fold_name(one.alias): one.unalias() for one in tree.selects if isinstance(one, exp.Alias)}
    spelled = []
    for key in group.expressions:
        if isinstance(key, exp.Literal):
            if not key.name.isdigit() or not 0 < int(key.name) <= len(tree.selects):
                return False
            spelled.append(tree.selects[int(key.name) - 1].unalias().copy())
        elif isinstance(key, exp.Column) and not key.table:
            spelled.append(aliases.get(fold_name(key.name), key).copy())
        else:
            spelled.append(key)
    group.set("expressions", spelled)
    return True


def _rewritten(sql: str, dialect: str | None, change: Callable[[exp.Expr], bool]) -> str | None:
    parsed = parse(sql, dialect)
    if isinstance(parsed, Unreadable):
        return None
    try:
        tree = parsed.tree.copy()
        if not change(tree):
            return None
        _quote(tree, parsed.dialect)
        return tree.sql(dialect=parsed.dialect, comments=False)
    except (SqlglotError, RecursionError, ValueError):
        return None


def _base_tables(tree: exp.Expr) -> Iterator[exp.Table]:
    """The tables that are read, without the names of CTEs."""
    named = {fold_name(cte.alias) for cte in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        if isinstance(table.this, exp.Identifier) and (table.db or fold_name(table.name) not in named):
            yield table


def _keep_linked(table: exp.Table, links: Sequence[Link]) -> None:
    """Filter the rows of one table where it is read: in WHERE where that means the same, else in a derived table."""
    select = _plain_block(table)
    if select is not None:
        condition = _linked(links, table.alias_or_name, quoted=_is_quoted(table))
        select.where(condition, copy=False)
        return
    alias = table.args.get("alias") or exp.TableAlias(this=table.this.copy())
    bare = table.copy()
    bare.set("alias", None)
    inner = exp.select("*").from_(bare).where(_linked(links, table.name, quoted=_is_quoted(table)))
    table.replace(exp.Subquery(this=inner, alias=alias.copy()))


def _plain_block(table: exp.Table) -> exp.Select | None:
    """The SELECT whose WHERE holds for every row of `table` and for nothing else; None where an outer join is near."""
    holder = table.parent
    select = holder.parent if isinstance(holder, exp.From | exp.Join) else None
    if not isinstance(select, exp.Select):
        return None
    joins = select.args.get("joins") or []
    if any(join.side or join.args.get("method") or join.args.get("using") for join in joins):
        return None
    return select


def _is_quoted(table: exp.Table) -> bool:
    alias = table.args.get("alias")
    name = alias.this if alias is not None else table.this
    return bool(isinstance(name, exp.Identifier) and name.args.get("quoted"))


def _linked(links: Sequence[Link], name: str, *, quoted: bool) -> exp.Expr:
    return exp.and_(*(_has_parent(link, name, quoted=quoted) for link in links))


def _has_parent(link: Link, name: str, *, quoted: bool) -> exp.Expr:
    own = [exp.column(_name(column), table=exp.to_identifier(name, quoted=quoted)) for column in link.columns]
    if len(own) == 1:
        parents = exp.select(exp.column(_name(link.parent_columns[0]))).from_(_table(link.parent))
        there: exp.Expr = exp.In(this=own[0].copy(), query=exp.Subquery(this=parents))
    else:
        parents = exp.select("1").from_(_table(link.parent, _ROWS))
        for column, other in zip(own, link.parent_columns, strict=True):
            parents = parents.where(exp.EQ(this=exp.column(_name(other), table=_ROWS), expression=column.copy()))
        there = exp.Exists(this=parents)
    nulls = [exp.Is(this=column.copy(), expression=exp.null()) for column in own]
    return exp.paren(exp.or_(*nulls, there))


def _operand(node: exp.Expr) -> exp.Expr:
    return node if isinstance(node, exp.Column | exp.Literal | exp.Func | exp.Paren) else exp.paren(node)


def _name(name: str) -> exp.Identifier:
    """A name of the catalogue; `_quote` puts it in quotes where the dialect would read it as another."""
    identifier: exp.Identifier = exp.to_identifier(name)
    identifier.meta[_OF_CATALOGUE] = True
    return identifier


def _quote(tree: exp.Expr, dialect: str | None) -> None:
    spoken = Dialect.get_or_raise(dialect or None)
    if spoken.normalization_strategy not in _FOLDS:
        return
    for identifier in tree.find_all(exp.Identifier):
        if identifier.meta.get(_OF_CATALOGUE) and not identifier.args.get("quoted"):
            folded = spoken.normalize_identifier(exp.to_identifier(identifier.name))
            identifier.set("quoted", folded.name != identifier.name)


def _table(name: str, alias: str | None = None) -> exp.Table:
    schema, _, bare = name.rpartition(".")
    return exp.Table(
        this=_name(bare),
        db=_name(schema) if schema else None,
        alias=exp.TableAlias(this=exp.to_identifier(alias)) if alias else None,
    )
