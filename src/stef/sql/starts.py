"""How a text begins: as a query, as another statement, or as neither."""

import re

_GAP = r"(?:\s|--[^\n]*\n|\#[^\n]*\n|/\*.{0,2000}?\*/)+"
QUERY_START = re.compile(
    rf"""
    \s*(?:\(\s*)*(?:
        SELECT\b
      | WITH{_GAP}(?:RECURSIVE{_GAP})?[\w"`\[\].$]+\s*(?:\([^()]*\)\s*)?AS\s*(?:(?:NOT\s+)?MATERIALIZED\s*)?\(
      | FROM\s+[\w"`.\[\]]+[^.!?\n]*\s(?:SELECT\b|\|>)
      | VALUES\s*\(
    )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""A text that begins as a query does."""

_STATEMENT_START = re.compile(
    r"""
    \s*(?:
        DECLARE\s+@?\w | PRAGMA\s+\w+ | CALL\s+[\w.]+\s*\( | EXEC(?:UTE)?\s*(?:\(|@|[\w.\[\]]+\s*(?:@|;|\Z|'|\d))
      | (?:COMMIT|ROLLBACK)\s*(?:;|\Z|\bTRAN)
      | SET\s+(?:(?:LOCAL|SESSION|GLOBAL)\s+)?(?:@{0,2}[\w.]+\s*(?:=|:=|\bTO\b|\bON\b|\bOFF\b)|TRANSACTION\b|NAMES\b)
      | USE\s+(?:(?:DATABASE|SCHEMA|WAREHOUSE|ROLE|CATALOG)\s+)?[\w.`"\[\]]+\s*(?:;|\n|\Z|\bGO\b)
      | SHOW\s+(?:FULL\s+|EXTENDED\s+|ALL\b|CREATE\s+)?(?:
            TABLES?|DATABASES?|SCHEMAS?|COLUMNS?|FIELDS|INDEX(?:ES)?|KEYS|VIEWS?|STATUS|VARIABLES|PROCESSLIST|GRANTS|FUNCTIONS)\b
      | DESC(?:RIBE)?\s+(?:TABLE\s+|EXTENDED\s+|FORMATTED\s+)?[\w.`"\[\]]+\s*(?:;|\Z)
      | EXPLAIN\s+(?:ANALY[SZ]E\b|VERBOSE\b|QUERY\s+PLAN\b|PLAN\b|EXTENDED\b|FORMAT\b|\(|SELECT\b|WITH\b)
      | INSERT\s+(?:OR\s+\w+\s+|IGNORE\s+|OVERWRITE\s+)?(?:INTO|TABLE)\b | REPLACE\s+INTO\b
      | UPDATE\s+[^;]{1,200}?\sSET\b | DELETE\s+(?:\w+\s+)?FROM\b
      | MERGE\s+(?:INTO\s+)?[\w.`"\[\]]+\s+(?:AS\s+)?\w*\s*USING\b | TRUNCATE\s+(?:TABLE\s+)?[\w.`"\[\]]+
      | (?:CREATE|ALTER|DROP)\s+(?:OR\s+(?:REPLACE|ALTER)\s+)?(?:(?:
            GLOBAL|LOCAL|TEMP|TEMPORARY|UNIQUE|EXTERNAL|MATERIALIZED|TRANSIENT|VIRTUAL|CLUSTERED|NONCLUSTERED|RECURSIVE|UNLOGGED
            )\s+)*(?:
            TABLE|VIEW|INDEX|FUNCTION|PROC(?:EDURE)?|DATABASE|SCHEMA|TRIGGER|SEQUENCE|TYPE|ROLE|USER|EXTENSION|MACRO|STAGE|WAREHOUSE
            )\b
      | (?:GRANT|REVOKE)\s[^;]{1,200}?\s(?:ON|TO|FROM)\b | COPY\s+\w+\s+(?:FROM|TO)\b | LOAD\s+DATA\b | VACUUM\b
      | BEGIN\s*(?:;|TRAN|DECLARE\b|SELECT\b|SET\b|\n|\Z) | IF\s*(?:\(|@|NOT\s+EXISTS\b|EXISTS\b|OBJECT_ID\b)
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)


def begins_query(text: str) -> bool:
    """Whether `text` begins as a query does, its leading comments aside."""
    return bool(QUERY_START.match(_without_leading_comments(text)))


def begins_statement(text: str) -> bool:
    """Whether `text` begins as any SQL statement does."""
    text = _without_leading_comments(text)
    return bool(QUERY_START.match(text) or _STATEMENT_START.match(text))


_LEADING_COMMENTS = re.compile(r"\A(?:\s+|--[^\n]*(?:\n|\Z)|#(?!#)[^\n]*(?:\n|\Z)|/\*.*?\*/)+", re.DOTALL)


def _without_leading_comments(text: str) -> str:
    return text if text[:1].isalpha() else _LEADING_COMMENTS.sub("", text, count=1)
