"""The RUN folder of a gold run: `results/`, `answers/`, the cases and the schemas beside them."""

import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stef.errors import InputError
from stef.records.case import Case
from stef.records.live import LiveSchema
from stef.runs.folder import RunFolder, read_run, write_whole
from stef.runs.gold.answers import ANSWERS
from stef.runs.gold.columns import gold_schema

if TYPE_CHECKING:
    from pydantic import TypeAdapter

GOLD = "gold"
"""The kind of such a run, in run.json's settings."""

CASES, SCHEMAS, REPLIES, CALLS = "cases.jsonl", "schemas.json", "replies.jsonl", "calls.jsonl"


class GoldFolder(RunFolder):
    """A gold RUN to be written. Raises RunExistsError as RunFolder does."""

    PARTS = "results"
    OURS = frozenset({"run.json", PARTS, ANSWERS, CASES, SCHEMAS, REPLIES, CALLS, ".lock"})

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        settings = dict(settings)
        if (path / "run.json").exists() and "stef_version" not in read_run(path).get("settings", {}):
            # A RUN of an earlier stef does not say which one: it goes on, and stays without.
            settings.pop("stef_version", None)
        super().__init__(path, settings)

    def schema(self) -> Any:
        """The Arrow schema of its Parquet."""
        return gold_schema()

    def left_over(self) -> list[Path]:
        """Files that a kill left unfinished."""
        return [*super().left_over(), *(self.path / ANSWERS).glob(".part-*.tmp")]

    def write_cases(self, cases: Iterable[Case]) -> None:
        """Keep the cases that this run is about."""
        lines = "".join(case.model_dump_json(exclude_defaults=True) + "\n" for case in cases)
        write_whole(self.path / CASES, lines.encode("utf-8", "replace"))

    def write_schemas(self, schemas: Mapping[str, LiveSchema]) -> None:
        """Keep the schemas of the databases, by the names that the cases use ("" where they use none)."""
        write_whole(self.path / SCHEMAS, _schemas().dump_json(dict(schemas)))


def read_cases(run: Path) -> dict[str, Case]:
    """The cases of a gold RUN by their ids. Raises InputError where they cannot be read."""
    try:
        lines = (run / CASES).read_text("utf-8").splitlines()
        cases = [Case.model_validate(json.loads(line)) for line in lines]
    except (OSError, ValueError) as error:
        raise InputError(f"{run / CASES}: the cases of this RUN cannot be read: {error}") from error
    return {case.id: case for case in cases}


def read_schemas(run: Path) -> dict[str, LiveSchema]:
    """The schemas of a gold RUN by the databases' names; none where the run is unfinished."""
    path = run / SCHEMAS
    if not path.exists():
        return {}
    try:
        return _schemas().validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: the schemas of this RUN cannot be read: {error}") from error


@lru_cache(maxsize=1)
def _schemas() -> "TypeAdapter[dict[str, LiveSchema]]":
    from pydantic import TypeAdapter  # noqa: PLC0415  heavy

    return TypeAdapter(dict[str, LiveSchema])
