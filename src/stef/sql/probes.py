"""Small queries that ask a database about its own data, in its own dialect."""

from sqlglot import exp

from stef.sql.rewrite import Link


def distinct_values(table: str, column: str, dialect: str, most: int) -> str:
    """At most `most` distinct values of a column, NULL left out."""
    name = _column(column)
    query = (
        exp.select(name)
        .distinct()
        .from_(_table(table))
        .where(exp.Not(this=exp.Is(this=name.copy(), expression=exp.null())))
    )
    return query.limit(most).sql(dialect=dialect)


def has_value(table: str, column: str, value: str, dialect: str, *, quoted: bool) -> str:
    """One row where the column equals a constant as it is written."""
    constant = exp.Literal.string(value) if quoted else exp.Literal.number(value)
    query = exp.select("1").from_(_table(table)).where(exp.EQ(this=_column(column), expression=constant))
    return query.limit(1).sql(dialect=dialect)


def has_rows(table: str, dialect: str) -> str:
    """One row of a table."""
    return exp.select("1").from_(_table(table)).limit(1).sql(dialect=dialect)


def rows_and_values(table: str, column: str, dialect: str) -> str:
    """How many rows a table has, and how many different values one of its columns."""
    distinct = exp.Count(this=exp.Distinct(expressions=[_column(column)]))
    return exp.select(exp.Count(this=exp.Star()), distinct).from_(_table(table)).sql(dialect=dialect)


def count_keys(link: Link, dialect: str) -> str:
    """How many rows of the link's table have a key."""
    return _counted(link).sql(dialect=dialect)


def count_orphans(link: Link, dialect: str) -> str:
    """How many rows of the link's table have a key that no row of the parent has."""
    return _without_parent(link, exp.select(exp.Count(this=exp.Star()))).sql(dialect=dialect)


def some_orphans(link: Link, dialect: str, most: int) -> str:
    """The first keys without a parent."""
    keys = [_column(column, _CHILD) for column in link.columns]
    query = _without_parent(link, exp.select(*keys).distinct())
    return query.order_by(*(key.copy() for key in keys)).limit(most).sql(dialect=dialect)


_CHILD, _PARENT = "stef_child", "stef_parent"


def _counted(link: Link) -> exp.Select:
    query = exp.select(exp.Count(this=exp.Star())).from_(_table(link.table, _CHILD))
    return query.where(*(_not_null(column) for column in link.columns))


def _without_parent(link: Link, query: exp.Select) -> exp.Select:
    parents = exp.select("1").from_(_table(link.parent, _PARENT))
    pairs = zip(link.columns, link.parent_columns, strict=True)
    parents = parents.where(
        *(exp.EQ(this=_column(other, _PARENT), expression=_column(own, _CHILD)) for own, other in pairs)
    )
    query = query.from_(_table(link.table, _CHILD)).where(*(_not_null(column) for column in link.columns))
    return query.where(exp.Not(this=exp.Exists(this=parents)))


def _not_null(column: str) -> exp.Expr:
    return exp.Not(this=exp.Is(this=_column(column, _CHILD), expression=exp.null()))


def _column(name: str, table: str | None = None) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=table)


def _table(name: str, alias: str | None = None) -> exp.Table:
    parts = (
        [exp.to_identifier(part, quoted=True) for part in name.split(".")]
        if "." in name
        else [exp.to_identifier(name, quoted=True)]
    )
    return exp.Table(
        this=parts[-1],
        db=parts[-2] if len(parts) > 1 else None,
        alias=exp.TableAlias(this=exp.to_identifier(alias)) if alias else None,
    )
