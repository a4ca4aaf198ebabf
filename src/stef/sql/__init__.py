"""Reading SQL: text → Spec. This package alone knows sqlglot."""

from stef.sql.describe import describe, describe_clause, describe_expr, describe_predicate
from stef.sql.dialects import DIALECTS, check_dialect
from stef.sql.parse import Parsed, parse
from stef.sql.read import read_sql
from stef.sql.refusals import looks_like_refusal

__all__ = [
    "DIALECTS",
    "Parsed",
    "check_dialect",
    "describe",
    "describe_clause",
    "describe_expr",
    "describe_predicate",
    "looks_like_refusal",
    "parse",
    "read_sql",
]
