"""Dialects: their names, the lexical facts that cleaning needs, and what a text's own spelling says of its dialect."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from threading import get_ident
from typing import TYPE_CHECKING

from sqlglot import dialects as _sqlglot_dialects
from sqlglot.dialects.dialect import Dialect

from stef.errors import UserError

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.parser import Parser
    from sqlglot.tokens import Tokenizer

ALIASES: dict[str, str] = {
    "postgresql": "postgres",
    "postgre": "postgres",
    "pg": "postgres",
    "psql": "postgres",
    "cockroachdb": "postgres",
    "greenplum": "postgres",
    "mssql": "tsql",
    "ms sql": "tsql",
    "sqlserver": "tsql",
    "sql server": "tsql",
    "t-sql": "tsql",
    "transactsql": "tsql",
    "azure": "tsql",
    "synapse": "tsql",
    "mariadb": "mysql",
    "tidb": "mysql",
    "sqlite3": "sqlite",
    "bq": "bigquery",
    "big query": "bigquery",
    "googlesql": "bigquery",
    "sf": "snowflake",
    "sparksql": "spark",
    "spark3": "spark",
    "pyspark": "spark",
    "prestodb": "presto",
    "prestosql": "trino",
    "oracledb": "oracle",
    "plsql": "oracle",
    "pl/sql": "oracle",
    "aws redshift": "redshift",
    "amazon redshift": "redshift",
    "memsql": "singlestore",
}
"""Other names that people give a dialect."""

_NO_DIALECT = frozenset({"", "ansi", "sql", "generic", "unknown", "none", "default"})
_NOT_SQL_DIALECTS = frozenset({"prql", "dax", "tableau"})

# The names alone: to ask sqlglot for the classes would import all of them.
DIALECTS: tuple[str, ...] = tuple(sorted({name.lower() for name in _sqlglot_dialects.DIALECTS} - _NOT_SQL_DIALECTS))
"""All dialects that can be read."""


@lru_cache(maxsize=256)
def check_dialect(name: str) -> str:
    """The dialect that `name` means, as sqlglot names it; "" for plain SQL of no dialect (`ansi`, `sql`, `generic`).

    Raises UserError, with the nearest names, where there is no such dialect.
    """
    folded = name.strip().lower()
    found = ALIASES.get(folded, folded)
    if found in _NO_DIALECT:
        return ""
    if found in DIALECTS:
        return found
    near = difflib.get_close_matches(folded, (*DIALECTS, *ALIASES), n=4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(DIALECTS)}"
    raise UserError(f"unknown dialect {name!r}; {hint}")


@dataclass(frozen=True, slots=True)
class Lexis:
    """How a dialect writes what is not code.

    `opaque` matches one quoted string or name, or one comment; a comment is in the group `comment`. What is not closed
    reaches to the end of the text.
    """

    opaque: re.Pattern[str]
    nested_comments: bool


_QUOTES = {
    "doubled": r"'[^']*(?:'|\Z)",
    "escaped": r"'[^'\\]*(?:\\.[^'\\]*)*(?:'|\Z)",
}
_DOUBLE = {"doubled": r'"[^"]*(?:"|\Z)', "escaped": r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)'}


@lru_cache(maxsize=128)
def lexis(dialect: str | None, escapes: bool | None = None) -> Lexis:
    """The lexical facts of `dialect` (None: of no dialect); `escapes` overrides whether a backslash escapes a quote."""
    tokenizer = Dialect.get_or_raise(dialect).tokenizer_class
    if escapes is None:
        escapes = "\\" in tokenizer.STRING_ESCAPES
    style = "escaped" if escapes else "doubled"
    line = "|".join(re.escape(mark) for mark in tokenizer.COMMENTS if isinstance(mark, str))
    parts = [
        rf"(?P<comment>(?:{line})[^\n]*|/\*.*?(?:\*/|\Z))",
        r'"""(?:.*?)(?:"""|\Z)' if '"""' in tokenizer.QUOTES else "",
        r"\$\$(?:.*?)(?:\$\$|\Z)" if dialect in ("postgres", "snowflake", "duckdb", "redshift") else "",
        _QUOTES[style],
        _DOUBLE["escaped" if '"' in tokenizer.QUOTES and escapes else "doubled"],
        r"`[^`]*(?:`|\Z)",
        # A bracket that follows a name or another bracket is a subscript; elsewhere it quotes a name.
        r"(?<![\w\])])\[[A-Za-z_#@][^\[\]\n]*\]" if ("[", "]") in tokenizer.IDENTIFIERS or not dialect else "",
    ]
    pattern = re.compile("|".join(part for part in parts if part), re.DOTALL)
    return Lexis(pattern, bool(getattr(tokenizer, "NESTED_COMMENTS", True)))


def parse_statements(text: str, dialect: str | None) -> "list[exp.Expr | None]":
    """The trees of the statements in `text`, as `sqlglot.parse` gives them. Raises as it does."""
    tokenizer, parser = _tools(dialect or None, get_ident())
    return parser.parse(tokenizer.tokenize(text), text)


@lru_cache(maxsize=128)
def _tools(dialect: str | None, _thread: int) -> "tuple[Tokenizer, Parser]":
    """What reads a dialect, made once a thread: to make it anew takes a fifth of the parse of a short query.

    Both begin anew with each text, and neither may be used by two threads at once.
    """
    spoken = Dialect.get_or_raise(dialect)
    return spoken.tokenizer(), spoken.parser()


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What speaks for a dialect. `pattern` can only match a text that holds one of `marks`, in lower case."""

    dialect: str
    marks: tuple[str, ...]
    pattern: re.Pattern[str]


_EVIDENCE: tuple[_Evidence, ...] = tuple(
    _Evidence(dialect, tuple(marks.split()), re.compile(pattern, re.IGNORECASE))
    for dialect, marks, pattern in (
        (
            "tsql",
            "top [ getdate( isnull( nvarchar @ len( apply",
            r"\bSELECT\s+(?:DISTINCT\s+)?TOP\b|(?<![\w\])])\[[A-Z_][\w ]*\]|\bGETDATE\(|\bISNULL\(|\bNVARCHAR\b|@@|"
            r"\bDECLARE\s+@|\bLEN\(|\bCROSS\s+APPLY\b|\bOUTER\s+APPLY\b",
        ),
        (
            "snowflake",
            "flatten iff( to_variant( zeroifnull( ilike :: qualify dateadd(",
            r"\bLATERAL\s+FLATTEN\b|\bFLATTEN\s*\(\s*INPUT|\bIFF\(|\bTO_VARIANT\(|\bZEROIFNULL\(|\bILIKE\s+ANY\b|"
            r"\w:\w+(?:\.\w+)*::|\bQUALIFY\b(?!.*`)|\bDATEADD\(\s*'",
        ),
        (
            "bigquery",
            "` safe_ unnest( format_date( parse_ date_ except |> approx_quantiles( struct(",
            r"`[\w-]+\.[\w.*-]+`|\bSAFE_(?:CAST|DIVIDE)\(|\bUNNEST\(|\bFORMAT_DATE\(|\bPARSE_(?:DATE|TIMESTAMP)\(|"
            r"\bDATE_(?:SUB|ADD)\([^()]*,\s*INTERVAL\s+\d+\s+\w+\)|\bEXCEPT\s*\(|\|>|\bAPPROX_QUANTILES\(|\bSTRUCT\(",
        ),
        (
            "sqlite",
            "strftime( julianday( date( iif( sqlite_master glob",
            r"\bSTRFTIME\(\s*'|\bJULIANDAY\(|\bDATE\(\s*'now'|\bIIF\(|\bsqlite_master\b|\bGLOB\b",
        ),
        (
            "mysql",
            "` date_format( curdate( str_to_date( group_concat( timestampdiff( regexp rlike",
            r"`\w+`|\bDATE_FORMAT\(|\bCURDATE\(|\bSTR_TO_DATE\(|\bGROUP_CONCAT\(|\bTIMESTAMPDIFF\(|\bREGEXP\b|\bRLIKE\b",
        ),
        (
            "oracle",
            "rownum sysdate dual nvl connect (+)",
            r"\bROWNUM\b|\bSYSDATE\b|\bFROM\s+DUAL\b|\bNVL2?\(|\bCONNECT\s+BY\b|\(\+\)",
        ),
        (
            "postgres",
            ":: ilike interval to_char( distinct ~* ->> generate_series(",
            r"::\s*[a-z]|\bILIKE\b|\bINTERVAL\s+'\d+\s+\w+'|\bTO_CHAR\(|\bDISTINCT\s+ON\b|~\*|->>|\bGENERATE_SERIES\(",
        ),
        (
            "duckdb",
            "strptime( read_ list_ strftime(",
            r"\bSTRPTIME\(|\bread_(?:csv|parquet)\w*\(|\bLIST_\w+\(|\bSTRFTIME\([a-z]",
        ),
        (
            "clickhouse",
            "tostartof todate( countif( sumif( uniq",
            r"\btoStartOf\w+\(|\btoDate\(|\bcountIf\(|\bsumIf\(|\buniq(?:Exact)?\(",
        ),
        ("spark", "lateral explode( collect_", r"\bLATERAL\s+VIEW\b|\bEXPLODE\(|\bCOLLECT_(?:LIST|SET)\("),
    )
)

_FALLBACKS = (
    "",
    "postgres",
    "mysql",
    "sqlite",
    "snowflake",
    "bigquery",
    "tsql",
    "duckdb",
    "spark",
    "oracle",
    "clickhouse",
)


def detect(text: str) -> str | None:
    """The dialect that the spelling of `text` speaks for, or None: it speaks for none."""
    return next(_spoken(text), None)


def candidates(text: str) -> tuple[str, ...]:
    """All dialects worth a try on `text`, the likeliest first; "" is plain SQL."""
    return tuple(dict.fromkeys((*_spoken(text), *_FALLBACKS)))


def _spoken(text: str) -> Iterator[str]:
    folded = text.lower()
    for evidence in _EVIDENCE:
        # Ten searches without regard to case would take a tenth of a turn.
        if any(mark in folded for mark in evidence.marks) and evidence.pattern.search(text):
            yield evidence.dialect
