"""Resolving a query against a live schema: origins of its columns, its order, its components."""

from stef.sql.resolve.ddl import tables_of_ddl
from stef.sql.resolve.instances import matched
from stef.sql.resolve.resolve import resolve
from stef.sql.resolve.resolved import Added, Kind, Member, Resolved
from stef.sql.resolve.text import filter_text, join_text, key_text

__all__ = [
    "Added",
    "Kind",
    "Member",
    "Resolved",
    "filter_text",
    "join_text",
    "key_text",
    "matched",
    "resolve",
    "tables_of_ddl",
]
