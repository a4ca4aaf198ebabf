"""`stef selfcheck`: is the ruler straight?"""

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stef.cli.guard import FAILED, guarded
from stef.cli.options import Json
from stef.cli.screen import Grid, count, percent, say, show, show_json
from stef.errors import InputError, UserError

if TYPE_CHECKING:
    from stef.suites.readings import Figures, MutantReading, Reading, Share
    from stef.suites.selfcheck import SelfCheck

Db = Annotated[
    Path | None,
    typer.Option("--db", metavar="PATH", help="The DuckDB file with the data; made there where there is none."),
]
Out = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="DIR", help="Keep cases, log and RUN in this new folder.")
]

FIGURES = ("accuracy", "decline_precision", "decline_recall")
PROVES = "This proves the ruler straight, and no model good."


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("selfcheck", short_help="Check stef itself: agents whose score is known must get it.")(
        guarded(selfcheck)
    )


def selfcheck(db: Db = None, out: Out = None, as_json: Json = False) -> None:
    """Grade agents whose score is known beforehand, and say whether stef reads it.

    One agent gives right answers to the 64 questions of tpch64 and refuses one of them: 63 of 64. Others make one
    mistake everywhere, each of which must be called by its name. Ends with 3 where anything is read otherwise.

    \b
    Examples:
      stef selfcheck
      stef selfcheck --db tpch64.duckdb -o selfcheck
      stef selfcheck --json
    """
    from stef.suites import tpch64  # noqa: PLC0415 - heavy
    from stef.suites.selfcheck import self_check  # noqa: PLC0415

    if out is not None and out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: is not empty; name a new folder")
    database = tpch64.database(db or _cached())
    with tempfile.TemporaryDirectory(prefix="stef-selfcheck-") as made:
        found = self_check(database, out or Path(made))
    if as_json:
        show_json(_document(found, database))
    else:
        _show(found, out)
    if not found.straight:
        say("stef: the ruler is bent: what is listed was read otherwise than it must be; please report it")
        raise typer.Exit(FAILED)


def _cached() -> Path:
    try:
        from platformdirs import user_cache_path  # noqa: PLC0415
    except ImportError as error:
        raise UserError(
            "where the data lies is not said: name it with `--db PATH`, or `pip install 'stef[suites]'`, "
            "which makes it and keeps it in your cache"
        ) from error
    return user_cache_path("stef", appauthor=False) / "tpch64.duckdb"


def _document(found: "SelfCheck", database: Path) -> dict[str, Any]:
    return {
        "proves": PROVES,
        "straight": found.straight,
        **_figures(found.right.read),
        "agents": [_agent(one) for one in found.agents],
        "mutants": [_mutant(one) for one in found.mutants],
        "scorer_faults": list(found.faults),
        "turns": found.turns,
        "database": str(database),
    }


def _figures(figures: "Figures") -> dict[str, Any]:
    shares: list[tuple[str, Share]] = [(name, getattr(figures, name)) for name in FIGURES]
    return {name: {"value": share.value, "count": share.count, "n": share.n} for name, share in shares}


def _agent(one: "Reading") -> dict[str, Any]:
    return {
        "agent": one.agent,
        "straight": one.straight,
        "read": _figures(one.read),
        "must": _figures(one.must),
        "bucket_must": one.bucket.value,
        "buckets": {bucket.value: turns for bucket, turns in one.buckets.items()},
        "bent": list(one.bent),
    }


def _mutant(one: "MutantReading") -> dict[str, Any]:
    from stef.suites.mutants import BUCKETS  # noqa: PLC0415

    return {
        "agent": one.mistake.value,
        "straight": one.straight,
        "planted": one.planted,
        "changed": one.changed,
        "fell_right": one.fell_right,
        "buckets_must": sorted(bucket.value for bucket in BUCKETS[one.mistake]),
        "buckets": {bucket.value: turns for bucket, turns in one.buckets.items()},
        "equivalent": list(one.equivalent),
        "bent": list(one.bent),
    }


def _show(found: "SelfCheck", out: Path | None) -> None:
    show(f"stef selfcheck: tpch64, 64 questions, {count(found.turns, 'turn')} of agents whose score is known")
    show()
    agents = [[one.agent, *_shares(one.read), _names(one.buckets), _verdict(one.straight)] for one in found.agents]
    headers = ["agent", "right", "decline precision", "decline recall", "wrong turns are", ""]
    Grid(headers, agents, frozenset({"agent", "wrong turns are", ""})).show()
    show()
    mutants = [
        [
            one.mistake.value,
            f"{one.planted}",
            f"{one.changed}",
            f"{one.fell_right}",
            _names(one.buckets),
            _verdict(one.straight),
        ]
        for one in found.mutants
    ]
    headers = ["mistake", "planted", "change the answer", "named rightly", "wrong turns are", ""]
    Grid(headers, mutants, frozenset({"mistake", "wrong turns are", ""})).show()
    for one in found.mutants:
        if one.equivalent:
            show(f"{one.mistake.value} changes nothing, and is read as right: {', '.join(one.equivalent)}")
    for line in _bent(found):
        show(f"BENT: {line}")
    show()
    show(f"The ruler is straight. {PROVES}" if found.straight else "The ruler is bent.")
    if out is not None:
        show(f"Look at any turn: stef gold explain {out / 'run'} ID")


def _shares(figures: "Figures") -> list[str]:
    return [_share(getattr(figures, name)) for name in FIGURES]


def _share(share: "Share") -> str:
    return f"{share.count}/{share.n} = {percent(share.value)}" if share.n else "– (n = 0)"


def _names(buckets: Any) -> str:
    return ", ".join(f"{name} {number}" for name, number in buckets.items())


def _verdict(straight: bool) -> str:
    return "as it must" if straight else "BENT"


def _bent(found: "SelfCheck") -> list[str]:
    agents = [
        f"{one.agent}: {name} {_share(getattr(one.read, name))}, must be {_share(getattr(one.must, name))}"
        for one in found.agents
        for name in FIGURES
        if getattr(one.read, name) != getattr(one.must, name)
    ]
    turns = [f"{one.agent}, {line}" for one in found.agents for line in one.bent]
    planted = [f"{one.mistake.value}, {line}" for one in found.mutants for line in one.bent]
    return [*agents, *turns, *planted, *found.faults]
