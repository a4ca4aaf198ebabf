"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Rules = Annotated[
    Path | None, typer.Option(metavar="FILE|DIR", help="The application's rules; a folder holds one file for each.")
]
Dialect = Annotated[str | None, typer.Option(metavar="NAME", help="The SQL dialect of turns that name none.")]
Judge = Annotated[
    str, typer.Option(metavar="NAME", help="symbolic (no LLM, no network), openai:MODEL, litellm:PROVIDER/MODEL.")
]
BaseUrl = Annotated[str | None, typer.Option(metavar="URL", help="An OpenAI-compatible server for the judge.")]
ApiKeyEnv = Annotated[
    str | None, typer.Option(metavar="VAR", help="The environment variable that holds the judge's key.")
]
Prompts = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Prompts that take the place of stef's, file by file.")
]
Calibration = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Map the judge's probability by what stef calibrate wrote.")
]
Force = Annotated[bool, typer.Option("--force", help="Apply a calibration that was fitted on another judge.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, and nothing else.")]
