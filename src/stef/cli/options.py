"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

Rules = Annotated[
    Path | None, typer.Option(metavar="FILE|DIR", help="The application's rules; a folder holds one file for each.")
]
Dialect = Annotated[str | None, typer.Option(metavar="NAME", help="The SQL dialect of turns that name none.")]
Judge = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="symbolic (no LLM, no network), openai:MODEL, litellm:PROVIDER/MODEL, local:MODEL.gguf.",
    ),
]
Reader = Annotated[
    str,
    typer.Option(metavar="NAME", help="Who reads questions: rules (no model), openai:MODEL, litellm:PROVIDER/MODEL."),
]
BaseUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="An OpenAI-compatible server for the judge and the reader.")
]
ApiKeyEnv = Annotated[
    str | None, typer.Option(metavar="VAR", help="The environment variable that holds the key of that server.")
]
Samples = Annotated[int, typer.Option(min=1, max=100, metavar="K", help="Blind judgements of each turn.")]
Refute = Annotated[bool, typer.Option("--refute", help='Ask a second time why a "correct" might be wrong.')]
Confidence = Annotated[
    str, typer.Option(metavar="FROM", help="Where a model's confidence comes from: stated, logprob, samples.")
]
JudgeSees = Annotated[
    str, typer.Option("--judge-sees", metavar="WHAT", help="What the prompt carries beside the SQL: all, spec, query.")
]
MaxTokens = Annotated[int, typer.Option(min=16, metavar="N", help="Bound on one reply; thinking counts.")]
PriceIn = Annotated[
    float | None, typer.Option(min=0.0, metavar="USD", help="Price of a million tokens sent to the judge.")
]
PriceOut = Annotated[
    float | None, typer.Option(min=0.0, metavar="USD", help="Price of a million tokens of its replies.")
]
Prompts = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Prompts that take the place of stef's, file by file.")
]
Calibration = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Map the judge's probability by what stef calibrate wrote.")
]
Force = Annotated[bool, typer.Option("--force", help="Apply a calibration that was fitted on another judge.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, and nothing else.")]
Logs = Annotated[
    list[str] | None,
    typer.Argument(metavar="LOG…", help="JSONL, JSON, CSV, TSV or Parquet (also .gz), a folder, a glob, a URI, or -"),
]
Maps = Annotated[
    list[str] | None,
    typer.Option(
        "--map", metavar="FIELD=PATH", help="Where a field stands: question=input.text, sql=messages.-1.content"
    ),
]
Preset = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="A known export: langfuse, langsmith, phoenix, mlflow, spider, bird."),
]
Keep = Annotated[list[str] | None, typer.Option(metavar="PATH", help="Keep a field of the log as metadata.")]
Limit = Annotated[int | None, typer.Option(min=1, metavar="N", help="Score the first N turns only.")]
Encoding = Annotated[str | None, typer.Option(metavar="NAME", help="The log's encoding, where it is not UTF-8.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first broken line.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No progress and no remarks.")]
