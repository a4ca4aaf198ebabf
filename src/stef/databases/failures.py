"""What a failure says beside the database's own words."""

from rapidfuzz import fuzz, process

from stef.records.live import LiveSchema

_MOST_NEAR = 3
_NEAR_ENOUGH = 60


def near_names(wrong: str, schema: LiveSchema, *, columns: bool) -> tuple[str, ...]:
    """Names of tables, or of columns, that are spelt nearly as `wrong` (which may be qualified), the nearest first."""
    word = wrong.rsplit(".", 1)[-1].strip("\"`[]' ")
    names = [table.name for table in schema.tables.values()]
    if columns:
        names = list(dict.fromkeys(column.name for table in schema.tables.values() for column in table.columns))
    found = process.extract(
        word, names, scorer=fuzz.WRatio, processor=str.casefold, limit=_MOST_NEAR, score_cutoff=_NEAR_ENOUGH
    )
    return tuple(name for name, _score, _index in found)
