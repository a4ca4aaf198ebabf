"""The RUN folder of a verification: `checks/`, and nothing else that is Parquet."""

from typing import Any

from stef.runs.columns import arrow_schema
from stef.runs.folder import RunFolder
from stef.runs.verify.columns import COLUMNS

VERIFY = "verify"
"""The kind of such a run, in run.json's settings."""


class CheckFolder(RunFolder):
    """A RUN of `stef verify` to be written. Raises RunExistsError as RunFolder does."""

    PARTS = "checks"
    OURS = RunFolder.OURS - {RunFolder.PARTS} | {PARTS}

    def schema(self) -> Any:
        """The Arrow schema of its Parquet."""
        return arrow_schema(COLUMNS)
