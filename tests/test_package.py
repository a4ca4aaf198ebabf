"""What the package promises to the outside: its names, its types, its weight, its data."""

import importlib
import inspect
import pickle
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import stef
from stef.records.expressions import Column

HEAVY = ("litellm", "openai", "tenacity", "jinja2", "pyarrow", "duckdb", "scipy", "rich", "typer")


def test_all_is_sorted_and_complete() -> None:
    """`stef.__all__` is sorted, and each of its names is there and documented."""
    assert list(stef.__all__) == sorted(stef.__all__)
    for name in stef.__all__:
        thing = getattr(stef, name)
        assert inspect.getdoc(thing) or isinstance(thing, str), f"{name} has no docstring"


def test_public_names() -> None:
    """The three names that score one turn are public."""
    assert {"AppRules", "Evaluator", "Turn"} <= set(stef.__all__)


def test_version_is_the_packages(repo: Path) -> None:
    """The version that results record is the version of pyproject.toml."""
    project = tomllib.loads((repo / "pyproject.toml").read_text("utf-8"))["project"]
    assert stef.__version__ == project["version"]


def test_every_requirement_is_bounded(repo: Path) -> None:
    """A dependency without an upper bound is a build that breaks by itself one day."""
    project = tomllib.loads((repo / "pyproject.toml").read_text("utf-8"))["project"]
    requirements = project["dependencies"] + project["optional-dependencies"]["dev"]
    assert [one for one in requirements if ">=" not in one or "<" not in one] == []


def test_constraints_name_exact_versions(repo: Path) -> None:
    """`constraints.txt` holds `name==version` and nothing that only one machine has."""
    lines = (repo / "constraints.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#") and (line.count("==") != 1 or "/" in line)] == []


def test_typed_marker_is_shipped() -> None:
    """Users' type checkers read stef's own types."""
    assert (Path(stef.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize("statement", ["import stef", "import stef.cli.app"])
def test_import_is_light(statement: str) -> None:
    """Importing stef, or its command, brings in nothing heavy."""
    heavy = HEAVY if statement == "import stef" else HEAVY[:7]
    code = f"import sys; {statement}; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_module_imports_alone(repo: Path) -> None:
    """No module depends on another having been imported first."""
    root = repo / "src"
    names = sorted(
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        for path in (root / "stef").rglob("*.py")
        if path.stem != "__main__"
    )
    assert [name for name in names if importlib.import_module(name) is None] == []


def test_a_record_is_compared_hashed_and_packed_by_value() -> None:
    """What a turn makes by the dozen is a value like any other, though nothing guards its fields."""
    column = Column("name", ("pumps",), (7, 11))
    assert column == Column("name", ("pumps",))
    assert hash(column) == hash(Column("name", ("pumps",)))
    assert pickle.loads(pickle.dumps(column)).span == (7, 11)
    assert not hasattr(column, "__dict__")
