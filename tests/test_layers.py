"""The import contracts of pyproject.toml hold, and no room is out of their reach."""

import tomllib
from pathlib import Path

from importlinter import cli


def test_contracts_are_kept(repo: Path) -> None:
    """`lint-imports` passes."""
    assert cli.lint_imports(config_filename=str(repo / "pyproject.toml"), no_cache=True) == cli.EXIT_STATUS_SUCCESS


def test_every_room_has_a_layer(repo: Path) -> None:
    """A package or module that stands directly in stef is named in the layers."""
    config = tomllib.loads((repo / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(contract["layers"] for contract in config["contracts"] if contract["type"] == "layers")
    named = {name.strip("()") for name in " | ".join(layers).split(" | ")}
    found = {path.stem for path in (repo / "src" / "stef").iterdir() if path.suffix in ("", ".py")}
    assert found - {"__init__", "__main__", "__pycache__", "_resources"} <= named
