"""The words of a statement, as its engine tells code from quoted text and comments.

This decides what may be sent to a database, so it follows each engine to the letter, where reading for meaning (`sql/`)
can afford to guess.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

WORD, QUOTED, TEXT, MARK = "word", "quoted", "text", "mark"

_TEXT_DOUBLED = r"'[^']*(?:''[^']*)*(?:'|\Z)"
_TEXT_ESCAPED = r"'[^'\\]*(?:(?:\\.|'')[^'\\]*)*(?:'|\Z)"
_NAME_DOUBLED = r'"[^"]*(?:""[^"]*)*(?:"|\Z)'
_NAME_ESCAPED = r'"[^"\\]*(?:(?:\\.|"")[^"\\]*)*(?:"|\Z)'
_BACKTICKS = r"`[^`]*(?:``[^`]*)*(?:`|\Z)"
_BRACKETS = r"\[[^\]]*(?:\]|\Z)"
_DOLLARS = r"\$(?P<tag>[A-Za-z_\x80-\U0010ffff][\w]*)?\$.*?(?:\$(?P=tag)\$|\Z)"
_PLAIN_DOLLARS = r"\$\$.*?(?:\$\$|\Z)"
_LINE_COMMENT = r"--[^\n]*"
# In MySQL two hyphens begin a comment only where white space follows: `5--1` is 6.
_MYSQL_LINE_COMMENT = r"--(?=[\s\x00-\x1f]|\Z)[^\n]*|\#[^\n]*"
_BLOCK_COMMENT = r"/\*.*?(?:\*/|\Z)"
# What MySQL and MariaDB execute is no comment.
_MYSQL_BLOCK_COMMENT = r"/\*(?!M?!).*?(?:\*/|\Z)"

# No more than the number: `1.0INTO` is two words to some engines.
_NUMBER = r"0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?"

_BACKSLASHES = frozenset(
    {
        "mysql",
        "bigquery",
        "clickhouse",
        "spark",
        "spark2",
        "databricks",
        "hive",
        "snowflake",
        "singlestore",
        "doris",
        "starrocks",
    }
)
_TEXT_IN_DOUBLE_QUOTES = frozenset({"bigquery", "spark", "spark2", "databricks", "hive"})
_BRACKET_NAMES = frozenset({"sqlite", "tsql", "fabric"})
_NESTED_COMMENTS = frozenset(
    {"postgres", "redshift", "duckdb", "tsql", "fabric", "clickhouse", "presto", "materialize"}
)
_DOLLAR_QUOTES = frozenset({"postgres", "redshift", "duckdb", "materialize", "risingwave"})


@lru_cache(maxsize=64)
def _pattern(dialect: str) -> re.Pattern[str]:
    mysql = dialect in {"mysql", "singlestore", "doris", "starrocks"}
    text = _TEXT_ESCAPED if dialect in _BACKSLASHES else _TEXT_DOUBLED
    name = _NAME_ESCAPED if dialect in _BACKSLASHES else _NAME_DOUBLED
    texts = [r"\b[eE]" + _TEXT_ESCAPED] if dialect in _DOLLAR_QUOTES else []
    if dialect in _DOLLAR_QUOTES:
        texts.append(_DOLLARS.replace("(?:\\$(?P=tag)", "(?:\\$(?(tag)(?P=tag))"))
    elif dialect == "snowflake":
        texts.append(_PLAIN_DOLLARS)
    texts.append(text)
    if dialect in _TEXT_IN_DOUBLE_QUOTES:
        texts.append(name)
    quoted = [name, _BACKTICKS, *([_BRACKETS] if dialect in _BRACKET_NAMES else [])]
    comments = [_MYSQL_LINE_COMMENT, _MYSQL_BLOCK_COMMENT] if mysql else [_LINE_COMMENT, _BLOCK_COMMENT]
    return re.compile(
        rf"(?P<comment>{'|'.join(comments)})|(?P<text>{'|'.join(texts)})|(?P<quoted>{'|'.join(quoted)})"
        rf"|(?P<word>[^\W\d][\w$]*|@{{1,2}}[\w$]+)|(?P<number>{_NUMBER})|(?P<mark>/\*M?!|\S)",
        re.DOTALL,
    )


def tokens(sql: str, dialect: str) -> Iterator[tuple[str, str, int]]:
    """Kind, text and place of each token but comments; words in upper case, quoted names without their quotes."""
    pattern = _pattern(dialect)
    nested = dialect in _NESTED_COMMENTS
    position = 0
    while found := pattern.search(sql, position):
        position = found.end()
        kind = found.lastgroup
        # The group of a tag lies inside of the text's own.
        if found["comment"] is not None:
            if nested and found.group().startswith("/*"):
                position = _end_of_nested(sql, found.start())
        elif found["text"] is not None:
            yield TEXT, found.group(), found.start()
        elif kind == "quoted":
            yield QUOTED, found.group()[1:-1], found.start()
        elif kind == "word":
            yield WORD, found.group().upper(), found.start()
        else:
            yield MARK, found.group(), found.start()


_COMMENT_MARK = re.compile(r"/\*|\*/")


def _end_of_nested(sql: str, start: int) -> int:
    depth = 0
    for mark in _COMMENT_MARK.finditer(sql, start):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    return len(sql)
