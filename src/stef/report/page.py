"""`stef report`: the page, in one file. What it may run and load is named by hash; everything else is refused."""

import base64
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from stef.records.assessment import Band
from stef.report import charts
from stef.report.causes import titles
from stef.report.comparing import shown_comparison
from stef.report.curves import reliability_svg, roc_svg
from stef.report.details import Packed, in_script
from stef.report.filters import FILTERS, seen
from stef.report.gold_turns import packed_gold_turns
from stef.report.gold_view import gold_views
from stef.report.model import Report
from stef.report.scored_view import scored_views
from stef.report.text import visible
from stef.report.turns import packed_turns
from stef.report.wording import WORDING
from stef.stats import AgentSummary
from stef.version import VERSION

if TYPE_CHECKING:
    from jinja2 import Environment

MARKER = '<meta name="generator" content="stef report">'
"""What tells a page of stef's from any other file: only such a one is written over."""


def report_page(report: Report, most_turns: int) -> str:
    """The page. Text of turns, agents and labels is shown, never obeyed."""
    from markupsafe import Markup  # noqa: PLC0415

    if report.gold:
        packed = packed_gold_turns(report.gold, most_turns)
    else:
        packed = packed_turns(report.scored, most_turns, report.checks)
    comparison = None
    if report.comparison is not None and report.sides is not None:
        comparison = shown_comparison(report.comparison, *report.sides)
    style, script = _asset("page.css"), _asset("page.js")
    return (
        _environment()
        .get_template("report.html.jinja")
        .render(
            report=report,
            marker=Markup(MARKER),  # noqa: S704  a constant
            version=VERSION,
            # Two files of stef's own, which hold nothing of the turns.
            style=Markup(style),  # noqa: S704
            script=Markup(script),  # noqa: S704
            policy=_policy(style, script),
            packed=packed,
            head=Markup(in_script(_head(packed))),  # noqa: S704  no `<`, `>` or `&` is left in it
            total=sum(one.summary.total.turns for one in report.scored)
            + sum(one.overview.turns for one in report.gold),
            bands=tuple(Band),
            scored=scored_views(report.scored),
            gold=gold_views(report.gold),
            comparison=comparison,
            checks=report.checks,
            **_agreement(report.agreement),
        )
    )


def _head(packed: Packed) -> dict[str, Any]:
    codes = packed.head["names"].get("finding", ())
    return {**packed.head, "titles": {code: visible(titles().get(code, "")) for code in codes}}


def _agreement(document: Mapping[str, Any] | None) -> dict[str, Any]:
    from markupsafe import Markup  # noqa: PLC0415

    if document is None:
        return {"agreement": None}
    return {
        "agreement": document,
        "wording": {name.value: said for name, said in WORDING.items()},
        # Made of numbers alone.
        "reliability": Markup(reliability_svg(document["overall"]["reliability"])),  # noqa: S704
        "roc_curve": Markup(roc_svg(document["roc"])),  # noqa: S704
    }


def _policy(style: str, script: str) -> str:
    """What the browser may do with this page: run one script and use one style, each by its hash, and nothing else."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _asset(name: str) -> str:
    return files("stef.report").joinpath("templates", name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415  heavy
    from markupsafe import Markup  # noqa: PLC0415

    environment = Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=seen,
    )
    environment.filters.update(FILTERS)
    for name in ("distribution", "trend", "share", "forest"):
        # Every text in a chart is escaped where it is drawn (svg.py).
        environment.globals[name] = _drawn(getattr(charts, f"{name}_svg"), Markup)
    environment.globals["bands_of"] = _drawn(_bands_of, Markup)
    return environment


def _bands_of(agent: AgentSummary, name: str) -> str:
    return charts.bands_svg({band.value: turns for band, turns in agent.bands.items()}, agent.unscored, name)


def _drawn(draw: Any, markup: Any) -> Any:
    return lambda *arguments: markup(draw(*arguments))
