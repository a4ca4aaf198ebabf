"""tpch64: 64 questions over the TPC-H schema that nobody has memorised, and the data to answer them.

```python
from stef.suites import tpch64

for case in tpch64.cases():
    print(case.id, case.question)
tpch64.database("tpch64.duckdb")
```
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from urllib.parse import quote

from stef.errors import UserError
from stef.gold.cases import load_cases
from stef.records.case import Case
from stef.suites.generated import make_database

SCALE = 0.01
"""TPC-H's scale factor that the answers hold for."""

_LINES = 60_175
"""Rows of lineitem at that scale."""

_HERE = files("stef.suites")


@lru_cache(maxsize=1)
def cases() -> tuple[Case, ...]:
    """The 64 cases, in the order of their file: 46 answerable, 10 ambiguous, 8 unanswerable."""
    with as_file(_HERE / "tpch64.yaml") as path:
        found = load_cases(path)
    if found.faults:
        raise ValueError(str(found.faults[0]))
    return found.cases


def cases_text() -> str:
    """The file of cases, as it is shipped."""
    return (_HERE / "tpch64.yaml").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def right_sql() -> Mapping[str, str]:
    """For each case that can be answered, a right query that is written otherwise than its golds; by the case's id."""
    import yaml  # noqa: PLC0415 - heavy

    return dict(yaml.safe_load((_HERE / "tpch64_right.yaml").read_text(encoding="utf-8")))


def database(path: Path | str) -> Path:
    """The DuckDB file at `path`, with TPC-H at scale 0.01; made there first where there is none (about two seconds).

    Raises UserError where the file holds something else, or where the generator (`stef[suites]`) is not installed.
    """
    path = Path(path)
    if not path.exists():
        make_database(path, (_HERE / "tpch64_schema.sql").read_text(encoding="utf-8"), SCALE)
    elif (found := _order_lines(path)) != _LINES:
        holds = f"{found:,} order lines" if found is not None else "no table lineitem"
        raise UserError(
            f"{path}: not the data of tpch64: it holds {holds}, and TPC-H at scale {SCALE:g} has {_LINES:,}; "
            "name a path where there is no file yet, and it is made there"
        )
    return path


def database_url(path: Path) -> str:
    """What `--db` takes to open the file."""
    return f"duckdb:///{quote(str(path.absolute()))}"


def _order_lines(path: Path) -> int | None:
    from stef.databases import open_database  # noqa: PLC0415 - heavy
    from stef.records.result import Failure  # noqa: PLC0415

    opened = open_database(database_url(path))
    try:
        counted = opened.run("SELECT COUNT(*) FROM lineitem")
    finally:
        opened.close()
    return None if isinstance(counted, Failure) else int(counted.columns[0][0])
