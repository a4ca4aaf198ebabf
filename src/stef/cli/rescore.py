"""`stef explain` (stub)."""

import typer


def register(app: typer.Typer) -> None:
    """Add."""
