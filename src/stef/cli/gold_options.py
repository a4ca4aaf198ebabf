"""Options that the commands of `stef gold` share."""

from typing import Annotated

import typer

Db = Annotated[
    str,
    typer.Option(
        "--db",
        metavar="URL",
        help="The database: sqlite:///file.sqlite, duckdb:///file, postgresql://…; {database} stands for a case's own.",
    ),
]
Timeout = Annotated[float, typer.Option("--timeout", min=0.001, metavar="S", help="Seconds that one query may take.")]
RowLimit = Annotated[int, typer.Option("--row-limit", min=1, metavar="N", help="Rows after which a result is cut.")]
CellBudget = Annotated[
    int, typer.Option("--cell-budget", min=1, metavar="N", help="Cells after which a result is cut.")
]
Dialect = Annotated[
    str | None, typer.Option(metavar="NAME", help="The SQL dialect, where it is not the database's own.")
]
Penalty = Annotated[
    float,
    typer.Option("--penalty", min=0.0, metavar="C", help="What a wrong answer costs in the reliability score."),
]
TIMEOUT, ROW_LIMIT, CELL_BUDGET = 30.0, 1_000_000, 10_000_000
