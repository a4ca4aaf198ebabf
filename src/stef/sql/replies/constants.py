"""Queries that read no data: what a constant in place of an answer says."""

import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from stef.sql.dialects import DIALECTS
from stef.sql.replies.declining import PLACEHOLDER
from stef.sql.replies.says import Says, says

_LONGEST = 4_000
_MAY_BE = re.compile(
    r"""\A\s*(?:\(\s*)*(?:
        (?:SELECT|VALUES|PRINT)\s*(?:DISTINCT\s+|ALL\s+|TOP\s+\(?\d+\)?\s+)?(?:\(\s*)*(?:
            [NE]?['"‘“] | NULL\b | TRUE\b | FALSE\b | [-+]?\d | CAST\s*\(\s*(?:N?'|NULL\b) | CONCAT\s*\(\s*N?'
            | CASE\s+WHEN\s+(?:1|TRUE)\b
        )
      | RETURN\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_BROKEN_QUOTES = re.compile(
    r"""\A\s*SELECT\s+N?(?P<quote>['"‘“])(?P<text>.*)['"’”]\s*(?:AS\s+[\w"`\[\]']+\s*)?;?\s*\Z""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_NO_TABLE = frozenset({"dual", "sysdummy1", "rdb$database"})
_WORDS = re.compile(r"[^\W\d_]+")
_SENTENCE = 4
"""Words from which on a constant is a sentence: no value of a database reads so."""


def said_by_constant(
    sql: str, dialect: str | None = None, markers: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
) -> Says | None:
    """What a query says whose output is constants only: `SELECT 'no data'`, `SELECT NULL`; None for any other query.

    STATES where the constant may be meant as an answer (`SELECT 42`, `SELECT 'Paris'`): an answer without a source.
    """
    if len(sql) > _LONGEST or not _MAY_BE.match(sql):
        return None
    try:
        trees = [one for one in sqlglot.parse(sql, read=dialect if dialect in DIALECTS else None) if one is not None]
    except (SqlglotError, RecursionError):
        broken = _BROKEN_QUOTES.match(sql)
        # An apostrophe that nobody doubled: SELECT 'I'm sorry'.
        return None if broken is None or _reads(sql) else _said(broken["text"], markers)
    tree = trees[0] if len(trees) == 1 else None
    texts = _constants(tree)
    if texts is None:
        return None
    if _keeps_nothing(tree):
        return Says.DECLINES
    return _said(" ".join(text for text in texts if text is not None), markers)


def _said(text: str, markers: tuple[tuple[str, ...], tuple[str, ...]]) -> Says:
    text = text.replace("_", " ")
    if PLACEHOLDER.match(text):
        return Says.DECLINES
    found = says(text, *markers)
    if found is Says.STATES and len(_WORDS.findall(text)) >= _SENTENCE and not re.search(r"\d", text):
        return Says.DECLINES
    return found


def _reads(sql: str) -> bool:
    return re.search(r"\bFROM\s+[\w\"`\[]+\s*(?:;|\Z|WHERE|JOIN|GROUP|ORDER|LIMIT)", sql, re.IGNORECASE) is not None


def _constants(tree: exp.Expr | None) -> "list[str | None] | None":
    """The output's constants, None for NULL; None where it is more than constants, or where tables are read."""
    if isinstance(tree, exp.Subquery):
        return _constants(tree.this)
    if isinstance(tree, exp.SetOperation):
        sides = [_constants(tree.left), _constants(tree.right)]
        return None if None in sides else [text for side in sides for text in side or ()]
    if isinstance(tree, exp.Values):
        cells = [
            cell for row in tree.expressions for cell in (row.expressions if isinstance(row, exp.Tuple) else [row])
        ]
        return _texts(cells)
    if not isinstance(tree, exp.Select) or not tree.expressions:
        return None
    texts = _texts(tree.expressions)
    if texts is None or not _reads_table(tree):
        return texts
    # A sentence over a table is a sentence still; a number or a flag may be what EXISTS or UNION asks for.
    return texts if len(texts) == 1 and texts[0] and len(_WORDS.findall(texts[0])) >= _SENTENCE else None


def _reads_table(tree: exp.Expr) -> bool:
    return any(table.name.lower() not in _NO_TABLE for table in tree.find_all(exp.Table))


def _texts(items: "list[exp.Expr]") -> "list[str | None] | None":
    found: list[str | None] = []
    for item in items:
        bare = _bare(item)
        if isinstance(bare, exp.Null):
            found.append(None)
        elif isinstance(bare, exp.Literal | exp.National | exp.RawString | exp.Boolean):
            found.append(str(bare.this))
        elif (
            isinstance(bare, exp.Column)
            and not bare.table
            and isinstance(bare.this, exp.Identifier)
            and bare.this.quoted
        ):
            found.append(bare.name)  # "no data": MySQL and SQLite read a text where no such column is
        else:
            return None
    return found


def _bare(item: exp.Expr) -> exp.Expr:
    while isinstance(item, exp.Alias | exp.Paren | exp.Cast | exp.Neg):
        item = item.this
    if isinstance(item, exp.Case) and len(item.args.get("ifs") or ()) == 1 and item.args.get("default") is None:
        return _bare(item.args["ifs"][0].args["true"])
    return item


def _keeps_nothing(tree: exp.Expr | None) -> bool:
    """Whether a condition that is never true, or LIMIT 0, leaves no row."""
    if not isinstance(tree, exp.Select):
        return False
    where, limit = tree.args.get("where"), tree.args.get("limit")
    if isinstance(limit, exp.Limit) and isinstance(limit.expression, exp.Literal) and limit.expression.this == "0":
        return True
    condition = where.this if where is not None else None
    if isinstance(condition, exp.Boolean):
        return condition.this is False
    if (
        isinstance(condition, exp.EQ)
        and isinstance(condition.this, exp.Literal)
        and isinstance(condition.expression, exp.Literal)
    ):
        return bool(condition.this.this != condition.expression.this)
    return isinstance(condition, exp.Literal) and condition.this == "0"
