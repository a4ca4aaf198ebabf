"""Live databases: one query run read-only within limits, and the schema as the catalogue states it.

This package alone knows database drivers, each imported when a database of its kind is opened.
"""

from stef.databases.opening import Databases, open_database
from stef.databases.protocol import Database, Limits

__all__ = ["Database", "Databases", "Limits", "open_database"]
