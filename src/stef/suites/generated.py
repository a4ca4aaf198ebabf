"""A DuckDB file with TPC-H, made on this machine by the generator that `stef[suites]` brings."""

import importlib.metadata
import os
import subprocess
import tempfile
from pathlib import Path

from stef.errors import StefError, UserError

TABLES = ("region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem")
"""The tables, each after those that it refers to."""

_GENERATOR = "tpchgen-cli"
_LONGEST = 300
_WAY_OUT = (
    "install it with `pip install 'stef[suites]'`, or name a DuckDB file that holds TPC-H at that scale "
    "(DuckDB's own `CALL dbgen(sf = 0.01)` makes one)"
)


def make_database(path: Path, schema: str, scale: float) -> None:
    """Write a DuckDB file with the tables of `schema` (CREATE statements), filled at `scale`.

    The file appears whole or not at all. Raises UserError where the generator is not installed or `path` cannot be
    written, StefError where the generator fails.
    """
    generator = _find_generator(scale)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{path.stem}-", dir=path.parent) as folder:
            made = Path(folder)
            _generate(generator, scale, made)
            _load(made / path.name, schema, made)
            os.replace(made / path.name, path)  # noqa: PTH105 - says that an older file goes
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror or error}); name another place") from error


def _find_generator(scale: float) -> Path:
    """The program in its package, wherever that is installed: no search path is asked."""
    try:
        files = importlib.metadata.files(_GENERATOR) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    found = [Path(str(one.locate())) for one in files if one.stem == _GENERATOR]
    program = next((one for one in found if one.is_file()), None)
    if program is None:
        raise UserError(f"the data, TPC-H at scale {scale:g}, is made by {_GENERATOR}, which is not there; {_WAY_OUT}")
    return program


def _generate(program: Path, scale: float, folder: Path) -> None:
    command = [str(program), "parquet", "--scale-factor", f"{scale:g}", "--output-dir", str(folder), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own arguments
    missing = [table for table in TABLES if not (folder / f"{table}.parquet").is_file()]
    if done.returncode or missing:
        words = " ".join(done.stderr.split())[:_LONGEST] or f"it wrote no {', '.join(missing)}"
        raise StefError(f"{_GENERATOR} failed ({words}); {_WAY_OUT}")


def _load(path: Path, schema: str, folder: Path) -> None:
    import duckdb  # noqa: PLC0415 - heavy

    try:
        with duckdb.connect(str(path), config={"autoinstall_known_extensions": False}) as connection:
            connection.execute(schema)
            for table in TABLES:
                connection.read_parquet(str(folder / f"{table}.parquet")).insert_into(table)
    except duckdb.Error as error:
        raise StefError(f"what {_GENERATOR} wrote cannot be read: {str(error).splitlines()[0]}") from error
