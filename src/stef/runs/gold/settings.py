"""All that decides what stands in a gold RUN, as run.json holds it: no password, and no secret of a command line."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stef.agents import Agent
from stef.databases.urls import safe_url
from stef.gold.cases import CaseSet
from stef.rules import RuleBook
from stef.runs.gold.folder import GOLD
from stef.runs.gold.job import GoldJob
from stef.runs.rescore import hashes_of
from stef.runs.sources import Source
from stef.version import VERSION


def settings_of(job: GoldJob, loaded: CaseSet, agents: Sequence[Agent], book: RuleBook) -> dict[str, Any]:
    """The settings of a job; `inputs` are the files of cases."""
    return {
        "kind": GOLD,
        "inputs": [_file(Path(file.path)) for file in loaded.files],
        "database": safe_url(job.database),
        "agents": [_spec(spec) for spec in job.agents],
        "agent_names": [agent.name for agent in agents],
        "retriever": None if job.retriever is None else _spec(job.retriever),
        "rules": hashes_of(book),
        "format": job.format,
        "dialect": job.dialect,
        "paraphrases": job.paraphrases,
        **({"samples": job.samples} if job.samples > 1 else {}),
        "slice": job.chosen,
        "limit": job.limit,
        "query_timeout": job.limits.timeout,
        "row_limit": job.limits.rows,
        "cell_budget": job.limits.cells,
        "ask_timeout": job.ask_timeout,
        "part_rows": job.part_rows,
        **({"perturb": job.perturb} if job.perturb else {}),
        "stef_version": VERSION,
    }


def _file(path: Path) -> dict[str, Any]:
    return dict(Source(path, path.name).fingerprint())


def _spec(spec: str) -> dict[str, Any]:
    """How an agent is reached: a file by what is in it; anything else by a hash, as a command line may hold a key."""
    scheme, _, rest = spec.partition(":")
    path = Path(rest)
    if path.is_file():
        return {"scheme": scheme, **_file(path)}
    return {"scheme": scheme, "sha256": hashlib.sha256(rest.encode("utf-8", "surrogatepass")).hexdigest()}
