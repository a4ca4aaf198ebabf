"""Spider2's question files, whose gold SQL lies in a folder beside them: one file a query."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stef.gold.cases.formats.base import Draft, Format

_FOLDERS = ("evaluation_suite/gold/sql", "gold/sql", "gold_sql", "sql")
_DIALECTS = (("sf", "snowflake"), ("bq", "bigquery"), ("ga", "bigquery"), ("local", "sqlite"))
"""What a Spider2 id begins with says where its query runs."""


def _adapt(draft: Draft, held: Mapping[str, Any]) -> None:
    instance = held.get("instance_id")
    if not isinstance(instance, str):
        return
    dialect = next((name for start, name in _DIALECTS if instance.startswith(start)), None)
    if dialect is not None:
        draft.fields.setdefault("dialect", dialect)
    if "gold_sql" not in draft.fields and (queries := _queries(draft.file, instance)):
        draft.put("gold_sql", queries, "instance_id")
    if "external_knowledge" in held:
        draft.used.add("external_knowledge")
        draft.fields.setdefault("notes", f"external knowledge: {held['external_knowledge']}")


def _queries(file: Path, instance: str) -> list[str]:
    """The texts of `<id>.sql`, `<id>_a.sql`, … in the first folder of gold SQL that is there."""
    for base in (file.parent, file.parent.parent):
        for name in _FOLDERS:
            folder = base / name
            if folder.is_dir():
                found = [path for path in sorted(folder.glob("*.sql")) if _belongs(path.stem, instance)]
                return [path.read_text("utf-8-sig", errors="replace") for path in found]
    return []


def _belongs(stem: str, instance: str) -> bool:
    rest = stem.removeprefix(instance)
    return stem.startswith(instance) and (not rest or (len(rest) == 2 and rest[0] == "_" and rest[1].isalnum()))


SPIDER2 = Format(
    name="spider2",
    about="instance_id, question or instruction, db or db_id; the gold in evaluation_suite/gold/sql",
    marks=(frozenset({"instance_id", "question"}), frozenset({"instance_id", "instruction"})),
    names={
        "id": ("instance_id",),
        "question": ("instruction", "question"),
        "database": ("db_id", "db"),
    },
    adapt=_adapt,
)
