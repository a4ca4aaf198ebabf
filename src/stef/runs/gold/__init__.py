"""Many cases on a live database: ask, run, compare, write; and what was written, read again."""
